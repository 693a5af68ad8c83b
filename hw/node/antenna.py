# One reader, several coils: an analogue multiplexer connects one of them at a time. Only the coil that is wanted has a
# field, so a card over another one can neither answer nor be silenced.

from iso15693 import Inventory
from pn5180 import ReaderError

AGAIN_US = 2_000_000  # after a failure the chip is reset, at most this often


class Antennas:
    """The coils of one PN5180. ``lines``: functions that set the multiplexer's address lines, lowest bit first."""

    def __init__(self, reader, coils, lines, pause=None, quiet=False):
        if len(coils) > 1 << len(lines):
            raise ValueError("%d coils do not fit %d address lines" % (len(coils), len(lines)))
        self.reader = reader
        self.places = {name: place for place, name in enumerate(coils)}
        self.lines = lines
        self.inventory = Inventory(reader, pause)
        self.quiet = quiet
        self.version = None  # None: the chip must be started first
        self.tried = None
        self.failures = 0
        self.scans = 0
        self.longest_us = 0

    def scan(self, zone):
        """UIDs that answer at ``zone``'s coil; None where the reader fails."""
        clock = self.reader.clock
        began = clock.us()
        try:
            if self.version is None:
                if self.tried is not None and began - self.tried < AGAIN_US:
                    return None
                self.tried = began
                self.version = self.reader.start()
            place = self.places[zone]
            for bit, line in enumerate(self.lines):
                line(place >> bit & 1)
            found = self.inventory.scan(self.quiet)
        except ReaderError:
            self.failures += 1
            self.version = None
            return None
        self.scans += 1
        self.longest_us = max(self.longest_us, clock.us() - began)
        return found
