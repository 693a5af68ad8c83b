# Driver of the HX711 load cell converter (Avia data sheet): 24 bits, two's complement, most significant first, on DOUT
# at the falling edges of PD_SCK; one to three further pulses choose channel and gain of the next conversion.

PULSES = {128: 1, 32: 2, 64: 3}  # gain: pulses after the 24 (32 is channel B)
LOWEST, HIGHEST = -0x800000, 0x7FFFFF  # what saturation reads as: no weight


class HX711:
    """One converter. ``dout()`` reads, ``sck(level)`` sets; ``guard(True)`` and ``guard(False)`` stand around the pulses:
    PD_SCK must not stay high for 60 µs, or the converter switches itself off, so nothing may interrupt there."""

    def __init__(self, dout, sck, guard=None, gain=128):
        self.dout = dout
        self.sck = sck
        self.guard = guard
        self.pulses = PULSES[gain]
        self.fresh = False  # the first conversion after start may still have another gain
        self.sck(0)

    def ready(self):
        return self.dout() == 0

    def read(self):
        """The next conversion as a signed number, or None where none is ready or the input was out of range."""
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
        finally:
            if self.guard is not None:
                self.guard(False)
        if value & 0x800000:
            value -= 0x1000000
        if not self.fresh:
            self.fresh = True
            return None
        return None if value in (LOWEST, HIGHEST) else value


class Cell:
    """A load cell: conversions in, milligrams out. Whole numbers only: a Pico's floats have 24 bits.

    ``zero``: the conversion with the empty plate; ``counts_per_kg``: by how much a kilogram raises it (negative where the
    cell is mounted upside down).
    """

    def __init__(self, converter, zero=0, counts_per_kg=400_000):
        if not counts_per_kg:
            raise ValueError("counts_per_kg is zero")
        self.converter = converter
        self.zero = zero
        self.counts_per_kg = counts_per_kg
        self.sum = 0
        self.count = 0

    def poll(self):
        """Take a conversion if there is one; call it more often than the converter's rate (10 or 80 a second)."""
        value = self.converter.read()
        if value is not None:
            self.sum += value
            self.count += 1

    def weigh(self):
        """Milligrams, the mean of what was converted since the last call; None where nothing was."""
        if not self.count:
            return None
        # sum and scale first, divide once: nothing is lost to rounding
        milligrams = (self.sum - self.zero * self.count) * 1_000_000 // (self.counts_per_kg * self.count)
        self.sum = self.count = 0
        return milligrams

    def tare(self):
        """What lies there now is nothing: sets ``zero`` to the mean since the last call; False where there is none."""
        if not self.count:
            return False
        self.zero = self.sum // self.count
        self.sum = self.count = 0
        return True

    def calibrate(self, milligrams):
        """A known weight lies there: sets ``counts_per_kg`` from the mean since the last call; False: nothing to go by."""
        if not self.count or not milligrams:
            return False
        counts = (self.sum - self.zero * self.count) * 1_000_000 // (milligrams * self.count)
        self.sum = self.count = 0
        if not counts:
            return False
        self.counts_per_kg = counts
        return True
