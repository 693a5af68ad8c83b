# One reader, several coils: an analogue multiplexer connects one of them at a time. Only the coil that is wanted has a
# field, so a card over another one can neither answer nor be silenced.

from iso15693 import BUDGET, Inventory
from pn5180 import ReaderError

AGAIN_US = 2_000_000  # a chip that fails right after its reset is reset again after this; the first time at once
UNREAD_US = 2_000_000  # so long somebody may answer at a coil whom nobody can read, until that is told
FOREIGN_US = 2_000_000  # so long another reader's field is told after it was last met


class Antennas:
    """The coils of one PN5180. ``lines``: functions that set the multiplexer's address lines, lowest bit first.

    ``scan`` says who answers; ``whole`` and ``trouble`` then say whether who did not answer is gone, and what is wrong.
    """

    def __init__(self, reader, coils, lines, pause=None, quiet=False, budget=BUDGET):
        if len(coils) > 1 << len(lines):
            raise ValueError("%d coils do not fit %d address lines" % (len(coils), len(lines)))
        self.reader = reader
        self.places = {name: place for place, name in enumerate(coils)}
        self.lines = lines
        self.inventory = Inventory(reader, pause, budget)
        self.quiet = quiet
        self.version = None  # None: the chip must be started first
        self.again_at = 0  # not before this
        self.healthy = True  # it has read since its last failure
        self.trouble = ""
        self.whole = True
        self.before = {}  # zone: who answered last
        self.unread_since = {}  # zone: since when somebody there cannot be read
        self.foreign_at = {}  # zone: when another reader's field was last met
        self.failure = ""
        self.failures = 0
        self.scans = 0
        self.longest_us = 0

    def scan(self, zone):
        """UIDs that answer at ``zone``'s coil; None where the reader fails."""
        clock = self.reader.clock
        now = clock.us()
        if self.version is None and now < self.again_at:
            return self.fail(self.failure)
        began = clock.ticks()
        try:
            if self.version is None:
                self.version = self.reader.start()
            place = self.places[zone]
            for bit, line in enumerate(self.lines):
                line(place >> bit & 1)
            found = self.inventory.scan(self.quiet, self.before.get(zone, ()), began)
        except ReaderError as error:
            self.reader.halt()
            self.failures += 1
            self.version = None
            self.again_at = now + max(error.rest_us, 0 if self.healthy else AGAIN_US)
            self.healthy = False
            self.failure = str(error)
            return self.fail(self.failure)
        self.healthy = True
        self.scans += 1
        self.longest_us = max(self.longest_us, clock.elapsed(began))
        self.whole = self.inventory.tally.whole()
        if self.whole:
            self.before[zone] = found
        self.trouble = self.remark(zone, now)
        return found

    def fail(self, what):
        self.whole = False
        self.trouble = what
        self.before.clear()
        return None

    def remark(self, zone, now):
        """What is wrong at ``zone`` though its coil can be read."""
        if self.reader.foreign:
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
