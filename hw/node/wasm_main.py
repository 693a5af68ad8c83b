# Start of a simulated node under MicroPython's WebAssembly build. The host (hw/twin/wasm_host.mjs) has put the
# configuration and the schema beside this file, brings bytes as hexadecimal text and numbers as text (a number
# crosses as 32 bits only), and calls step().

import json

import tavolo_host
from board_sim import SimBoard
from codec import load


class Pipes:
    """Bytes and time from the host's event loop."""

    def wall_us(self):
        return int(tavolo_host.wall_us())

    def read_feed(self):
        return bytes.fromhex(tavolo_host.read_feed())

    def read_link(self):
        return bytes.fromhex(tavolo_host.read_link())

    def write_link(self, data):
        tavolo_host.write_link(bytes(data).hex())
        return len(data)

    def boot(self):
        return int(tavolo_host.boot())


with open("/node/config.json") as stream:
    board = SimBoard(json.load(stream), load("/node/schema.json"), Pipes(), int(tavolo_host.cause()))
step = board.step
