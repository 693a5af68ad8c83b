# Inputs beside the controller's own pins: the MCP23017 expander (beams, buttons, reed and hall contacts) and the ADS1015
# converter (knock sensors). ``bus`` is what MicroPython's I2C is. What chatters is settled later, in sensors.py. A chip that
# started anew by itself still answers, and says nothing true: so each is asked now and then for what it was set to.

CHECK_EVERY = 32  # so many readings lie between two looks at a chip's settings

OUTPUTS_ONLY = 1 << 7 | 1 << 15  # GPA7 and GPB7 of an MCP23017 (Microchip DS20001952, revision D): never inputs


class MCP23017:
    """Sixteen pins, of which fourteen can be inputs, with pull-ups (Microchip, BANK = 0, INTA and INTB joined).

    ``used``: the bits that are inputs. Closed to ground reads as 1. The two pins that are outputs only are driven low.
    """

    IODIR, GPINTEN, INTCON, IOCON, GPPU, GPIO = 0x00, 0x04, 0x08, 0x0A, 0x0C, 0x12

    def __init__(self, bus, address, used=0xFFFF & ~OUTPUTS_ONLY):
        if used & OUTPUTS_ONLY:
            raise ValueError("GPA7 and GPB7 of an MCP23017 are outputs only")
        self.bus = bus
        self.address = address
        self.used = used
        low_high = bytes((used & 255, used >> 8))
        self.settings = (
            (self.IOCON, b"\x40\x40"),  # MIRROR: either INT pin tells of all
            (self.IODIR, bytes((0x7F, 0x7F))),
            (self.GPPU, bytes((0x7F, 0x7F))),  # third, see read: an input that nothing hangs on must not float
            (self.INTCON, b"\x00\x00"),  # any change
            (self.GPINTEN, low_high),
        )
        self.started = False
        self.last = None
        self.until_check = CHECK_EVERY

    def start(self):
        for register, value in self.settings:
            self.bus.writeto_mem(self.address, register, value)
        self.check(self.settings)
        self.started = True

    def check(self, settings):
        """Raise OSError unless the chip is set as it was."""
        for register, value in settings:
            if bytes(self.bus.readfrom_mem(self.address, register, 2)) != value:
                raise OSError("has forgotten its settings")

    def read(self):
        """The bits of ``used``, 1: closed. Clears the interrupt. Raises OSError where the chip does not answer or has forgotten."""
        if not self.started:
            self.start()
        try:
            raw = self.bus.readfrom_mem(self.address, self.GPIO, 2)
            now = ~(raw[0] | raw[1] << 8) & self.used
            self.until_check -= 1
            if self.until_check <= 0:
                self.until_check = CHECK_EVERY
                self.check(self.settings)
            elif now != self.last:
                self.check(self.settings[2:3])  # a press that nobody made: inputs whose pull-ups are gone read anything
        except OSError:
            self.started = False
            raise
        self.last = now
        return now


class ADS1015:
    """Four voltages against ground (Texas Instruments), one conversion at a time, ±2.048 V, 3300 a second."""

    CONVERSION, CONFIG = 0x00, 0x01
    DONE = 0x80  # OS: it converts nothing now

    def __init__(self, bus, address=0x48):
        self.bus = bus
        self.address = address
        self.channel = None  # the one under way
        self.until_check = CHECK_EVERY

    def begin(self, channel):
        if self.channel is None:
            self.until_check = 1  # the first after a start or a failure
        # OS, input, gain 2 (±2.048 V), single shot; 3300 a second, no comparator
        self.bus.writeto_mem(self.address, self.CONFIG, bytes((0x85 | (4 + channel) << 4, 0xC3)))
        self.channel = channel

    def fetch(self):
        """(channel, millivolts) of the conversion that was begun at least half a millisecond ago. Raises OSError."""
        self.until_check -= 1
        if self.until_check <= 0:
            self.until_check = CHECK_EVERY
            config = self.bus.readfrom_mem(self.address, self.CONFIG, 2)
            if config[0] | self.DONE != 0x85 | (4 + self.channel) << 4 or config[1] != 0xC3:
                raise OSError("has forgotten its settings")
            if not config[0] & self.DONE:
                raise OSError("does not convert")
        raw = self.bus.readfrom_mem(self.address, self.CONVERSION, 2)
        value = raw[0] << 8 | raw[1]
        if value & 0x8000:
            value -= 0x10000
        return self.channel, value >> 4  # a step is a millivolt


class Knocks:
    """Peaks of the four knock sensors, one after the other.

    A circuit holds each peak and lets it sink (docs/firmware.md): at one look in 16 ms at least half of it must be left,
    and it must halve within 30 ms, or sensors.Knock takes the rest of it for a second knock.
    """

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
