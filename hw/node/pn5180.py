# Driver of the NXP PN5180 (product data sheet PN5180A0xx): host interface over SPI mode 0, registers, EEPROM, RF. Its
# numbers and where they stand: tests/firmware/pn5180_facts.json, which a test compares with this file. No pins: ``spi``
# has write(data) and readinto(buffer, fill); ``cs``, ``busy``, ``reset`` are called with a level or for one; ``clock`` has
# ticks() (microseconds that wrap and stay small integers), elapsed(since) and wait_us(count).

SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR = 0x00, 0x01, 0x02, 0x03
CRC_RX_CONFIG, RX_STATUS, TX_CONFIG, CRC_TX_CONFIG, RF_STATUS = 0x12, 0x13, 0x18, 0x19, 0x1D

RX_IRQ, TX_IRQ, IDLE_IRQ = 1 << 0, 1 << 1, 1 << 2
TX_RFOFF_IRQ, TX_RFON_IRQ, RX_SOF_IRQ = 1 << 8, 1 << 9, 1 << 14
RF_ACTIVE_ERROR_IRQ, TEMPSENS_IRQ, GENERAL_ERROR_IRQ = 1 << 10, 1 << 16, 1 << 17
ERRORS = RF_ACTIVE_ERROR_IRQ | TEMPSENS_IRQ | GENERAL_ERROR_IRQ
IRQ_BITS = 20  # above them the register has only zeros
EVERY_IRQ = 0x000FFFFF

RX_BYTES = 0x1FF
RX_INTEGRITY, RX_PROTOCOL, RX_COLLISION = 1 << 16, 1 << 17, 1 << 18

RF_DET_STATUS, TX_RF_STATUS = 1 << 16, 1 << 17  # another's field, our own
STATE_SHIFT, STATE_MASK, WAIT_TRANSMIT = 24, 7, 1

IDLE_MASK = 0xFFFFFFF8  # SYSTEM_CONFIG: command idle
TRANSCEIVE = 0x00000003
EOF_MASK = 0xFFFFFB3F  # TX_CONFIG: no data, no start symbol; what is left of a frame is its end
TX_DATA_ENABLE = 1 << 10
CRC_ENABLE = 1
SET, OR, AND = 1, 2, 3  # operations of write_many

WRITE, WRITE_OR, WRITE_AND, WRITE_MANY, READ, READ_MANY = 0x00, 0x01, 0x02, 0x03, 0x04, 0x05
WRITE_EEPROM, READ_EEPROM, SEND_DATA, READ_DATA = 0x06, 0x07, 0x09, 0x0A
LOAD_RF_CONFIG, RF_ON, RF_OFF = 0x11, 0x16, 0x17
NO_AVOIDANCE = 0x01  # of RF_ON: a phone near a coil must not keep the field off (ISO/IEC 18092)

ISO15693_ASK100 = (0x0D, 0x8D)  # 26 kbit/s both ways, 100 % modulation

EEPROM_PRODUCT, EEPROM_FIRMWARE = 0x10, 0x12

TICKS = 0x3FFFFFFF  # the clock's ticks wrap here: a difference is taken modulo this
BUSY_LONGEST = 20_000  # microseconds: no command keeps BUSY high for so long
BUSY_LOOKS = 12  # so often BUSY is looked at before time is: a command takes some 30 µs, a look at the clock as much
RESET_LOW = 100
RESET_BOOT = 5_000
READY_LONGEST = 2_000  # from idle to WaitTransmit; others met it late, and polled for up to ten milliseconds
SEND_TRIES = 2
FIELD_LONGEST = 10_000


class ReaderError(OSError):
    """The chip does not do what the data sheet says; the text (60 characters at most) is for a person."""

    rest_us = 0  # so long the chip should be left alone


class TooHot(ReaderError):
    """Its temperature sensor has switched the field off."""

    rest_us = 10_000_000


def word(value):
    return bytes((value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24 & 255))


def many(changes):
    """The command for ``changes``: (register, SET, OR or AND, value) each, done in this order."""
    data = bytearray((WRITE_MANY,))
    for register, operation, value in changes:
        data.append(register)
        data.append(operation)
        data.extend(word(value))
    return bytes(data)


