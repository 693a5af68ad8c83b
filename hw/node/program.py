# The node's program: its configuration, its board, its loop. Files beside it: node.json (this node's configuration,
# sealed), pins.json, link_schema.json and the modules. While no host listens, Ctrl-C (or mpremote) makes the node start
# anew without this program, once.

import gc
import json

from board_real import RealBoard
from codec import load as load_codec
from settings import load
from startup import stay_once

DEFAULTS = {
    "board": "seats",
    "name": "unconfigured",
    "link": "usb",
    "quiet": False,
    "sensors": [],
    "inverted": [],
    "calibration": {},
}


def make(hardware_class):
    """(board, hardware) by the files on the flash. An unreadable configuration gives a node without sensors."""
    config, trouble = load("node.json", DEFAULTS)
    with open("pins.json") as stream:
        boards = json.load(stream)["boards"]
    if config["board"] not in boards:
        trouble = "the configuration names no known board; defaults are in use"
        config = dict(DEFAULTS)
    wiring = boards[config["board"]]
    hardware = hardware_class(config["link"], {name: gpio for name, gpio, _ in wiring["pins"]})
    return RealBoard(config, load_codec("link_schema.json"), wiring, hardware, trouble), hardware


def step(board):
    """One turn of the board's loop. Where the heap has no piece of the size that is asked for, the session is given up with
    all that waits in it (presses and knocks are kept), and the next one tells every sensor; without one the node starts anew."""
    link = board.node.link
    try:
        return board.step()
    except MemoryError:
        if not link.is_open:
            raise
        link.close(board.wall_ms())
        gc.collect()
        return 0


def run(hardware_class, turns=None):
    board, hardware = make(hardware_class)
    hardware.start_watchdog()
    while turns is None or turns > 0:
        hardware.feed_watchdog()
        wait = step(board)
        if hardware.maintenance and not board.node.link.is_open:
            stay_once()
            hardware.reset()
            return board
        if wait > 0:
            hardware.wait_us(wait * 1000)
        if turns is not None:
            turns -= 1
    return board
