# A checksum of the firmware's files, by which the table's computer knows whether a node runs what it brings. Computed from
# the flash at each start, so that a file half written or spoiled shows; the configuration and the counters are the node's own.

import binascii
import hashlib

DATA = ("pins.json", "link_schema.json")


def is_firmware(name):
    return name.endswith(".py") or name.endswith(".mpy") or name in DATA


def read_pieces(name):
    with open(name, "rb") as stream:
        while True:
            piece = stream.read(512)
            if not piece:
                return
            yield piece


def checksum(names, pieces):
    """16 hexadecimal digits of SHA-256 over every firmware file among ``names``; ``pieces(name)`` yields its bytes."""
    total = hashlib.sha256()
    for name in sorted(names):
        if is_firmware(name):
            one = hashlib.sha256()
            for piece in pieces(name):
                one.update(piece)
            total.update(name.encode() + b"\0" + one.digest())
    return binascii.hexlify(total.digest()[:8]).decode()
