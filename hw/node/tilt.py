# Shields stand up or lie over: two accelerometers on I²C, and the pose with its hysteresis. ``bus`` is what MicroPython's
# I2C is: readfrom_mem(address, register, count) and writeto_mem(address, register, data), OSError where nobody answers.


class LIS3DH:
    """ST LIS3DH: 100 conversions a second, ±2 g, 12 bits."""

    WHO, IS = 0x0F, 0x33

    def __init__(self, bus, address=0x18):
        self.bus = bus
        self.address = address
        self.started = False

    def start(self):
        if self.bus.readfrom_mem(self.address, self.WHO, 1)[0] != self.IS:
            raise OSError("no LIS3DH at %02X" % self.address)
        self.bus.writeto_mem(self.address, 0x20, b"\x57")  # CTRL_REG1: 100 Hz, all axes
        self.bus.writeto_mem(self.address, 0x23, b"\x88")  # CTRL_REG4: block update, ±2 g, high resolution
        self.started = True

    def read(self):
        """(x, y, z) in thousandths of g. Raises OSError where the chip does not answer."""
        if not self.started:
            self.start()
        try:
            raw = self.bus.readfrom_mem(self.address, 0x28 | 0x80, 6)
        except OSError:
            self.started = False  # it may have lost its supply, and with it its settings
            raise
        return tuple(signed(raw[at] | raw[at + 1] << 8) >> 4 for at in (0, 2, 4))


class ADXL345:
    """Analog Devices ADXL345: 100 conversions a second, ±2 g, 10 bits of 3.9 mg."""

    WHO, IS = 0x00, 0xE5

    def __init__(self, bus, address=0x53):
        self.bus = bus
        self.address = address
        self.started = False

    def start(self):
        if self.bus.readfrom_mem(self.address, self.WHO, 1)[0] != self.IS:
            raise OSError("no ADXL345 at %02X" % self.address)
        self.bus.writeto_mem(self.address, 0x31, b"\x00")  # DATA_FORMAT: ±2 g, right aligned
        self.bus.writeto_mem(self.address, 0x2D, b"\x08")  # POWER_CTL: measure
        self.started = True

    def read(self):
        """(x, y, z) in thousandths of g. Raises OSError where the chip does not answer."""
        if not self.started:
            self.start()
        try:
            raw = self.bus.readfrom_mem(self.address, 0x32, 6)
        except OSError:
            self.started = False
            raise
        return tuple(signed(raw[at] | raw[at + 1] << 8) * 39 // 10 for at in (0, 2, 4))


CHIPS = {"LIS3DH": LIS3DH, "ADXL345": ADXL345}

STANDS = 850  # thousandths of the cosine between gravity and its direction when upright: within 32 degrees
LIES = 500  # beyond 60 degrees
SAME = 100  # so often never the same to the last bit: the chip's own noise is more than one step
HELD_MS = 120  # so long a new pose must last: a shield that is knocked comes back sooner
STILL = (700, 1300)  # thousandths of g: outside them it is being moved, and its direction says little


def signed(word):
    return word - 0x10000 if word & 0x8000 else word


class Tilt:
    """The pose of one shield: 1 upright, 0 over. ``up``: what the accelerometer reads when it stands, from calibration."""

    def __init__(self, chip, up=(0, 0, 1000), pose=1):
        self.chip = chip
        self.up = tuple(up)
        self.pose = pose
        self.other_since = None
        self.last = None
        self.same = 0

    def look(self, now_ms):
        """The pose now. Raises OSError where the chip does not answer or measures nothing; the pose stays what it was."""
        now = self.chip.read()
        self.same = self.same + 1 if now == self.last else 0
        self.last = now
        if now == (0, 0, 0):
            self.chip.started = False  # it sleeps: it started anew and has forgotten its settings
            raise OSError("measures nothing")
        if self.same >= SAME:
            self.chip.started = False
            raise OSError("gives the same again and again")
        strength = length(now)
        if not STILL[0] <= strength <= STILL[1]:
            return self.pose
        along = sum(a * b for a, b in zip(now, self.up)) * 1000 // (strength * length(self.up) or 1)
        seems = self.pose
        if along >= STANDS:
            seems = 1
        elif along <= LIES:
            seems = 0
        if seems == self.pose:
            self.other_since = None
        elif self.other_since is None:
            self.other_since = now_ms
        elif now_ms - self.other_since >= HELD_MS:
            self.pose = seems
            self.other_since = None
        return self.pose


def length(vector):
    """The length of ``vector``, a whole number (Newton's method: no floats)."""
    square = sum(part * part for part in vector)
    if square == 0:
        return 0
    root = 1 << (len(bin(square)) - 1) // 2
    while True:
        better = (root + square // root) // 2
        if better >= root:
            return root
        root = better
