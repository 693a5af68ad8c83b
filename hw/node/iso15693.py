# Inventory of ISO 15693 tags with a PN5180: 16 slots, and every collision followed down to its tags by a longer mask.
# A UID is told only if the chip found its checksum right, its low bits are those that were asked for, and its first
# byte is E0: what is unclear is counted and never guessed.

from pn5180 import (
    AND,
    EOF_MASK,
    EVERY_IRQ,
    IDLE_MASK,
    IRQ_CLEAR,
    IRQ_STATUS,
    OR,
    RX_BYTES,
    RX_COLLISION,
    RX_INTEGRITY,
    RX_IRQ,
    RX_PROTOCOL,
    RX_SOF_IRQ,
    RX_STATUS,
    SET,
    SYSTEM_CONFIG,
    TRANSCEIVE,
    TX_CONFIG,
    TX_IRQ,
)

INVENTORY, STAY_QUIET = 0x01, 0x02
HIGH_RATE, IS_INVENTORY, ADDRESSED = 0x02, 0x04, 0x20

BYTE_SENT = 303  # microseconds for one byte to the tag: 1 out of 4, 26.48 kbit/s
ANSWER_STARTS = 800  # by then an answer has begun: t1 is 323 at most, its start of frame 151, the rest is the chip's
ANSWER_LASTS = 5_500  # twelve bytes and their frame at 26.48 kbit/s take 3.9 ms
TX_SPARE = 3_000
POWER_UP = 1_500  # a tag is ready one millisecond after its field came
BETWEEN = 320  # t2: between an answer and the next request

SILENT, CLEAR, CLASH, NOISE = 0, 1, 2, 3

DEEPEST = 60  # bits of mask at which four more make the whole UID
NOISE_TRIES = 2  # so often a slot is asked again in which something was heard that was neither tag nor collision


class Tally:
    """What one inventory met besides tags."""

    def __init__(self):
        self.rounds = 0  # requests with 16 slots
        self.clashes = 0
        self.noises = 0
        self.unresolved = 0  # slots in which somebody answered whom nobody could read


class Inventory:
    """Reads all tags in the field of one antenna. ``pause()`` is called between slots: what must not wait is done there."""

    def __init__(self, reader, pause=None):
        self.reader = reader
        self.clock = reader.clock
        self.pause = pause
        self.tally = Tally()

    def scan(self, quiet=False, rounds=4):
        """UIDs (8 bytes, most significant first) of all tags that answer, sorted.

        ``quiet``: silence those that were found and ask again until nobody new answers: a strong tag that hides a
        weak one is heard first, and the weak one after it. The field goes off at the end, which wakes them again.
        """
        self.tally = Tally()
        self.reader.rf_on()
        try:
            self.clock.wait_us(POWER_UP)
            found = self.walk(0, 0, 0)
            if quiet and found:
                fresh = found
                while fresh and rounds > 1:
                    for uid in sorted(fresh):
                        self.silence(uid)
                    rounds -= 1
                    fresh = self.walk(0, 0, 0) - found
                    found |= fresh
        finally:
            self.reader.rf_off()
        return sorted(found)

    def walk(self, mask, length, noise):
        """All tags whose low ``length`` bits are ``mask``. ``noise``: how often what led here was mere noise."""
        found = set()
        unclear = []
        for slot, (kind, data) in enumerate(self.slots(mask, length)):
            low = mask | slot << length
            if kind == CLEAR:
                uid = read_uid(data, low, length + 4)
                if uid is None:
                    kind = NOISE
                else:
                    found.add(uid)
            if kind == CLASH:
                self.tally.clashes += 1
                unclear.append((low, 0))
            elif kind == NOISE:
                self.tally.noises += 1
                unclear.append((low, noise + 1))
        for low, noises in unclear:
            if length >= DEEPEST or noises > NOISE_TRIES:
                self.tally.unresolved += 1
            else:
                found |= self.walk(low, length + 4, noises)
        return found

    def slots(self, mask, length):
        """One request and its 16 slots: (kind, data) each."""
        self.tally.rounds += 1
        reader = self.reader
        # the mask is given in whole bytes, least significant first
        count = (length + 7) // 8
        request = bytes((HIGH_RATE | IS_INVENTORY, INVENTORY, length)) + mask.to_bytes(8, "little")[:count]
        config = reader.read(TX_CONFIG)
        answers = []
        try:
            for slot in range(16):
                changes = [(SYSTEM_CONFIG, AND, IDLE_MASK), (IRQ_CLEAR, SET, EVERY_IRQ), (SYSTEM_CONFIG, OR, TRANSCEIVE)]
                if slot == 1:
                    changes.insert(0, (TX_CONFIG, AND, EOF_MASK))
                reader.write_many(changes)
                reader.send(request if slot == 0 else b"")
                answers.append(self.listen(len(request) if slot == 0 else 0))
                if self.pause is not None:
                    self.pause()
        finally:
            reader.write(TX_CONFIG, config)
        return answers

    def listen(self, sent):
        """What comes after a frame of ``sent`` bytes (0: a bare end of frame) has left: (kind, data)."""
        reader, clock = self.reader, self.clock
        limit = clock.us() + (sent + 2) * BYTE_SENT + TX_SPARE  # a checksum of two bytes goes with it
        silent_at = None
        while True:
            status = reader.read(IRQ_STATUS)
            now = clock.us()
            if status & RX_IRQ:
                break
            if status & RX_SOF_IRQ:
                if silent_at is not None:
                    silent_at = None
                    limit = now + ANSWER_LASTS
            elif silent_at is None and status & TX_IRQ:
                silent_at = now + ANSWER_STARTS
                limit = silent_at + ANSWER_LASTS
            elif silent_at is not None and now > silent_at:
                return SILENT, b""
            if now > limit:
                return (NOISE if status & RX_SOF_IRQ else SILENT), b""
        state = reader.read(RX_STATUS)
        if state & RX_COLLISION:
            return CLASH, b""
        count = state & RX_BYTES
        if state & (RX_INTEGRITY | RX_PROTOCOL) or count != 10:
            return NOISE, b""
        clock.wait_us(BETWEEN)
        return CLEAR, reader.received(count)

    def silence(self, uid):
        """Tell one tag to answer no inventory until its field goes off; nothing comes back."""
        reader = self.reader
        request = bytes((HIGH_RATE | ADDRESSED, STAY_QUIET)) + bytes(reversed(uid))
        reader.write_many(((SYSTEM_CONFIG, AND, IDLE_MASK), (IRQ_CLEAR, SET, EVERY_IRQ), (SYSTEM_CONFIG, OR, TRANSCEIVE)))
        reader.send(request)
        # to begin the next frame earlier would cut this one short
        reader.wait_irq(TX_IRQ, (len(request) + 2) * BYTE_SENT + TX_SPARE, "send")
        self.clock.wait_us(BETWEEN)


def read_uid(data, low, bits):
    """The UID in an inventory's answer (flags, DSFID, UID least significant byte first), or None if it is not one."""
    if data[0] & 1 or data[9] != 0xE0:
        return None
    number = int.from_bytes(data[2:10], "little")
    if number & ((1 << bits) - 1) != low:
        return None
    return bytes(reversed(data[2:10]))
