# One I²C bus that is set free when it hangs: a chip that lost count in the middle of a byte holds the data line down until
# it has been clocked to its end (NXP UM10204, 3.1.16: nine clocks, then a stop). ``hardware``: bus(kind, number, hertz, pins)
# makes one, free_bus(number, hertz, pins) clocks it and gives it anew with the line that is still held.

FAILS = 3  # transfers that fail one after the other before the lines are looked at
REST_US = 1_000_000  # a line that is held by a short or a dead chip is clocked again after this


class I2CBus:
    """What MicroPython's I2C is for the chips on it. ``trouble``: which line is held down; "" where none is."""

    def __init__(self, hardware, name, described, pins):
        self.hardware = hardware
        self.name = name
        self.number = described["number"]
        self.hertz = described["hertz"]
        self.pins = pins
        self.inner = hardware.bus("i2c", self.number, self.hertz, pins)
        self.fails = 0
        self.freed = 0  # how often it was clocked
        self.freed_at = None
        self.trouble = ""

    def readfrom_mem(self, address, register, count):
        try:
            data = self.inner.readfrom_mem(address, register, count)
        except OSError:
            self.failed()
            raise
        self.worked()
        return data

    def writeto_mem(self, address, register, data):
        try:
            self.inner.writeto_mem(address, register, data)
        except OSError:
            self.failed()
            raise
        self.worked()

    def worked(self):
        self.fails = 0
        self.trouble = ""

    def failed(self):
        self.fails += 1
        now = self.hardware.us()
        if self.fails < FAILS or (self.freed_at is not None and now - self.freed_at < REST_US):
            return
        self.fails = 0
        self.freed_at = now
        self.freed += 1
        self.inner, held = self.hardware.free_bus(self.number, self.hertz, self.pins)
        self.trouble = "the %s line is held down" % held if held else ""


def said_by(error):
    """Driver's description of its chip's fault; a bus's own error has only a number."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else "does not answer"
