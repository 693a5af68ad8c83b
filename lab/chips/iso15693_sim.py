"""Simulated ISO 15693 tags in the field of one antenna, each with ears of its own.

Times are the standard's (ISO/IEC 15693-2 and -3, carrier of 13.56 MHz, high data rate, one subcarrier, 1 out of 4). A
tag keeps its own count of the ends of frame that it heard: one that is still answering, or has no field yet, hears
nothing, and is then out of step with the others as a real one is.

No dataclasses, and typing only where a checker reads it: this file runs under MicroPython too.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BYTE_OUT_US = 302
"""A byte to the tag, 1 out of 4: four pulse positions of 75.52 microseconds."""
SOF_OUT_US = 76
EOF_OUT_US = 38
BYTE_IN_US = 302
"""A byte from the tag at 26.48 kbit/s."""
SOF_IN_US = 151
EOF_IN_US = 151
T1_US = 321
"""From the end of a request to the start of its answer (318.6 to 323.3)."""
T2_US = 309
"""A tag that has answered hears again after this (309.2)."""
READY_US = 1000
"""Microseconds after the field came until a tag hears."""


class Tag:
    """One ISO 15693 tag (as an ICODE SLIX2 with 80 blocks of 4 bytes)."""

    def __init__(self, uid: bytes, strength: float = 1.0, missed: float = 0.0, weak: float = 0.0) -> None:
        """Make a tag. ``uid``: 8 bytes, most significant first. ``missed``, ``weak``: share of silent, spoiled answers.

        ``drawl``: microseconds by which it goes on modulating beyond the end of its answer (a tag out of its limits).
        """
        self.uid = uid
        self.strength = strength
        self.missed = missed
        self.weak = weak
        self.drawl = 0
        self.memory = bytearray(320)
        self.number = int.from_bytes(uid, "big")
        self.reset()

    def reset(self) -> None:
        """Forget everything: the field went off."""
        self.quiet = self.selected = False
        self.waits: int | None = None  # ends of frame until its slot; None: no inventory is under way
        self.speaks_until = 0

    def hear(self, data: "bytes | None", faults: "list[str]") -> "bytes | None":
        """Return the answer to a request, or to a bare end of frame (``None``); None if the tag is silent."""
        if data is None:
            if self.waits is None or self.quiet:
                return None
            self.waits -= 1
            return inventory_answer(self) if self.waits == 0 else None
        self.waits = None
        if len(data) < 2:
            return None
        if data[0] & 4:
            return self._inventory(data[0], data[1], data[2:], faults)
        return self._request(data[0], data[1], data[2:])

    def _inventory(self, flags: int, code: int, rest: bytes, faults: "list[str]") -> "bytes | None":
        if code != 0x01:
            return None
        if flags & 0x10:
            rest = rest[1:]  # the AFI: every tag here takes any
        length = rest[0] if rest else 255
        given = rest[1:]
        if length > (64 if flags & 0x20 else 60) or len(given) != (length + 7) // 8:
            faults.append("an inventory whose mask does not fit its length")
            return None
        mask = int.from_bytes(given, "little") & ((1 << length) - 1)
        if self.quiet or self.number & ((1 << length) - 1) != mask:
            return None
        if not flags & 0x20:  # sixteen slots: the four bits above the mask choose
            self.waits = self.number >> length & 15
            if self.waits:
                return None
        return inventory_answer(self)

    def _request(self, flags: int, code: int, rest: bytes) -> "bytes | None":
        if flags & 0x20:
            meant = int.from_bytes(rest[:8], "little") == self.number
            rest = rest[8:]
            if code == 0x25:
                self.selected = meant
        elif flags & 0x10:
            meant = self.selected
        else:
            meant = not self.quiet
        return request_answer(self, code, rest) or None if meant else None


class AntennaField:
    """The air between an antenna and the tags over it."""

    def __init__(self, faults: "list[str]", random: "Callable[[], float] | None" = None, capture: float = 0.0) -> None:
        """Make a field that notes breaches of the standard by the reader in ``faults``, as sentences.

        ``random`` gives numbers from 0 to 1 (None: nothing is left to chance). ``capture``: an answer this many times
        as strong as all others together is received alone; 0: never.
        """
        self.faults = faults
        self.random = random
        self.capture = capture
        self.tags: list[Tag] = []
        self.requests = 0
        self.since: int | None = None  # when it came on; None: it is off

    def on(self, now: int) -> None:
        """Switch on, if it is off."""
        if self.since is None:
            self.since = now

    def off(self) -> None:
        """Switch off: every tag forgets."""
        self.since = None
        for tag in self.tags:
            tag.reset()

    def frame(self, began: int, sent: int, data: "bytes | None", sound: bool) -> "list[tuple[Tag, bytes, int, int]]":
        """Return who answers a frame that went out from ``began`` to ``sent``: (tag, answer, its start, its end).

        ``data``: None for a bare end of frame. ``sound``: its checksum is right.
        """
        if data is not None:
            self.requests += 1
        answers = []
        ready = 0 if self.since is None else self.since + READY_US
        for tag in self.tags:
            if self.since is None or began < ready:
                continue
            if began < tag.speaks_until:
                self.faults.append("a frame began while a tag was still answering")
                continue
            if began < tag.speaks_until + T2_US and tag.speaks_until:
                self.faults.append("a frame began less than t2 after an answer")
                continue
            answer = tag.hear(data, self.faults) if data is None or sound else None
            if answer is not None and (self.random is None or self.random() >= tag.missed):
                starts = sent + T1_US
                ends = starts + SOF_IN_US + BYTE_IN_US * (len(answer) + 2) + EOF_IN_US
                tag.speaks_until = ends + tag.drawl
                answers.append((tag, answer, starts, ends))
        return answers

    def speaks(self, now: int) -> bool:
        """Return whether a tag is modulating now."""
        return any([now < tag.speaks_until for tag in self.tags])  # noqa: C419 (MicroPython: no generator needed)


def inventory_answer(tag: Tag) -> bytes:
    """Return what ``tag`` answers an inventory: flags, DSFID, UID least significant byte first."""
    return b"\x00\x00" + bytes(reversed(tag.uid))


def request_answer(tag: Tag, code: int, rest: bytes) -> bytes:
    """Return the answer of ``tag`` to any other request; empty if it is silent."""
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
