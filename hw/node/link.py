# The node's end of the link: says who it is, then sends numbered messages, 32 in flight, going back when one is missing.
# Times here are wall milliseconds that the caller passes in; ``micros`` is the node's own clock, which stamps readings.

from codec import Splitter

WORD = 0xFFFF
MOMENTARY = ("press", "knock")
KEPT_MOST = 16
KEPT_FOR = 2_000_000  # microseconds: the log takes nothing that was sensed longer ago
OUT_ENOUGH = 1024  # bytes that wait for the port: nothing is repeated beside them
OUT_MOST = 4096  # bytes of numbered messages that may wait for it
OUT_SPARE = 256  # beside them: what is not numbered has room even then


class Queue:
    """Messages that wait, in a ring that is made once: a list that grows asks the heap for ever larger pieces, and a heap
    in use for a while has none. ``room`` messages at most; IndexError for one more, so whoever appends looks first."""

    def __init__(self, room):
        self.slots = [None] * room
        self.first = 0
        self.count = 0

    def __len__(self):
        return self.count

    def append(self, message):
        if self.count == len(self.slots):
            raise IndexError("full")
        self.slots[(self.first + self.count) % len(self.slots)] = message
        self.count += 1

    def oldest(self):
        return self.slots[self.first]

    def take(self):
        """The oldest, which waits no more."""
        message = self.slots[self.first]
        self.slots[self.first] = None
        self.first = (self.first + 1) % len(self.slots)
        self.count -= 1
        return message

    def clear(self):
        while self.count:
            self.take()


class Outgoing:
    """Bytes that wait for the port, in a ring that is made once: what grows needs one free piece of the heap, and a heap
    full of waiting messages may have none of that size, however much of it is free."""

    def __init__(self, room):
        self.bytes = bytearray(room)
        self.whole = memoryview(self.bytes)
        self.first = 0
        self.count = 0

    def __len__(self):
        return self.count

    def put(self, data):
        """Append all of ``data``; False, and nothing is appended, where it has no room."""
        room = len(self.bytes)
        if len(data) > room - self.count:
            return False
        at = (self.first + self.count) % room
        here = min(len(data), room - at)
        self.bytes[at : at + here] = data[:here]
        if here < len(data):
            self.bytes[: len(data) - here] = data[here:]
        self.count += len(data)
        return True

    def next(self, most):
        """The oldest bytes that lie in one piece, ``most`` of them; they wait on until ``sent``."""
        return self.whole[self.first : min(self.first + min(self.count, most), len(self.bytes))]

    def sent(self, count):
        """The oldest ``count`` bytes wait no more."""
        self.first = (self.first + count) % len(self.bytes)
        self.count -= count


