"""A simulated PN5180 with ISO 15693 tags, at the level of SPI transfers, registers and microseconds.

It stands for the chip when a driver is tried: ours (``hw/node``) under MicroPython and under CPython, and third-party
clients. Its numbers are those of tests/firmware/pn5180_facts.json (NXP's data sheet and register map), and a test
compares them with that file, not with our driver. What these sources leave open is assumed, and named here:

- two answers in one slot: reception stops, RX_STATUS says collision and integrity error, and one byte (the flags) has
  been received, while the tags go on modulating to the end of their answers. So a builder's log of eleven real chips
  has it; the position of the collision is given as well, though that log found it useless.
- ``capture``: if one tag is this much stronger than the others, it is received as if it were alone (same source).
- a tag at the edge of the field (``weak``) answers with a checksum that is wrong.
- the transceiver needs ``SETTLE_US`` from idle to WaitTransmit (public drivers met state 0 and had to poll).
- a refused command raises GENERAL_ERROR_IRQ; a hot chip raises TEMPSENS_ERROR_IRQ and switches its field off.

No dataclasses, and typing only where a checker reads it: this file runs under MicroPython too.
"""

try:
    from lab.chips.iso15693_sim import (
        BYTE_IN_US,
        BYTE_OUT_US,
        EOF_OUT_US,
        SOF_IN_US,
        SOF_OUT_US,
        T1_US,
        AntennaField,
        Tag,
    )
except ImportError:  # under MicroPython the files lie side by side
    from iso15693_sim import (  # type: ignore[import-not-found,no-redef]
        BYTE_IN_US,
        BYTE_OUT_US,
        EOF_OUT_US,
        SOF_IN_US,
        SOF_OUT_US,
        T1_US,
        AntennaField,
        Tag,
    )

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SPI_BYTE_US = 2
"""Microseconds a byte takes on the bus, and what a command keeps the chip busy."""
COMMAND_US = 30
SETTLE_US = 60
RF_UP_US = 120
BOOT_US = 2000

# registers
SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR, RX_STATUS, TX_CONFIG, RF_STATUS = 0, 1, 2, 3, 0x13, 0x18, 0x1D
CRC_RX, CRC_TX = 0x12, 0x19
IDLE, TRANSCEIVE = 0, 3
"""Values of SYSTEM_CONFIG's command field."""
# bits of IRQ_STATUS
RX, TX, IDLE_IRQ, RFON_DET, RFOFF, RFON = 1 << 0, 1 << 1, 1 << 2, 1 << 7, 1 << 8, 1 << 9
RF_ACTIVE_ERROR, SOF, TEMPSENS, GENERAL = 1 << 10, 1 << 14, 1 << 16, 1 << 17
# bits of RX_STATUS
INTEGRITY, PROTOCOL, COLLISION, COLL_POS = 1 << 16, 1 << 17, 1 << 18, 19
# bits of RF_STATUS, and the transceiver's states in its bits 24 to 26
RF_DET, TX_RF, STATE = 1 << 16, 1 << 17, 24
S_IDLE, S_WAIT_TRANSMIT, S_TRANSMITTING, S_WAIT_RECEIVE, S_RECEIVING = 0, 1, 2, 3, 5
ISO15693_TX_CONFIG = 0x0540
"""Start symbol, stop symbol, data: what LOAD_RF_CONFIG puts into TX_CONFIG (its other bits are left out)."""
WRITE, WRITE_OR, WRITE_AND, WRITE_MANY, READ, READ_MANY = 0x00, 0x01, 0x02, 0x03, 0x04, 0x05
WRITE_EEPROM, READ_EEPROM, SEND_DATA, READ_DATA = 0x06, 0x07, 0x09, 0x0A
LOAD_RF_CONFIG, RF_ON, RF_OFF = 0x11, 0x16, 0x17
NO_AVOIDANCE = 1
"""Bit of RF_ON's parameter: no collision avoidance after ISO/IEC 18092."""

TICKS = (1 << 30) - 1


class SimClock:
    """Simulated microseconds, and what a driver calls its clock."""

    def __init__(self) -> None:
        """Time starts at 0."""
        self.now = 0

    def us(self) -> int:
        """Return the time; looking at it takes a microsecond, or a loop that waits would never end."""
        self.now += 1
        return self.now

    def ticks(self) -> int:
        """Return the time modulo 2**30, as ``time.ticks_us`` of a Pico does."""
        return self.us() & TICKS

    def elapsed(self, since: int) -> int:
        """Return the microseconds since ``ticks`` gave ``since``."""
        return (self.us() - since) & TICKS

    def wait_us(self, count: int) -> None:
        """Let time pass."""
        self.now += count


