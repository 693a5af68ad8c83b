# The node's start: for a technician nothing runs; else the watchdog is started before anything that can fail or hang, and
# then the program is loaded.

import os

STAY = "stay"  # a file that says: the next start is for a technician, once
LOADING_MS = 8000  # the watchdog while the program is loaded; an RP2040 can wait 8388 at most


def begin():
    if stays():
        print("tavolo: stopped for maintenance; reset to run")
        return
    from machine import WDT, reset

    WDT(timeout=LOADING_MS)
    from board_rp2 import Rp2
    from program import run

    try:
        run(Rp2)
    except KeyboardInterrupt:  # at the USB port of a node whose link is the UART
        stay_once()
        reset()


def stays():
    """True if this start is for a technician: then nothing runs."""
    try:
        os.remove(STAY)
    except OSError:
        return False
    return True


def stay_once():
    """Let the next start be for a technician: a watchdog that runs cannot be stopped, so the chip must start anew."""
    with open(STAY, "w") as stream:
        stream.write("once")
