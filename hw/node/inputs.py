# Inputs beside the controller's own pins: the MCP23017 expander (beams, buttons, reed and hall contacts) and the ADS1015
# converter (knock sensors). ``bus`` is what MicroPython's I2C is. What chatters is settled later, in sensors.py.


class MCP23017:
    """Sixteen inputs with pull-ups (Microchip, BANK = 0, INTA and INTB joined). Closed to ground reads as 1."""

    IODIR, GPINTEN, INTCON, IOCON, GPPU, GPIO = 0x00, 0x04, 0x08, 0x0A, 0x0C, 0x12

    def __init__(self, bus, address):
        self.bus = bus
        self.address = address
        self.started = False

    def start(self):
        for register, value in (
            (self.IOCON, b"\x40\x40"),  # MIRROR: either INT pin tells of all sixteen
            (self.IODIR, b"\xff\xff"),
            (self.GPPU, b"\xff\xff"),
            (self.INTCON, b"\x00\x00"),  # any change
            (self.GPINTEN, b"\xff\xff"),
        ):
            self.bus.writeto_mem(self.address, register, value)
        self.started = True

    def read(self):
        """Sixteen bits, 1: closed. Clears the interrupt. Raises OSError where the chip does not answer."""
        if not self.started:
            self.start()
        try:
            raw = self.bus.readfrom_mem(self.address, self.GPIO, 2)
        except OSError:
            self.started = False
            raise
        return (raw[0] | raw[1] << 8) ^ 0xFFFF


class ADS1015:
    """Four voltages against ground (Texas Instruments), one conversion at a time, ±2.048 V, 3300 a second."""

    CONVERSION, CONFIG = 0x00, 0x01

    def __init__(self, bus, address=0x48):
        self.bus = bus
        self.address = address
        self.channel = None  # the one under way

    def begin(self, channel):
        # OS, input, gain 2 (±2.048 V), single shot; 3300 a second, no comparator
        self.bus.writeto_mem(self.address, self.CONFIG, bytes((0x85 | (4 + channel) << 4, 0xC3)))
        self.channel = channel

    def fetch(self):
        """(channel, millivolts) of the conversion that was begun at least half a millisecond ago."""
        raw = self.bus.readfrom_mem(self.address, self.CONVERSION, 2)
        value = raw[0] << 8 | raw[1]
        if value & 0x8000:
            value -= 0x10000
        return self.channel, value >> 4  # a step is a millivolt


class Knocks:
    """Peaks of the four knock sensors, one after the other. A circuit holds each peak for some 20 ms (docs/firmware.md)."""

    def __init__(self, converter, seats, milli_g_per_volt=1000):
        self.converter = converter
        self.seats = seats
        self.milli_g_per_volt = milli_g_per_volt

    def poll(self):
        """(seat, peak in milli-g) of the sensor whose turn it was, or None the first time. Raises OSError."""
        told = None
        if self.converter.channel is not None:
            channel, millivolts = self.converter.fetch()
            told = self.seats[channel], max(0, millivolts) * self.milli_g_per_volt // 1000
        following = 0 if self.converter.channel is None else (self.converter.channel + 1) % len(self.seats)
        self.converter.begin(following)
        return told
