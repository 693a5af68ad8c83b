# Driver of the NXP PN5180 (data sheet PN5180A0xx/C1/C2, section 11.4): host interface over SPI mode 0, registers,
# EEPROM, RF. No pins: ``spi`` has write(data) and readinto(buffer, fill); ``cs``, ``busy``, ``reset`` are called with a
# level or for one; ``clock`` has us() (never wraps) and wait_us(count).

SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR = 0x00, 0x01, 0x02, 0x03
CRC_RX_CONFIG, RX_STATUS, TX_CONFIG, CRC_TX_CONFIG, RF_STATUS = 0x12, 0x13, 0x18, 0x19, 0x1D

RX_IRQ, TX_IRQ, IDLE_IRQ = 1 << 0, 1 << 1, 1 << 2
TX_RFOFF_IRQ, TX_RFON_IRQ, RX_SOF_IRQ, GENERAL_ERROR_IRQ = 1 << 8, 1 << 9, 1 << 14, 1 << 17
EVERY_IRQ = 0x000FFFFF

RX_BYTES = 0x1FF
RX_INTEGRITY, RX_PROTOCOL, RX_COLLISION = 1 << 16, 1 << 17, 1 << 18

IDLE_MASK = 0xFFFFFFF8  # SYSTEM_CONFIG: command idle
TRANSCEIVE = 0x00000003
EOF_MASK = 0xFFFFFB3F  # TX_CONFIG: no data, no start symbol; what is left of a frame is its end
SET, OR, AND = 1, 2, 3  # operations of write_many

ISO15693_ASK100 = (0x0D, 0x8D)  # 26 kbit/s both ways, 100 % modulation

EEPROM_PRODUCT, EEPROM_FIRMWARE = 0x10, 0x12

BUSY_LONGEST = 20_000  # microseconds: no command keeps BUSY high for so long
RESET_LOW = 100
RESET_BOOT = 5_000


class ReaderError(OSError):
    """The chip does not do what the data sheet says; the text is for a person."""


def word(value):
    return bytes((value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24 & 255))


class PN5180:
    """One chip. Every command is one SPI transfer, its answer a second one, each between two looks at BUSY."""

    def __init__(self, spi, cs, busy, reset, clock):
        self.spi = spi
        self.cs = cs
        self.busy = busy
        self.reset_pin = reset
        self.clock = clock
        self.cs(1)

    # transfers

    def wait_busy(self, level):
        limit = self.clock.us() + BUSY_LONGEST
        while self.busy() != level:
            if self.clock.us() > limit:
                self.cs(1)
                raise ReaderError("the PN5180 keeps BUSY %s" % ("high" if level == 0 else "low"))
            self.clock.wait_us(5)

    def command(self, data, answer=0):
        """Send one command; the ``answer`` bytes that follow it, or nothing."""
        self.wait_busy(0)
        self.cs(0)
        self.spi.write(data)
        self.wait_busy(1)
        self.cs(1)
        self.wait_busy(0)
        if not answer:
            return None
        buffer = bytearray(answer)
        self.cs(0)
        self.spi.readinto(buffer, 0xFF)
        self.wait_busy(1)
        self.cs(1)
        self.wait_busy(0)
        return buffer

    def write(self, register, value):
        self.command(bytes((0x00, register)) + word(value))

    def write_or(self, register, mask):
        self.command(bytes((0x01, register)) + word(mask))

    def write_and(self, register, mask):
        self.command(bytes((0x02, register)) + word(mask))

    def write_many(self, changes):
        """``changes``: (register, SET, OR or AND, value) each, done in this order in one command."""
        data = bytearray((0x03,))
        for register, operation, value in changes:
            data.append(register)
            data.append(operation)
            data.extend(word(value))
        self.command(data)

    def read(self, register):
        raw = self.command(bytes((0x04, register)), 4)
        return raw[0] | raw[1] << 8 | raw[2] << 16 | raw[3] << 24

    def read_eeprom(self, address, count):
        return bytes(self.command(bytes((0x07, address, count)), count))

    def write_eeprom(self, address, values):
        self.command(bytes((0x06, address)) + bytes(values))

    def send(self, data, bits=0):
        """Send ``data`` over the field; of its last byte ``bits`` bits (0: all). Nothing: a bare symbol, as configured."""
        self.command(bytes((0x09, bits)) + bytes(data))

    def received(self, count):
        return bytes(self.command(b"\x0a\x00", count))

    def load_rf(self, tx, rx):
        self.command(bytes((0x11, tx, rx)))

    def rf_on(self):
        self.write(IRQ_CLEAR, EVERY_IRQ)
        self.command(b"\x16\x00")
        self.wait_irq(TX_RFON_IRQ, 10_000, "switch its field on")

    def rf_off(self):
        self.write(IRQ_CLEAR, EVERY_IRQ)
        self.command(b"\x17\x00")
        self.wait_irq(TX_RFOFF_IRQ, 10_000, "switch its field off")

    def wait_irq(self, bit, patience, what):
        limit = self.clock.us() + patience
        while not self.read(IRQ_STATUS) & bit:
            if self.clock.us() > limit:
                raise ReaderError("the PN5180 does not " + what)

    # the chip as a whole

    def start(self):
        """Reset the chip and make it an ISO 15693 reader. Its versions: (product, firmware), each (major, minor)."""
        self.reset_pin(0)
        self.clock.wait_us(RESET_LOW)
        self.reset_pin(1)
        self.clock.wait_us(RESET_BOOT)
        self.wait_irq(IDLE_IRQ, 50_000, "come out of reset")
        product = self.read_eeprom(EEPROM_PRODUCT, 2)
        firmware = self.read_eeprom(EEPROM_FIRMWARE, 2)
        if product in (b"\x00\x00", b"\xff\xff"):
            raise ReaderError("the PN5180 does not answer on SPI")
        self.load_rf(*ISO15693_ASK100)
        return (product[1], product[0]), (firmware[1], firmware[0])