class PN5180Sim:
    """The chip. Drivers see ``spi_write``, ``spi_readinto``, ``cs``, ``busy``, ``reset`` and ``irq``.

    ``field.tags``: those in the field of the antenna that is connected now. ``faults`` lists, as sentences, every
    breach of the data sheet or of ISO 15693 that a driver committed. What can be wrong with the chip itself:

    - ``broken``: ``mute`` (BUSY never rises), ``stuck`` (never falls) or None; ``sticks_after``: transfers until it is
      stuck (None: never);
    - ``miso``: change of each byte it says (a function: a loose wire), or None;
    - ``refusals``: cycles that begin in ``refusal_state`` instead of WaitTransmit (-1: all until a reset);
    - ``deaf``: data that it is given to send never leaves (no TX_IRQ);
    - ``foreign``: another reader's field is there; ``hot``: too hot to keep a field;
    - ``jam``: result of every reception: ``collision``, ``integrity``, ``endless`` (it never ends), or None;
    - ``forget()``: a silent reset; ``overheat()``: too hot from now on.
    """

    def __init__(self, clock: "SimClock", random: "Callable[[], float] | None" = None, capture: float = 0.0) -> None:
        """``random``, ``capture``: as ``AntennaField``."""
        self.clock = clock
        self.faults: list[str] = []
        self.field = AntennaField(self.faults, random, capture)
        self.broken: str | None = None
        self.sticks_after: int | None = None
        self.miso: Callable[[int], int] | None = None
        self.refusals = 0
        self.refusal_state = S_RECEIVING
        self.deaf = self.foreign = self.hot = False
        self.jam: str | None = None
        self.frames: list[bytes] | None = None  # set to a list: what goes into the field, b"" for a bare end of frame
        self.eeprom = bytearray(255)
        self.eeprom[0x10:0x16] = b"\x00\x04\x00\x04\x00\x90"
        self.selected = self.held = 1
        self.forget()

    def forget(self) -> None:
        """Start anew: by the reset pin, or by itself when its supply dips."""
        self.registers: dict[int, int] = {SYSTEM_CONFIG: 0, IRQ_ENABLE: 0, TX_CONFIG: 0, CRC_RX: 0, CRC_TX: 0}
        self.status = IDLE_IRQ
        self.protocol: tuple[int, int] | None = None
        self.busy_until = self.clock.now + BOOT_US
        self.reply: bytes | None = None
        self.transferred = False
        self.takes = COMMAND_US
        self.received = b""
        self.rx_status = 0
        self.sending_until = 0
        self.state = S_IDLE
        self.coming: list[tuple[int, int, int]] = []  # (moment, IRQ bits, state then) still to come
        self.arriving: tuple[bytes, int] | None = None  # (data, RX_STATUS) of what is being received
        self.field.off()

    def overheat(self) -> None:
        """Get too hot: the field goes off, and stays so until ``hot`` is cleared."""
        self.hot = True
        self._drop_field()
        self.status |= TEMPSENS

    # pins

    def reset(self, level: "int | None" = None) -> int:
        """Set or read the RST pin: low holds the chip in reset, without a field; it starts anew when it rises."""
        if level is not None:
            if level != self.held:
                self.refusals = 0
                self.forget()
            self.held = level
        return self.held

    def cs(self, level: "int | None" = None) -> int:
        """Set or read the NSS pin."""
        if level is not None:
            if level and not self.selected and self.transferred:
                self.transferred = False
                self.busy_until = self.clock.now + self.takes
                self.takes = COMMAND_US
            self.selected = level
        return self.selected

    def busy(self) -> int:
        """Read the BUSY pin: high from the first byte of a transfer until the chip has done what was asked."""
        if self.broken == "mute":
            return 0
        if self.broken == "stuck":
            return 1
        if not self.selected:
            return 1 if self.transferred else 0
        return 1 if self.clock.now < self.busy_until else 0

    def irq(self) -> int:
        """Read the IRQ pin: an enabled request waits."""
        self._live()
        return 1 if self.status & self.registers[IRQ_ENABLE] else 0

    # transfers

    def _begin(self, count: int) -> bool:
        ready = self.held and not self.selected and self.clock.now >= self.busy_until and not self.transferred
        if self.selected:
            self.faults.append("a transfer without NSS")
        elif not ready:
            self.faults.append("a transfer while BUSY was high")
        self.clock.now += SPI_BYTE_US * count
        self.transferred = True
        if self.sticks_after is not None:
            self.sticks_after -= 1
            if self.sticks_after <= 0:
                self.broken = "stuck"
        return bool(ready) and self.broken is None

    def spi_write(self, data: bytes) -> None:
        """Take one transfer from the driver."""
        if self._begin(len(data)):
            if self.reply is not None:
                self.faults.append("a command before the answer to the one before was fetched")
                self.reply = None
            self._command(bytes(data))

    def spi_readinto(self, buffer: bytearray) -> None:
        """Fill one transfer to the driver; if no answer waits the bytes are FF."""
        ready = self._begin(len(buffer))
        reply = self.reply if ready else None
        if reply is None:
            self.faults.append("a read without a question")
            reply = b""
        for place in range(len(buffer)):
            value = reply[place] if place < len(reply) else 0xFF
            buffer[place] = value if self.miso is None else self.miso(value)
        self.reply = None

    def _command(self, data: bytes) -> None:
        code, rest = data[0], data[1:]
        length = LENGTHS.get(code)
        if length is None or not length[0] <= len(rest) <= length[1]:
            self.faults.append(f"command {code:02X} with {len(rest)} bytes")
            self.status |= GENERAL
            return
        self._live()
        if code <= WRITE_AND:
            self._change(rest[0], code + 1, int.from_bytes(rest[1:5], "little"))
        elif code == WRITE_MANY:
            for at in range(0, len(rest) - 5, 6):
                self._change(rest[at], rest[at + 1], int.from_bytes(rest[at + 2 : at + 6], "little"))
        elif code in (READ, READ_MANY):
            self.reply = b"".join([self._read(register).to_bytes(4, "little") for register in rest])
        elif code == WRITE_EEPROM:
            self.eeprom[rest[0] : rest[0] + len(rest) - 1] = rest[1:]
        elif code == READ_EEPROM:
            self.reply = bytes(self.eeprom[rest[0] : rest[0] + rest[1]])
        elif code == READ_DATA:
            self.reply = self.received
        else:
            self._radio(code, rest)

    def _radio(self, code: int, rest: bytes) -> None:
        if code == SEND_DATA:
            self._send(rest[1:])
        elif code == LOAD_RF_CONFIG:
            self._load(rest[0], rest[1])
        elif code == RF_ON:
            self._field_on(rest[0])
        elif self.field.since is not None:  # RF_OFF; without a field it raises nothing
            self._drop_field()
            self.status |= RFOFF

    # registers

    def _change(self, register: int, operation: int, value: int) -> None:
        old = self.registers.get(register, 0)
        if operation == 2:
            value |= old
        elif operation == 3:
            value &= old
        if register == IRQ_CLEAR:
            self.status &= ~value
            return
        self.registers[register] = value
        if register != SYSTEM_CONFIG:
            return
        if value & 7 == IDLE:
            if self.clock.now < self.sending_until:
                self.faults.append("a frame was cut short while it was being sent")
            self._stop()
            self.status |= IDLE_IRQ
        elif value & 7 == TRANSCEIVE and self.state == S_IDLE:
            self.coming = [(self.clock.now + SETTLE_US, 0, self.refusal_state if self.refusals else S_WAIT_TRANSMIT)]
            self.refusals -= self.refusals > 0

    def _stop(self) -> None:
        self.coming = []
        self.arriving = None
        self.state = S_IDLE

    def _read(self, register: int) -> int:
        if register == IRQ_STATUS:
            return self.status
        if register == RX_STATUS:
            return self.rx_status
        if register == RF_STATUS:
            own = TX_RF if self.field.since is not None else 0
            return self.state << STATE | own | (RF_DET if self.foreign else 0)
        return self.registers.get(register, 0)

    def _live(self) -> None:
        """Let happen what is due."""
        now = self.clock.now
        while self.coming and self.coming[0][0] <= now:
            _, bits, self.state = self.coming.pop(0)
            self.status |= bits
            if bits & RX and self.arriving is not None:
                self.received, self.rx_status = self.arriving
                self.arriving = None

    # the field

    def _load(self, tx: int, rx: int) -> None:
        self.protocol = (tx, rx)
        if tx in (0x0D, 0x0E):
            self.registers[TX_CONFIG] = ISO15693_TX_CONFIG
            self.registers[CRC_TX] = self.registers[CRC_RX] = 1

    def _field_on(self, parameter: int) -> None:
        if self.foreign and not parameter & NO_AVOIDANCE:
            self.status |= RF_ACTIVE_ERROR
        elif self.hot:
            self.status |= TEMPSENS
        elif self.field.since is None:  # the request tells of a change: a field that is there raises nothing
            self.field.on(self.clock.now + RF_UP_US)
            self.status |= RFON
            self.takes = COMMAND_US + RF_UP_US  # the command is done when the field is there
        if self.foreign:
            self.status |= RFON_DET

    def _drop_field(self) -> None:
        self.field.off()
        self._stop()

    def change_antenna(self, tags: "list[Tag]") -> None:
        """Connect another antenna: other tags are in the field, and those before lose theirs."""
        if self.field.since is not None:
            self.faults.append("the antenna was changed with the field on")
        for tag in self.field.tags:
            tag.reset()
        self.field.tags = tags

    def _send(self, data: bytes) -> None:
        if self.state != S_WAIT_TRANSMIT or self.field.since is None or self.protocol is None:
            self.faults.append(f"data sent without field, protocol or WaitTransmit (state {self.state})")
            self.status |= GENERAL
            return
        config = self.registers[TX_CONFIG]
        self.received, self.rx_status = b"", 0
        self.state = S_TRANSMITTING
        bare = not config & 0x400
        if self.frames is not None:
            self.frames.append(b"" if bare else bytes(data))
        if bare and config & 0xC0:
            self.faults.append("an end of frame with a start symbol")
        if not bare and not data:
            self.faults.append("data is switched on, but there is none")
        if self.deaf:
            return
        now, crc = self.clock.now, 2 if self.registers[CRC_TX] & 1 else 0
        sent = now + EOF_OUT_US + (0 if bare else SOF_OUT_US + BYTE_OUT_US * (len(data) + crc))
        self.sending_until = sent
        self.coming = [(sent, TX, S_WAIT_RECEIVE)]
        self._hear(sent, self.field.frame(now, sent, None if bare else bytes(data), bool(crc)))

    def _hear(self, sent: int, answers: "list[tuple[Tag, bytes, int, int]]") -> None:
        if self.jam:
            self._jammed(sent + T1_US)
            return
        if not answers:
            return
        answers.sort(key=lambda answer: -answer[0].strength)
        tag, data, starts, ends = answers[0]
        others = sum([answer[0].strength for answer in answers[1:]])
        state = len(data)
        if others and not (self.field.capture and tag.strength >= self.field.capture * others):
            place = _first_clash([int.from_bytes(answer[1], "little") for answer in answers])
            data = data[:1]
            state = 1 | INTEGRITY | COLLISION | (place & 127) << COLL_POS
            ends = starts + SOF_IN_US + BYTE_IN_US * (place // 8 + 1)
        elif self.field.random is not None and self.field.random() < tag.weak:
            data = _spoiled(data, self.field.random)
            if self.registers[CRC_RX] & 1:
                state |= INTEGRITY
        self.coming += [(starts + SOF_IN_US, SOF, S_RECEIVING), (ends, RX, S_WAIT_TRANSMIT)]
        self.arriving = (data, state)

    def _jammed(self, starts: int) -> None:
        """Something else is heard in place of tags: a collision, noise, or a frame that never ends."""
        self.coming.append((starts + SOF_IN_US, SOF, S_RECEIVING))
        if self.jam != "endless":
            clash = self.jam == "collision"
            state = 1 | INTEGRITY | COLLISION if clash else 10 | INTEGRITY
            self.coming.append((starts + SOF_IN_US + BYTE_IN_US * (1 if clash else 12), RX, S_WAIT_TRANSMIT))
            self.arriving = (b"\x00" * (state & 511), state)


def _spoiled(data: bytes, random: "Callable[[], float]") -> bytes:
    """``data`` with one bit turned round."""
    spoiled = bytearray(data)
    spoiled[int(random() * len(spoiled))] ^= 1 << int(random() * 8)
    return bytes(spoiled)


def _first_clash(answers: "list[int]") -> int:
    """The bit at which ``answers`` first differ, 80 at most."""
    place = 0
    while len({number >> place & 1 for number in answers}) == 1 and place < 80:
        place += 1
    return place


LENGTHS = {
    WRITE: (5, 5),
    WRITE_OR: (5, 5),
    WRITE_AND: (5, 5),
    WRITE_MANY: (6, 252),
    READ: (1, 1),
    READ_MANY: (1, 18),
    WRITE_EEPROM: (2, 256),
    READ_EEPROM: (2, 2),
    SEND_DATA: (1, 261),
    READ_DATA: (1, 1),
    LOAD_RF_CONFIG: (2, 2),
    RF_ON: (1, 1),
    RF_OFF: (1, 1),
}
"""Least and most bytes that may follow each command's code."""


class SimBus:
    """The bus as a driver sees it: ``write`` and ``readinto`` of whichever chip is selected."""

    def __init__(self, chips: "list[PN5180Sim]") -> None:
        """``chips``: those that share the bus."""
        self.chips = chips

    def _chip(self) -> PN5180Sim:
        chosen = [chip for chip in self.chips if not chip.selected]
        if len(chosen) != 1:
            raise OSError(f"{len(chosen)} chips are selected at once")
        return chosen[0]

    def write(self, data: bytes) -> None:
        """Send one transfer to the chip."""
        self._chip().spi_write(data)

    def readinto(self, buffer: bytearray, fill: int = 0xFF) -> None:  # noqa: ARG002
        """Fetch one transfer from the chip."""
        self._chip().spi_readinto(buffer)
