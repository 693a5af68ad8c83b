# Inventory of ISO 15693 tags with a PN5180: one question to all, and only where their answers collide sixteen slots and
# ever longer masks. A UID is told only if the chip found its checksum right, its low bits are those that were asked for,
# and its first byte is E0: what is unclear is counted and never guessed. Times: ISO/IEC 15693-2 and -3 (13.56 MHz).

from pn5180 import (
    RX_BYTES,
    RX_COLLISION,
    RX_INTEGRITY,
    RX_IRQ,
    RX_PROTOCOL,
    RX_SOF_IRQ,
    RX_STATUS,
    TICKS,
    TX_IRQ,
    ReaderError,
)

INVENTORY, STAY_QUIET = 0x01, 0x02
HIGH_RATE, IS_INVENTORY, ONE_SLOT, ADDRESSED = 0x02, 0x04, 0x20, 0x20

BYTE_SENT = 303  # microseconds for one byte to the tag: 1 out of 4, 26.48 kbit/s
ANSWER_STARTS = 800  # by then an answer has begun: t1 is 323 at most, its start of frame 151, the rest is the chip's
ANSWER_LASTS = 5_500  # twelve bytes and their frame at 26.48 kbit/s take 3.9 ms
ANSWER_OVER = 4_700  # from the end of a request until every tag hears again: t1, start, twelve bytes, end, t2, and spare
TX_SPARE = 3_000
POWER_UP = 1_500  # a tag is ready one millisecond after its field came
BETWEEN = 330  # t2, 309.2 at least: between an answer and the next request

SILENT, CLEAR, CLASH, NOISE = 0, 1, 2, 3
SILENCE = SILENT, b""

DEEPEST = 60  # bits of mask at which four more make the whole UID
TRIES = 3  # so often is asked where something is heard that is neither a tag nor a collision
LOOKS = 4  # so often at most is asked who hides behind those that were silenced
BEHIND_MOST = 3  # of more new tags at once it is not asked whom they hide: to silence them takes too long
BUDGET = 250_000  # a scan begins no further frame after this; with the longest frame and the end it lasts 300 ms at most


class Tally:
    """Count of what one inventory met besides tags."""

    def __init__(self):
        self.questions = 0
        self.rounds = 0  # requests with 16 slots
        self.clashes = 0
        self.noises = 0
        self.unresolved = 0  # slots in which somebody answered whom nobody could read
        self.cut = False  # the budget ended it

    def whole(self):
        """True if every tag that answered was read, so that a tag that was not read is absent."""
        return not (self.cut or self.unresolved)


