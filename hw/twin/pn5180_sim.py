"""A simulated PN5180 with ISO 15693 tags, at the level of SPI transfers, registers and microseconds.

It stands for the chip where a driver is tried: ours (``hw/node``) under MicroPython and under CPython, and clients that
nobody here wrote. It keeps to the commands, registers and handshake of NXP's data sheet (PN5180A0xx/C1/C2) as far as
an ISO 15693 reader uses them. What the data sheet leaves open is assumed, and named here:

- two answers in one slot: reception stops, RX_STATUS says collision and integrity error, and one byte (the flags) has
  been received. So a builder's log of eleven real chips has it; the position of the collision is given as well, though
  that log found it useless.
- ``capture``: where one tag is so much stronger than the others, it is received as if it were alone (same source).
- a tag at the edge of the field (``weak``) answers with a checksum that is wrong.

No dataclasses, and typing only where a checker reads it: this file runs under MicroPython too.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SPI_BYTE_US = 2
"""Microseconds a byte takes on the bus, and what a command keeps the chip busy."""
COMMAND_US = 30
BYTE_OUT_US = 303
BYTE_IN_US = 302
SOF_OUT_US = 76
EOF_OUT_US = 38
T1_US = 321
"""From the end of a request to the start of its answer."""
SOF_IN_US = 151
EOF_IN_US = 151
RF_UP_US = 120
READY_US = 1000
"""After the field came a tag needs so long until it hears."""

IDLE, TRANSCEIVE = 0, 3
RX, TX, IDLE_IRQ, RFOFF, RFON, SOF, GENERAL = 1, 2, 4, 1 << 8, 1 << 9, 1 << 14, 1 << 17
SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR, RX_STATUS, TX_CONFIG, RF_STATUS = 0, 1, 2, 3, 0x13, 0x18, 0x1D
CRC_RX, CRC_TX = 0x12, 0x19
ISO15693_TX_CONFIG = 0x0540
"""Start symbol, stop symbol, data: what LOAD_RF_CONFIG puts into TX_CONFIG (its other bits are left out)."""
NEVER = 1 << 62


class SimClock:
    """Simulated microseconds, and what a driver calls its clock."""

    def __init__(self) -> None:
        """Time starts at 0."""
        self.now = 0

    def us(self) -> int:
        """The time; to look at it takes a microsecond, or a loop that waits would stand still."""
        self.now += 1
        return self.now

    def wait_us(self, count: int) -> None:
        """Let time pass."""
        self.now += count


class Tag:
    """One ISO 15693 tag (as an ICODE SLIX2 with 80 blocks of 4 bytes)."""

    def __init__(self, uid: bytes, strength: float = 1.0, missed: float = 0.0, weak: float = 0.0) -> None:
        """``uid``: 8 bytes, most significant first. ``missed``, ``weak``: how often it is silent, or spoiled."""
        self.uid = uid
        self.strength = strength
        self.missed = missed
        self.weak = weak
        self.quiet = False
        self.selected = False
        self.memory = bytearray(320)
        self.number = int.from_bytes(uid, "big")

    def reset(self) -> None:
        """The field went off."""
        self.quiet = self.selected = False


class PN5180Sim:
    """The chip. Drivers see ``spi_write``, ``spi_readinto``, ``cs``, ``busy``, ``reset`` and ``irq``.

    ``tags``: those in the field of the antenna that is connected now. ``faults`` lists, as sentences, every breach of
    the data sheet that a driver committed. ``broken``: ``mute`` (BUSY never rises), ``stuck`` (never falls) or None.
    """

    def __init__(self, clock: "SimClock", random: "Callable[[], float] | None" = None, capture: float = 0.0) -> None:
        """``random``: a function that gives numbers from 0 to 1 (None: nothing is left to chance).

        ``capture``: an answer so many times as strong as all others together is received alone; 0: never.
        """
        self.clock = clock
        self.random = random
        self.capture = capture
        self.tags: list[Tag] = []
        self.broken: str | None = None
        self.faults: list[str] = []
        self.requests = 0
        self.frames: list[bytes] | None = None  # set to a list: what goes into the field, b"" for a bare end of frame
        self.eeprom = bytearray(255)
        self.eeprom[0x10:0x12] = b"\x00\x04"
        self.eeprom[0x12:0x14] = b"\x00\x04"
        self.eeprom[0x14:0x16] = b"\x00\x90"
        self.selected = 1
        self.held = 1
        self._power_on()

    def _power_on(self) -> None:
        self.registers: dict[int, int] = {SYSTEM_CONFIG: 0, IRQ_ENABLE: 0, TX_CONFIG: 0, CRC_RX: 0, CRC_TX: 0}
        self.status = IDLE_IRQ
        self.field = False
        self.field_since = 0
        self.protocol: tuple[int, int] | None = None
        self.busy_until = self.clock.now + 2000
        self.reply: bytes | None = None
        self.transferred = False
        self.received = b""
        self.rx_status = 0
        self.sending_until = 0
        self.waiting: list[tuple[int, int]] = []  # (moment, IRQ bits) still to come
        self.arriving: tuple[int, bytes, int] | None = None  # (moment, data, RX_STATUS)
        self.slot = 16
        self.mask = (0, 0)

    # pins

    def reset(self, level: "int | None" = None) -> int:
        """The RST pin: the chip starts anew when it rises."""
        if level is not None:
            if level and not self.held:
                self._power_on()
                self._field_off()
            self.held = level
        return self.held

    def cs(self, level: "int | None" = None) -> int:
        """The NSS pin."""
        if level is not None:
            if level and not self.selected and self.transferred:
                self.transferred = False
                self.busy_until = self.clock.now + COMMAND_US
            self.selected = level
        return self.selected

    def busy(self) -> int:
        """The BUSY pin: high from the first byte of a transfer until the chip has done what was asked."""
        if self.broken == "mute":
            return 0
        if self.broken == "stuck":
            return 1
        if not self.selected:
            return 1 if self.transferred else 0
        return 1 if self.clock.now < self.busy_until else 0

    def irq(self) -> int:
        """The IRQ pin: an enabled request waits."""
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
        return bool(ready) and self.broken is None

    def spi_write(self, data: bytes) -> None:
        """One transfer to the chip."""
        if self._begin(len(data)):
            if self.reply is not None:
                self.faults.append("a command before the answer to the one before was fetched")
                self.reply = None
            self._command(bytes(data))

    def spi_readinto(self, buffer: bytearray) -> None:
        """One transfer from the chip; where no answer waits the bytes are FF."""
        ready = self._begin(len(buffer))
        reply = self.reply if ready else None
        if reply is None:
            self.faults.append("a read without a question")
            reply = b""
        for place in range(len(buffer)):
            buffer[place] = reply[place] if place < len(reply) else 0xFF
        self.reply = None

    def _command(self, data: bytes) -> None:
        code, rest = data[0], data[1:]
        length = LENGTHS.get(code)
        if length is None or not length[0] <= len(rest) <= length[1]:
            self.faults.append(f"command {code:02X} with {len(rest)} bytes")
            self.status |= GENERAL
            return
        self._live()
        if code <= 0x02:
            self._change(rest[0], code + 1, int.from_bytes(rest[1:5], "little"))
        elif code == 0x03:
            for at in range(0, len(rest) - 5, 6):
                self._change(rest[at], rest[at + 1], int.from_bytes(rest[at + 2 : at + 6], "little"))
        elif code == 0x04:
            self.reply = self._read(rest[0]).to_bytes(4, "little")
        elif code == 0x05:
            self.reply = b"".join([self._read(register).to_bytes(4, "little") for register in rest])
        elif code == 0x06:
            self.eeprom[rest[0] : rest[0] + len(rest) - 1] = rest[1:]
        elif code == 0x07:
            self.reply = bytes(self.eeprom[rest[0] : rest[0] + rest[1]])
        elif code == 0x09:
            self._send(rest[1:])
        elif code == 0x0A:
            self.reply = self.received
        elif code == 0x11:
            self._load(rest[0], rest[1])
        elif code == 0x16:
            self._field_on()
        elif code == 0x17:
            self._field_off()
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
        if register == SYSTEM_CONFIG and value & 7 == IDLE:
            if self.clock.now < self.sending_until:
                self.faults.append("a frame was cut short while it was being sent")
            self.waiting = []
            self.arriving = None
            self.status |= IDLE_IRQ

    def _read(self, register: int) -> int:
        if register == IRQ_STATUS:
            return self.status
        if register == RX_STATUS:
            return self.rx_status
        if register == RF_STATUS:
            return (1 << 10 if self.field else 0) | (1 << 24 if self.registers[SYSTEM_CONFIG] & 7 == TRANSCEIVE else 0)
        return self.registers.get(register, 0)

    def _live(self) -> None:
        """Let happen what is due."""
        now = self.clock.now
        while self.waiting and self.waiting[0][0] <= now:
            self.status |= self.waiting.pop(0)[1]
        if self.arriving is not None and self.arriving[0] <= now:
            _, self.received, self.rx_status = self.arriving
            self.arriving = None

    # the field

    def _load(self, tx: int, rx: int) -> None:
        self.protocol = (tx, rx)
        if tx in (0x0D, 0x0E):
            self.registers[TX_CONFIG] = ISO15693_TX_CONFIG
            self.registers[CRC_TX] = self.registers[CRC_RX] = 1

    def _field_on(self) -> None:
        if not self.field:
            self.field = True
            self.field_since = self.clock.now + RF_UP_US
        self.waiting.append((self.clock.now + RF_UP_US, RFON))

    def _field_off(self) -> None:
        self.field = False
        self.waiting = []
        self.arriving = None
        self.slot = 16
        for tag in self.tags:
            tag.reset()

    def change_antenna(self, tags: "list[Tag]") -> None:
        """Another antenna is connected: other tags are in the field, and those before lose theirs."""
        if self.field:
            self.faults.append("the antenna was changed with the field on")
        for tag in self.tags:
            tag.reset()
        self.tags = tags

    def _send(self, data: bytes) -> None:
        if self.registers[SYSTEM_CONFIG] & 7 != TRANSCEIVE or not self.field or self.protocol is None:
            self.faults.append("data sent without field, protocol or the command transceive")
            self.status |= GENERAL
            return
        if self.clock.now < self.sending_until:
            self.faults.append("a frame was cut short while it was being sent")
        config = self.registers[TX_CONFIG]
        now = self.clock.now
        self.received, self.rx_status = b"", 0
        bare = not config & 0x400
        if self.frames is not None:
            self.frames.append(b"" if bare else bytes(data))
        if bare and config & 0xC0:
            self.faults.append("an end of frame with a start symbol")
        if not bare and not data:
            self.faults.append("data is switched on, but there is none")
        crc = 2 if self.registers[CRC_TX] & 1 else 0
        sent = now + EOF_OUT_US if bare else now + SOF_OUT_US + BYTE_OUT_US * (len(data) + crc) + EOF_OUT_US
        self.sending_until = sent
        self.waiting = [(sent, TX)]
        self.arriving = None
        heard = [tag for tag in self.tags if self.field_since + READY_US <= now]
        if bare:
            self.slot += 1
            answers = self._slot_answers(heard)
        else:
            self.slot = 16
            answers = self._answers(heard, data) if crc else []
        self._hear(sent, answers)

    def _hear(self, sent: int, answers: "list[tuple[Tag, bytes]]") -> None:
        heard = []
        for tag, data in answers:
            if self.random is None or self.random() >= tag.missed:
                heard.append((tag, data))
        if not heard:
            return
        heard.sort(key=lambda pair: -pair[0].strength)
        tag, data = heard[0]
        others = sum([other.strength for other, _ in heard[1:]])
        starts = sent + T1_US + SOF_IN_US
        state = len(data)
        ends = starts + BYTE_IN_US * (len(data) + 2) + EOF_IN_US
        if others and not (self.capture and tag.strength >= self.capture * others):
            place = 0
            first = [int.from_bytes(answer, "little") for _, answer in heard]
            while len({number >> place & 1 for number in first}) == 1 and place < 80:
                place += 1
            data = data[:1]
            state = 1 | 1 << 16 | 1 << 18 | (place & 127) << 19
            ends = starts + BYTE_IN_US * (place // 8 + 1)
        elif self.random is not None and self.random() < tag.weak:
            spoiled = bytearray(data)
            spoiled[int(self.random() * len(spoiled))] ^= 1 << int(self.random() * 8)
            data = bytes(spoiled)
            if self.registers[CRC_RX] & 1:
                state |= 1 << 16
        self.waiting += [(starts, SOF), (ends, RX)]
        self.arriving = (ends, data, state)

    # tags

    def _slot_answers(self, heard: "list[Tag]") -> "list[tuple[Tag, bytes]]":
        if self.slot > 15:
            return []
        mask, length = self.mask
        wanted = mask | self.slot << length
        bits = (1 << (length + 4)) - 1
        return [(tag, inventory_answer(tag)) for tag in heard if not tag.quiet and tag.number & bits == wanted & bits]

    def _answers(self, heard: "list[Tag]", data: bytes) -> "list[tuple[Tag, bytes]]":
        if len(data) < 2:
            return []
        self.requests += 1
        flags, code = data[0], data[1]
        if flags & 4:
            return self._inventory(heard, flags, code, data[2:])
        rest = data[2:]
        if flags & 0x20:
            number, rest = int.from_bytes(rest[:8], "little"), rest[8:]
            meant = [tag for tag in heard if tag.number == number]
            if code == 0x25:
                for tag in heard:
                    tag.selected = tag in meant
        elif flags & 0x10:
            meant = [tag for tag in heard if tag.selected]
        else:
            meant = [tag for tag in heard if not tag.quiet]
        return [(tag, answer) for tag in meant for answer in [request_answer(tag, code, rest)] if answer]

    def _inventory(self, heard: "list[Tag]", flags: int, code: int, rest: bytes) -> "list[tuple[Tag, bytes]]":
        if code != 0x01:
            return []
        if flags & 0x10:
            rest = rest[1:]  # the AFI: every tag here takes any
        length = rest[0] if rest else 255
        given = rest[1:]
        if length > 60 or len(given) != (length + 7) // 8:
            self.faults.append("an inventory whose mask does not fit its length")
            return []
        mask = int.from_bytes(given, "little") & ((1 << length) - 1)
        if flags & 0x20:  # one slot
            self.slot = 16
            bits = (1 << length) - 1
            return [(tag, inventory_answer(tag)) for tag in heard if not tag.quiet and tag.number & bits == mask]
        self.mask = (mask, length)
        self.slot = 0
        return self._slot_answers(heard)


def inventory_answer(tag: Tag) -> bytes:
    """What ``tag`` answers an inventory: flags, DSFID, UID least significant byte first."""
    return b"\x00\x00" + bytes(reversed(tag.uid))


def request_answer(tag: Tag, code: int, rest: bytes) -> bytes:
    """What ``tag`` answers any other request; nothing where it is silent."""
    blocks = len(tag.memory) // 4
    if code == 0x02:
        tag.quiet = True
        tag.selected = False
        return b""
    if code in (0x25, 0x26):
        tag.quiet = False
        return b"\x00"
    if code == 0x2B:
        return b"\x00\x0f" + bytes(reversed(tag.uid)) + bytes((0, 0, blocks - 1, 3, 1))
    if code in (0x20, 0x23) and rest:
        count = 1 if code == 0x20 else rest[1] + 1
        if rest[0] + count > blocks:
            return b"\x01\x10"
        return b"\x00" + bytes(tag.memory[rest[0] * 4 : (rest[0] + count) * 4])
    if code == 0x21 and len(rest) == 5:
        if rest[0] >= blocks:
            return b"\x01\x10"
        tag.memory[rest[0] * 4 : rest[0] * 4 + 4] = rest[1:5]
        return b"\x00"
    return b"\x01\x01"


LENGTHS = {
    0x00: (5, 5),
    0x01: (5, 5),
    0x02: (5, 5),
    0x03: (6, 252),
    0x04: (1, 1),
    0x05: (1, 18),
    0x06: (2, 256),
    0x07: (2, 2),
    0x09: (1, 261),
    0x0A: (1, 1),
    0x11: (2, 2),
    0x16: (1, 1),
    0x17: (1, 1),
}
"""How many bytes may follow each command's code."""


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
        """One transfer to the chip."""
        self._chip().spi_write(data)

    def readinto(self, buffer: bytearray, fill: int = 0xFF) -> None:  # noqa: ARG002
        """One transfer from the chip."""
        self._chip().spi_readinto(buffer)
