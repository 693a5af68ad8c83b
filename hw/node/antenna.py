# The coils of a board and the readers behind them: one PN5180 for each, or one for all behind an analogue multiplexer. The
# address lines name the coil: its reader's NSS and BUSY, or its way to the only reader. One coil at a time has a field,
# so a card over another one can neither answer nor be silenced.

from iso15693 import BUDGET, Inventory
from pn5180 import ReaderError

AGAIN_US = 2_000_000  # a chip that fails right after its reset is reset again after this; the first time at once
UNREAD_US = 2_000_000  # so long somebody may answer at a coil whom nobody can read, until that is told
FOREIGN_US = 2_000_000  # so long another reader's field is told after it was last met


class Station:
    """One PN5180 and how it does."""

    def __init__(self, reader, pause, budget):
        self.reader = reader
        self.inventory = Inventory(reader, pause, budget)
        self.version = None  # None: the chip must be started first
        self.again_at = 0  # not before this
        self.healthy = True  # it has read since its last failure
        self.failure = ""

    def scan(self, quiet, before, now, began):
        """UIDs that answer; None where the reader fails, or failed too short a time ago."""
        if self.version is None and now < self.again_at:
            return None
        try:
            if self.version is None:
                self.version = self.reader.start()
            found = self.inventory.scan(quiet, before, began)
        except ReaderError as error:
            self.reader.halt()
            self.version = None
            self.again_at = now + max(error.rest_us, 0 if self.healthy else AGAIN_US)
            self.healthy = False
            self.failure = str(error)
            return None
        self.healthy = True
        return found


class Antennas:
    """The coils. ``readers``: one PN5180 for all of them, or as many as there are coils, in their order.

    ``lines``: functions that set the address lines, lowest bit first. ``scan`` says who answers; ``whole`` and ``trouble`` then
    say whether who did not answer is gone, and what is wrong.
    """

    def __init__(self, readers, coils, lines, pause=None, quiet=False, budget=BUDGET):
        if len(coils) > 1 << len(lines):
            raise ValueError("%d coils do not fit %d address lines" % (len(coils), len(lines)))
        if len(readers) not in (1, len(coils)):
            raise ValueError("%d readers are neither one nor one for each of %d coils" % (len(readers), len(coils)))
        self.stations = [Station(reader, pause, budget) for reader in readers]
        self.places = {name: place for place, name in enumerate(coils)}
        self.lines = lines
        self.clock = readers[0].clock
        self.quiet = quiet
        self.trouble = ""
        self.whole = True
        self.tally = self.stations[0].inventory.tally
        self.before = {}  # zone: who answered last
        self.unread_since = {}  # zone: since when somebody there cannot be read
        self.foreign_at = {}  # zone: when another reader's field was last met
        self.failures = 0
        self.scans = 0
        self.longest_us = 0

    def scan(self, zone):
        """UIDs that answer at ``zone``'s coil; None where the reader fails."""
        now = self.clock.us()
        began = self.clock.ticks()
        place = self.places[zone]
        for bit, line in enumerate(self.lines):
            line(place >> bit & 1)
        station = self.stations[place % len(self.stations)]
        found = station.scan(self.quiet, self.before.get(zone, ()), now, began)
        self.tally = station.inventory.tally
        self.longest_us = max(self.longest_us, self.clock.elapsed(began))
        if found is None:
            self.failures += 1
            self.whole = False
            self.trouble = station.failure
            self.before.pop(zone, None)
            return None
        self.scans += 1
        self.whole = self.tally.whole()
        if self.whole:
            self.before[zone] = found
        self.trouble = self.remark(zone, station.reader.foreign, now)
        return found

    def remark(self, zone, foreign, now):
        """Describe a fault at ``zone`` though its coil can be read."""
        if foreign:
            self.foreign_at[zone] = now
        if self.whole:
            self.unread_since.pop(zone, None)
        else:
            self.unread_since.setdefault(zone, now)
        if now - self.foreign_at.get(zone, -FOREIGN_US - 1) <= FOREIGN_US:
            return "another reader's field is near"
        if now - self.unread_since.get(zone, now) > UNREAD_US:
            return "something answers here that cannot be read"
        return ""