class Inventory:
    """Reads all tags in the field of one antenna. ``pause()`` is called between slots: what must not wait is done there."""

    def __init__(self, reader, pause=None, budget=BUDGET):
        self.reader = reader
        self.clock = reader.clock
        self.pause = pause
        self.budget = budget
        self.began = 0
        self.cuts = 0  # scans that the budget ended, one after the other
        self.tally = Tally()

    def scan(self, quiet=False, before=(), began=None):
        """UIDs (8 bytes, most significant first) of all tags that answer, sorted. Raises ReaderError; halt the chip then.

        ``before``: who answered last time. Somebody new is silenced and it is asked again, because a strong tag hides a
        weak one; ``quiet``: so it is done every time. The field goes off at the end, which wakes them again. ``began``:
        when the budget started to run (the clock's ticks), if not now.
        """
        self.began = self.clock.ticks() if began is None else began
        self.tally = Tally()
        reader = self.reader
        reader.rf_on()
        self.clock.wait_us(POWER_UP)
        found = self.walk(0, 0) if len(before) > 1 else self.resolve(0, 0)
        fresh = found
        for _ in range(LOOKS):
            if not fresh or not (quiet or self.may_hide(fresh, before)):
                break
            for uid in sorted(fresh):
                if not self.spent():
                    self.silence(uid)
            if self.spent():
                break
            fresh = self.resolve(0, 0) - found
            found |= fresh
        self.cuts = self.cuts + 1 if self.tally.cut else 0
        reader.check(True)
        reader.rf_off()
        return sorted(found)

    def may_hide(self, fresh, before):
        return len(fresh) <= BEHIND_MOST and any([uid not in before for uid in fresh])

    def spent(self):
        return self.clock.elapsed(self.began) > self.budget

    def late(self):
        """True if the budget is spent while tags are still to be asked for."""
        if self.spent():
            self.tally.cut = True
        return self.tally.cut

    def resolve(self, mask, length, heard=False):
        """All tags whose low ``length`` bits are ``mask``, by one question; by sixteen where that gave a collision.

        ``heard``: somebody among them has been heard already.
        """
        tally = self.tally
        for _ in range(TRIES):
            if self.late():
                return set()
            kind, data = self.ask(mask, length, ONE_SLOT)
            if kind == CLEAR:
                uid = read_uid(data, mask, length)
                if uid is not None:
                    return {uid}
            elif kind == SILENT:
                tally.unresolved += heard
                return set()
            elif kind == CLASH:
                tally.clashes += 1
                return self.split(mask, length)
            heard = True
            tally.noises += 1
        if length == 0:
            return self.walk(mask, length)  # two tags, it may be, of whose collision the chip saw only a wrong checksum
        tally.unresolved += 1
        return set()

    def split(self, mask, length):
        """Ask as ``walk`` does after a collision has shown at least two tags."""
        found = self.walk(mask, length)
        if len(found) < 2:
            self.tally.unresolved += 1
        return found

    def walk(self, mask, length):
        """All tags whose low ``length`` bits are ``mask``, by sixteen slots for the next four bits."""
        if length > DEEPEST:
            self.tally.unresolved += 1  # two tags with one UID
            return set()
        found = set()
        clashes = []
        noises = []
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
                clashes.append(low)
            elif kind == NOISE:
                self.tally.noises += 1
                noises.append(low)
        if clashes and self.cuts:  # the last scans ended too early: begin elsewhere, so that nobody is always left out
            first = self.cuts % len(clashes)
            clashes = clashes[first:] + clashes[:first]
        for low in clashes:
            found |= self.split(low, length + 4)
        for low in noises:
            found |= self.resolve(low, length + 4, True)
        return found

    def slots(self, mask, length):
        """One request and its sixteen slots: (kind, data) each; fewer where the budget ends."""
        answers = []
        if not self.late():
            answers.append(self.ask(mask, length, 0))
            while len(answers) < 16 and not self.late():
                self.reader.send(b"", True)
                answers.append(self.listen(0))
            self.reader.restore()
        return answers

    # frames

    def ask(self, mask, length, slots):
        """One inventory request (``slots``: ONE_SLOT, or 0 for sixteen) and the answer in its first slot: (kind, data)."""
        if slots:
            self.tally.questions += 1
        else:
            self.tally.rounds += 1
        # the mask is given in whole bytes, least significant first
        count = (length + 7) // 8
        request = bytes((HIGH_RATE | IS_INVENTORY | slots, INVENTORY, length)) + mask.to_bytes(8, "little")[:count]
        self.reader.send(request)
        return self.listen(len(request))

    def listen(self, sent):
        """Listen once a frame of ``sent`` bytes (0: a bare end of frame) has left: (kind, data)."""
        clock = self.clock
        requests, ticks = self.reader.requests, clock.ticks
        self.wait_sent(sent)
        sent_at = ticks()
        while True:
            passed = (ticks() - sent_at) & TICKS  # before the look: a slow one says how it was while it was under way
            status = requests()
            if status & RX_IRQ:
                heard = self.receive()
                break
            if passed > ANSWER_LASTS:
                heard = NOISE, b""  # it began, and never ended
                break
            if passed > ANSWER_STARTS and not status & RX_SOF_IRQ:
                heard = SILENCE
                break
        if heard[0] == CLEAR:
            clock.wait_us(BETWEEN)
        elif heard[0] != SILENT:
            # the chip stops at a collision, and the tags do not: a frame sent into their answers they would not hear
            left = ANSWER_OVER - clock.elapsed(sent_at)
            if left > 0:
                clock.wait_us(left)
        if self.pause is not None:
            self.pause()
        return heard

    def receive(self):
        state = self.reader.read(RX_STATUS)
        if state & RX_COLLISION:
            return CLASH, b""
        if state & (RX_INTEGRITY | RX_PROTOCOL) or state & RX_BYTES != 10:
            return NOISE, b""
        return CLEAR, self.reader.received(10)

    def wait_sent(self, sent):
        """Wait until a frame of ``sent`` bytes and its checksum has left. Raises ReaderError where the chip sends nothing."""
        clock = self.clock
        began = clock.ticks()
        longest = (sent + 2) * BYTE_SENT + TX_SPARE
        while not self.reader.requests() & TX_IRQ:
            if clock.elapsed(began) > longest:
                raise ReaderError("the PN5180 sends nothing")

    def silence(self, uid):
        """Tell one tag to answer no inventory until its field goes off; nothing comes back."""
        request = bytes((HIGH_RATE | ADDRESSED, STAY_QUIET)) + bytes(reversed(uid))
        self.reader.send(request)
        self.wait_sent(len(request))
        self.clock.wait_us(BETWEEN)


def read_uid(data, low, bits):
    """The UID in an inventory's answer (flags, DSFID, UID least significant byte first), or None if it is not one."""
    if data[0] & 1 or data[9] != 0xE0:
        return None
    number = int.from_bytes(data[2:10], "little")
    if number & ((1 << bits) - 1) != low:
        return None
    return bytes(reversed(data[2:10]))
