"""The files on a node's flash, over its prompt: which differ, put there so that a cut leaves the old one or the new."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware_bridge.raw_repl import RawRepl, ReplError
from hw.provision import is_firmware, seal, unseal

CHUNK: Final = 768
"""Bytes a piece; in base64 1024, which a node takes at once."""
HELPERS: Final = """
import os, hashlib, binascii
def _sum(name):
    total, view = hashlib.sha256(), memoryview(bytearray(512))
    with open(name, "rb") as stream:
        while True:
            count = stream.readinto(view)
            if not count:
                return binascii.hexlify(total.digest()).decode()
            total.update(view[:count])
def _sums():
    return {name: _sum(name) for name in os.listdir() if not os.stat(name)[0] & 0x4000}
"""
NEW: Final = ".new"


@dataclass(frozen=True, slots=True)
class NodeUpdate:
    """Result of an update: files written and removed, by name; whether the configuration was."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    configured: bool


class NodeFiles:
    """The flash of the node behind ``repl``, which is at its raw prompt. Raises ReplError."""

    def __init__(self, repl: RawRepl) -> None:
        self._repl = repl
        self._repl.execute(HELPERS)

    def sums(self) -> dict[str, str]:
        """SHA-256 of every file, computed by the node."""
        found: dict[str, str] = self._repl.evaluate("_sums()")
        return found

    def read(self, name: str) -> bytes:
        """Return the content of a small file."""
        found = self._repl.evaluate(f"open({name!r},'rb').read()")
        return bytes(found)

    def write(self, name: str, content: bytes) -> None:
        """Put ``content`` in the place of file ``name``, once the node has it whole."""
        fresh = name + NEW
        self._repl.execute(f"_f=open({fresh!r},'wb')")
        for at in range(0, len(content), CHUNK):
            piece = base64.b64encode(content[at : at + CHUNK])
            self._repl.execute(f"_f.write(binascii.a2b_base64({piece!r}))")
        self._repl.execute("_f.close()")
        if self._repl.evaluate(f"_sum({fresh!r})") != hashlib.sha256(content).hexdigest():
            raise ReplError(f"The node did not keep {name} as it was sent: try again; its flash may be worn.")
        self._repl.execute(f"os.rename({fresh!r},{name!r})")

    def update(self, files: Mapping[str, bytes], told: Callable[[str], None] = lambda _name: None) -> NodeUpdate:
        """Make the firmware's files be ``files``: write those that differ, remove strangers among the modules."""
        there = self.sums()
        strangers = [name for name in there if (is_firmware(name) and name not in files) or name.endswith(NEW)]
        stale = [name for name, content in files.items() if there.get(name) != hashlib.sha256(content).hexdigest()]
        for name in strangers:
            told(f"removing {name}")
            self._repl.execute(f"os.remove({name!r})")
        for name in stale:
            told(f"writing {name}")
            self.write(name, files[name])
        return NodeUpdate(tuple(stale), tuple(strangers), configured=False)

    def configuration(self) -> dict[str, Any] | None:
        """Return the content of node.json; None if there is none or it is damaged."""
        if "node.json" not in self._repl.evaluate("os.listdir()"):
            return None
        try:
            return unseal(self.read("node.json").decode())
        except (ValueError, KeyError):
            return None

    def configure(self, config: Mapping[str, Any]) -> None:
        """Write node.json, sealed."""
        self.write("node.json", seal(config).encode())