class Link:
    """``calling`` (HELLO until somebody welcomes us) or ``open``.

    ``opened()`` is called when a host has welcomed us, ``wanted()`` when it asks for a snapshot or readings were
    dropped: the node then sends its state anew. ``micros()`` is the node's clock. ``show(turn, alert, sound)`` sets the
    lights; all of them go out when the host falls silent.
    """

    def __init__(self, codec, boot, cause, identity, micros, opened, wanted, show, capacity=512):
        times = codec.schema["milliseconds"]
        self.codec = codec
        self.boot = boot
        self.cause = cause
        self.identity = identity  # (sensors, map hash, resets, brown-outs, firmware, node name, files)
        self.micros = micros
        self.opened = opened
        self.wanted = wanted
        self.show = show
        self.kept = []  # presses and knocks while nobody listens: no snapshot will tell them
        self.capacity = capacity
        self.queue = Queue(capacity)
        self.window = codec.schema["window"]
        self.retry = times["retry"]
        self.call = times["call"]
        self.beat = times["heartbeat"]
        self.silence = times["silence"]
        self.splitter = Splitter(codec.max_body + 8)
        self.out = Outgoing(OUT_MOST + OUT_SPARE)
        self.session = 0
        self.opening = 1
        self.is_open = False
        self.dropped = 0
        self.repeated = 0
        self.broken = 0
        self.heard = 0
        self.call_due = 0
        self.beat_due = 0
        self.forget()

    def forget(self):
        self.queue.clear()
        self.flight = []  # wire frames, the first carries sequence number self.base
        self.base = 0
        self.retry_due = None
        self.went_back = None
        self.overflowed = False

    # what comes in

    def receive(self, data, now):
        for block in self.splitter.feed(data):
            frame = self.codec.decode(block)
            if frame is None:
                self.broken += 1
            elif frame[2] == self.boot or frame[0] == "call":
                self.take(frame, now)

    def take(self, frame, now):
        name, seq, _, session, _, values = frame
        if name == "call":
            if self.is_open and session != self.session:
                self.close(now)
            elif not self.is_open:
                self.call_due = now
            return
        if name == "welcome":
            self.welcome(session, values, now)
            return
        if name == "clock_request":
            self.free("clock_answer", values)
            self.heard = now
            return
        if not self.is_open or session != self.session:
            return
        self.heard = now
        if name == "ack":
            self.acknowledge(seq, now)
        elif name == "nak":
            self.acknowledge(seq, now)
            waited = self.went_back is None or now - self.went_back >= self.retry // 2
            if self.flight and waited and len(self.out) < OUT_ENOUGH:
                self.go_back(now)
        elif name == "snapshot_request":
            self.wanted()
        elif name == "lights":
            self.show(*values)

    def welcome(self, session, values, now):
        schema, opening = values
        if self.is_open or schema != self.codec.hash or opening != self.opening:
            return
        self.forget()
        self.session = session
        self.is_open = True
        self.heard = now
        self.beat_due = now
        self.opened()
        kept, self.kept = self.kept, []
        oldest = self.micros() - KEPT_FOR
        for name, kept_values, micros in kept:
            if micros >= oldest:
                self.send(name, kept_values, micros)

    def close(self, now):
        self.is_open = False
        self.kept = []
        while len(self.queue):
            message = self.queue.take()
            if message[0] in MOMENTARY:
                self.kept = self.kept[-KEPT_MOST + 1 :]
                self.kept.append(message)
        self.show(0, 0, 0)
        self.opening = (self.opening + 1) & WORD
        self.session = 0
        self.forget()
        self.call_due = now

    def acknowledge(self, seq, now):
        count = (seq - self.base) & WORD
        if 0 < count <= len(self.flight):
            self.flight = self.flight[count:]
            self.base = seq
            self.retry_due = now + self.retry if self.flight else None
            self.went_back = None

    # what goes out

    def free(self, name, values, seq=0):
        self.put(self.codec.encode(name, seq, self.boot, self.session, self.micros(), values))

    def put(self, wire):
        """Hand one frame to the port; False where too much waits for it already."""
        if not len(self.out):
            self.out.put(b"\0")  # ends whatever noise the line has brought since the last frame
        return self.out.put(wire)

    def put_numbered(self, wire):
        return len(self.out) + len(wire) <= OUT_MOST and self.put(wire)

    def send(self, name, values, micros):
        """Queue one numbered message. Before a welcome only presses and knocks are kept: the snapshot at the opening
        tells the rest."""
        if not self.is_open:
            if name in MOMENTARY:
                self.kept = self.kept[-KEPT_MOST + 1 :]
                self.kept.append((name, values, micros))
            return
        if len(self.queue) >= self.capacity:
            self.dropped += len(self.queue) + 1
            self.queue.clear()
            self.overflowed = True
            return
        if self.overflowed:
            self.dropped += 1
            return
        self.queue.append((name, values, micros))

    def go_back(self, now):
        for wire in self.flight:
            if not self.put_numbered(wire):
                break  # the host asks again for what is missing from here on
            self.repeated += 1
        self.went_back = now
        self.retry_due = now + self.retry

    def tick(self, now):
        """Send what is due; returns the milliseconds until something will be."""
        if not self.is_open:
            return self.tick_calling(now)
        if now - self.heard > self.silence:
            self.close(now)
            return 0
        if self.overflowed and len(self.flight) < self.window // 2:
            self.overflowed = False
            self.wanted()
        if now >= self.beat_due:  # before what is repeated: where that fills the port, the host would hear nothing
            if len(self.out) < OUT_MOST:
                counts = (len(self.queue), self.dropped, self.repeated & 0xFFFFFFFF, self.broken)
                self.free("heartbeat", counts, (self.base + len(self.flight)) & WORD)
            self.beat_due = now + self.beat
        if self.retry_due is not None and now >= self.retry_due:
            if len(self.out) < OUT_ENOUGH:
                self.go_back(now)
            else:
                self.retry_due = now + self.retry
        self.fill(now)
        due = self.beat_due if self.retry_due is None else min(self.beat_due, self.retry_due)
        return max(0, due - now)

    def tick_calling(self, now):
        if now >= self.call_due:
            if len(self.out) < OUT_ENOUGH:
                self.free("hello", (self.codec.hash, self.opening, self.cause) + self.identity)
            self.call_due = now + self.call
        return max(0, self.call_due - now)

    def fill(self, now):
        sent = False
        while len(self.queue) and len(self.flight) < self.window:
            name, values, micros = self.queue.oldest()
            seq = (self.base + len(self.flight)) & WORD
            wire = self.codec.encode(name, seq, self.boot, self.session, micros, values)
            if not self.put_numbered(wire):
                break
            self.flight.append(wire)
            self.queue.take()
            sent = True
        if sent and self.retry_due is None:
            self.retry_due = now + self.retry
