# Start of a simulated node under MicroPython's unix port:
#   micropython sim_main.py CONFIG SCHEMA LINK_FD FEED_FD CAUSE
# LINK_FD is the pseudo-terminal's end that stands for the serial line, FEED_FD brings the twin's lines.

import json
import os
import select
import sys
import time

from board_sim import SimBoard
from codec import load


class Descriptors:
    """Bytes through two descriptors that never block, and the time of the machine."""

    def __init__(self, link, feed):
        self.link_in = open(link, "rb")
        self.link_out = open(link, "wb")
        self.feed = open(feed, "rb")
        self.poller = select.poll()
        self.poller.register(self.link_in, select.POLLIN)
        self.poller.register(self.feed, select.POLLIN)
        self.last = self.passed = time.ticks_us()

    def wall_us(self):
        now = time.ticks_us()
        self.passed += time.ticks_diff(now, self.last)
        self.last = now
        return self.passed

    def read_feed(self):
        data = self.feed.read(4096)
        if data == b"":
            sys.exit()  # the twin has gone
        return data

    def read_link(self):
        try:
            return self.link_in.read(2048)
        except OSError:  # nobody has the other end open
            return None

    def write_link(self, data):
        try:
            return self.link_out.write(data) or 0
        except OSError:
            return len(data)  # an unplugged line swallows what is sent

    def boot(self):
        return int.from_bytes(os.urandom(4), "little")

    def wait(self, milliseconds):
        for _, events in self.poller.poll(milliseconds):
            if events & select.POLLHUP:
                time.sleep_ms(20)  # nobody at the other end: poll would return at once again and again
                break


def main(config, schema, link, feed, cause):
    with open(config) as stream:
        wanted = json.load(stream)
    pipes = Descriptors(int(link), int(feed))
    board = SimBoard(wanted, load(schema), pipes, int(cause))
    while True:
        pipes.wait(board.step())


main(*sys.argv[1:])
