# What a Pico runs when it gets power. Files beside it: node.json (this node's configuration, sealed), pins.json,
# link_schema.json and the modules. Ctrl-C is off while it runs over USB: hold BOOTSEL at power-up, or use mpremote's
# soft reset within the first three seconds.

import json
import time

from board_real import RealBoard
from codec import load as load_codec
from settings import load

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


def run(hardware_class, turns=None):
    board, hardware = make(hardware_class)
    hardware.start_watchdog()
    while turns is None or turns > 0:
        hardware.feed_watchdog()
        wait = board.step()
        if wait > 0:
            hardware.wait_us(wait * 1000)
        if turns is not None:
            turns -= 1
    return board


if __name__ == "__main__":
    time.sleep(3)  # time for mpremote to stop it
    from board_rp2 import Rp2

    run(Rp2)
