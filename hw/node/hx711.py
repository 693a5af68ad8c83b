# Driver of the HX711 load cell converter (Avia data sheet): 24 bits, two's complement, most significant first, on DOUT
# at the falling edges of PD_SCK; one to three further pulses choose channel and gain of the next conversion, and with the
# first of them DOUT goes high until that conversion is there.

PULSES = {128: 1, 32: 2, 64: 3}  # gain: pulses after the 24 (32 is channel B)
LOWEST, HIGHEST = -0x800000, 0x7FFFFF  # what saturation reads as: no weight

RATE = 80  # conversions a second with the pin RATE high; a breakout comes with it low, which gives 10
RATE_LEAST, RATE_MOST = 55, 115  # its oscillator is no crystal
WATCH_US = 2_000_000  # over so long conversions are counted
GAP_US = 10_000  # looked at less often than this, a conversion may have been missed
SILENT_US = 500_000  # without a conversion for so long their number says nothing
STUCK = 100  # so many conversions in a row are never the same to the last bit: the noise is some 40 counts
# A kilogram makes 2 147 000 counts for every mV/V of the cell and kilogram of its rated load (gain 128: 2**23 counts are
# half the supply over 128). The 500 g cells in docs/board.md have 0.7 to 1 mV/V: 3 to 4.3 million. A calibration far
# from that is a mistake: another weight than was said, another cell, another gain.
COUNTS_PER_KG_LEAST, COUNTS_PER_KG_MOST = 1_000_000, 9_000_000


class HX711:
    """One converter. ``dout()`` reads, ``sck(level)`` sets; ``guard(True)`` and ``guard(False)`` stand around the pulses:
    PD_SCK must not stay high for 60 µs, or the converter switches itself off, so nothing may interrupt there."""

    def __init__(self, dout, sck, guard=None, gain=128):
        self.dout = dout
        self.sck = sck
        self.guard = guard
        self.pulses = PULSES[gain]
        self.fresh = False  # the first conversion after start may still have another gain
        self.wrong = ""  # what the last reading showed to be wrong with the converter
        self.sck(0)

    def ready(self):
        return self.dout() == 0

    def read(self):
        """The next conversion as a signed number; None where none is ready, or ``wrong`` says why there is no weight in it."""
        if not self.ready():
            return None
        value = 0
        if self.guard is not None:
            self.guard(True)
        try:
            for _ in range(24):
                self.sck(1)
                self.sck(0)
                value = value << 1 | (1 if self.dout() else 0)
            for _ in range(self.pulses):
                self.sck(1)
                self.sck(0)
            busy = self.dout()
        finally:
            if self.guard is not None:
                self.guard(False)
        if not busy:
            self.wrong = "no converter: its data line stays low"
            return None
        if value & 0x800000:
            value -= 0x1000000
        if not self.fresh:
            self.fresh = True
            return None
        self.wrong = "the load cell is out of range (a torn wire?)" if value in (LOWEST, HIGHEST) else ""
        return None if self.wrong else value


class Cell:
    """A load cell: conversions in, milligrams out. Whole numbers only: a Pico's floats have 24 bits.

    ``clock``: ticks() and elapsed(since), microseconds. ``zero``: the conversion with the empty plate; ``counts_per_kg``: by
    how much a kilogram raises it (negative where the cell is mounted upside down). Without both it gives no weight.
    """

    def __init__(self, converter, clock, zero=None, counts_per_kg=None):
        self.converter = converter
        self.clock = clock
        self.zero = zero
        self.counts_per_kg = counts_per_kg
        self.sum = 0
        self.count = 0
        self.last = None  # the last conversion
        self.same = 0  # so often it came again
        self.looked = clock.ticks()
        self.watched = 0  # microseconds in which no conversion can have been missed
        self.seen = 0  # conversions in them
        self.rate = RATE
        self.silent = 0  # microseconds without a conversion

    def poll(self):
        """Take a conversion if there is one; call it more often than they come."""
        gap = self.clock.elapsed(self.looked)
        self.looked = self.clock.ticks()
        value = self.converter.read()
        self.silent = 0 if value is not None else min(self.silent + gap, WATCH_US)
        if self.silent >= SILENT_US:
            self.watched = self.seen = 0
            self.rate = RATE
        elif gap <= GAP_US:
            self.watched += gap
            self.seen += value is not None
            if self.watched >= WATCH_US:
                self.rate = self.seen * 1000 // (self.watched // 1000)
                self.watched = self.seen = 0
        if value is None:
            return
        self.same = self.same + 1 if value == self.last else 0
        self.last = value
        self.sum += value
        self.count += 1

    def trouble(self):
        """Describe the fault of this scale; "" if there is none."""
        if self.converter.wrong:
            return self.converter.wrong
        if self.same >= STUCK:
            return "the converter gives the same again and again"
        if self.zero is None or not self.counts_per_kg:
            return "the scale is not calibrated"
        if self.rate < RATE_LEAST:
            return "too few conversions a second (the jumper RATE?)"
        return "too many conversions a second" if self.rate > RATE_MOST else ""

    def mean(self):
        """The mean conversion since the last call, and how many they were: (sum, count); None where nothing was converted."""
        if not self.count or self.same >= STUCK or self.converter.wrong:
            self.sum = self.count = 0
            return None
        found = self.sum, self.count
        self.sum = self.count = 0
        return found

    def weigh(self):
        """Milligrams, the mean of what was converted since the last call; None where nothing was, or it is no weight."""
        found = self.mean()
        if found is None or self.zero is None or not self.counts_per_kg:
            return None
        total, count = found
        # sum and scale first, divide once: nothing is lost to rounding
        return (total - self.zero * count) * 1_000_000 // (self.counts_per_kg * count)

    def tare(self):
        """Set ``zero``, for the present load, to the mean since the last call; False if there is none."""
        found = self.mean()
        if found is None:
            return False
        self.zero = found[0] // found[1]
        return True

    def calibrate(self, milligrams):
        """A known weight lies there: sets ``counts_per_kg`` from the mean since the last call.

        False where there is nothing to go by, or what comes out is none of the cells that a table has.
        """
        found = self.mean()
        if found is None or self.zero is None or not milligrams:
            return False
        counts = (found[0] - self.zero * found[1]) * 1_000_000 // (milligrams * found[1])
        if not COUNTS_PER_KG_LEAST <= abs(counts) <= COUNTS_PER_KG_MOST:
            return False
        self.counts_per_kg = counts
        return True