# Before each frame: idle ends what was before, then the cycle begins anew. Errors are left standing, so that none is lost.
FRAME_IRQS = EVERY_IRQ & ~ERRORS
PREPARE_CHANGES = (
    (SYSTEM_CONFIG, AND, IDLE_MASK),
    (IRQ_CLEAR, SET, FRAME_IRQS),
    (SYSTEM_CONFIG, OR, TRANSCEIVE),
)
PREPARE = many(PREPARE_CHANGES)
PREPARE_EOF = many(((TX_CONFIG, AND, EOF_MASK),) + PREPARE_CHANGES)
BARE_FRAME = bytes((SEND_DATA, 0))
ASK_IRQ = bytes((READ, IRQ_STATUS))
ASK_STATE = bytes((READ, RF_STATUS))
# What start() sets and a chip that has started anew by itself has not: nothing hangs on the IRQ pin, so which requests
# are enabled serves as a mark.
MARK = TEMPSENS_IRQ | GENERAL_ERROR_IRQ
SETTINGS = bytes((READ_MANY, TX_CONFIG, CRC_TX_CONFIG, CRC_RX_CONFIG, IRQ_ENABLE))


class PN5180:
    """One chip. Every command is one SPI transfer, its answer a second one, each between two looks at BUSY."""

    def __init__(self, spi, cs, busy, reset, clock):
        self.spi = spi
        self.cs = cs
        self.busy = busy
        self.reset_pin = reset
        self.clock = clock
        self.question = bytearray((READ, 0))
        self.answer = bytearray(4)
        self.settings = bytearray(16)
        self.wanted = b""  # the settings as start() left them
        self.tx_config = 0
        self.foreign = False  # another reader's field was there when ours was last switched on
        self.cs(1)

    # transfers

    def wait_busy(self, level):
        busy = self.busy
        for _ in range(BUSY_LOOKS):
            if busy() == level:
                return
        clock = self.clock
        began = clock.ticks()
        while busy() != level:
            if (clock.ticks() - began) & TICKS > BUSY_LONGEST:
                self.cs(1)
                raise ReaderError("the PN5180 keeps BUSY %s" % ("high" if level == 0 else "low"))
            clock.wait_us(5)

    def command(self, data, answer=None):
        """Send one command and fill ``answer`` (a bytearray) with the bytes that follow it, if there is one."""
        # written out, and not in a function of its own: on a Pico every call costs as much as the transfer
        busy, cs = self.busy, self.cs
        if busy():
            self.wait_busy(0)
        cs(0)
        self.spi.write(data)
        if not busy():
            self.wait_busy(1)
        cs(1)
        if busy():
            self.wait_busy(0)
        if answer is not None:
            cs(0)
            self.spi.readinto(answer, 0xFF)
            if not busy():
                self.wait_busy(1)
            cs(1)
            if busy():
                self.wait_busy(0)
        return answer

    def write(self, register, value):
        self.command(bytes((WRITE, register)) + word(value))

    def write_or(self, register, mask):
        self.command(bytes((WRITE_OR, register)) + word(mask))

    def write_and(self, register, mask):
        self.command(bytes((WRITE_AND, register)) + word(mask))

    def write_many(self, changes):
        self.command(many(changes))

    def read(self, register):
        self.question[1] = register
        raw = self.command(self.question, self.answer)
        return raw[0] | raw[1] << 8 | raw[2] << 16 | raw[3] << 24

    def read_eeprom(self, address, count):
        return bytes(self.command(bytes((READ_EEPROM, address, count)), bytearray(count)))

    def write_eeprom(self, address, values):
        self.command(bytes((WRITE_EEPROM, address)) + bytes(values))

    def received(self, count):
        return bytes(self.command(bytes((READ_DATA, 0)), bytearray(count)))

    # what has happened

    def requests(self):
        """The low sixteen bits of IRQ_STATUS. Raises ReaderError where it tells of an error, or is no such value."""
        raw = self.command(ASK_IRQ, self.answer)
        low = raw[0] | raw[1] << 8
        if raw[3] or raw[2] or low & ERRORS:
            self.complain(low | raw[2] << 16 | raw[3] << 24)
        return low

    def complain(self, status):
        if status >> IRQ_BITS:
            raise ReaderError("the PN5180 answers nonsense on SPI")
        if status & TEMPSENS_IRQ:
            raise TooHot("the PN5180 is too hot: its field is off")
        if status & RF_ACTIVE_ERROR_IRQ:
            raise ReaderError("another reader keeps the PN5180's field off")
        if status & GENERAL_ERROR_IRQ:
            raise ReaderError("the PN5180 refused a command (general error)")

    def wait_irq(self, bit, patience, what):
        """Wait for a request. Raises ReaderError, by ``what`` the chip does not do, after ``patience`` microseconds."""
        began = self.clock.ticks()
        while not self.requests() & bit:
            if self.clock.elapsed(began) > patience:
                raise ReaderError("the PN5180 does not " + what)

    def check(self, field):
        """Raise ReaderError unless all settings are as start() left them and the own field is on (or off)."""
        self.requests()
        found = self.command(SETTINGS, self.settings)
        if found != self.wanted:
            lost = [at for at in range(4) if found[4 * at : 4 * at + 4] != self.wanted[4 * at : 4 * at + 4]]
            raise ReaderError("the PN5180 has forgotten register %02Xh (a reset?)" % SETTINGS[1 + lost[0]])
        if bool(self.read(RF_STATUS) & TX_RF_STATUS) != field:
            raise ReaderError("the PN5180's field is %s unasked" % ("off" if field else "on"))

    # the field, and frames

    def load_rf(self, tx, rx):
        self.command(bytes((LOAD_RF_CONFIG, tx, rx)))

    def rf_on(self):
        """Switch the field on, without collision avoidance: whoever else has a field there only makes ``foreign`` true."""
        self.check(False)
        self.foreign = bool(self.read(RF_STATUS) & RF_DET_STATUS)
        self.write(IRQ_CLEAR, EVERY_IRQ)
        self.command(bytes((RF_ON, NO_AVOIDANCE)))
        self.wait_irq(TX_RFON_IRQ, FIELD_LONGEST, "switch its field on")

    def rf_off(self):
        self.write(IRQ_CLEAR, FRAME_IRQS)
        self.command(bytes((RF_OFF, 0)))
        self.wait_irq(TX_RFOFF_IRQ, FIELD_LONGEST, "switch its field off")

    def state(self):
        """Transceiver's state in its cycle: bits 24 to 26 of RF_STATUS."""
        return self.command(ASK_STATE, self.answer)[STATE_SHIFT // 8] & STATE_MASK

    def send(self, data, bare=False):
        """Send ``data`` over the field; ``bare``: nothing but the end of a frame, until ``restore``.

        The chip takes data only in the state WaitTransmit, so that is waited for. Raises ReaderError where it never comes.
        """
        for _ in range(SEND_TRIES):
            self.command(PREPARE_EOF if bare else PREPARE)
            began = self.clock.ticks()
            while True:
                state = self.state()
                if state == WAIT_TRANSMIT:
                    self.command(BARE_FRAME if bare else BARE_FRAME + data)
                    return
                if (self.clock.ticks() - began) & TICKS > READY_LONGEST:
                    break
        raise ReaderError("the PN5180 refuses to send (transceiver state %d)" % state)

    def restore(self):
        """Frames have data again."""
        self.write(TX_CONFIG, self.tx_config)

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
        self.write_or(CRC_TX_CONFIG, CRC_ENABLE)
        self.write_or(CRC_RX_CONFIG, CRC_ENABLE)
        self.write(IRQ_ENABLE, MARK)
        self.requests()
        self.tx_config = self.read(TX_CONFIG)
        if not self.tx_config & TX_DATA_ENABLE:
            raise ReaderError("the PN5180 does not load ISO 15693")
        self.wanted = bytes(self.command(SETTINGS, self.settings))
        return (product[1], product[0]), (firmware[1], firmware[0])

    def halt(self):
        """Hold the chip in reset, and with it its field off, until start()."""
        self.reset_pin(0)
