# What a node makes of its sensors. No pins, no clock, no link: ``now`` is the node's clock in microseconds, ``report``
# takes (message name, values, moment). ``due`` is the next moment a sensor wants ``step``; None: only when poked.

MS = 1000

COIL_AWAKE = 23 * MS  # where a look takes no time (in simulation): as long as a slow reader takes for one tag
COIL_EMPTY = 19 * MS  # and where nobody answers; a real reader looks again as soon as it has looked
COIL_ASLEEP = 115 * MS
COIL_STAYS_AWAKE = 1500 * MS
COIL_FRESH = 2000 * MS  # an answer no older than this tells how it stands: to look anew at six coils takes too long
TAG_TAKES = 24 * MS  # what every further tag adds to an inventory

SCALE_PERIOD = 40 * MS  # 25 readings a second, busy or not; few of them are sent when nothing moves
SCALE_SLOW = 4000 * MS
SCALE_AFTER = 440 * MS
SCALE_MORE = 260 * MS  # after the last reading that had not settled
SCALE_WINDOW = 6  # readings that must agree before the plate counts as settled (0.24 s)
SCALE_LEAST = 600  # milligrams: a third of a card; smaller steps are drift or noise
SCALE_AGREE = 1500  # milligrams: readings this near to each other agree, and a card is more
SCALE_QUIETEST = 120  # milligrams: no load cell is assumed quieter than this
SCALE_NOISIEST = 1200  # milligrams: nor any louder; one that is never settles, and nobody believes what it says
SCALE_LONGEST = 4000 * MS  # of a burst in which the plate never settles, before it is asked whether that is noise

SCALE_SILENT = 1000 * MS  # a load cell that has not answered for so long has failed

HOLD = {"beam": 10 * MS, "shield": 30 * MS, "button": 20 * MS, "screen": 30 * MS, "tray": 30 * MS}

KNOCK_LEAST = 300  # milli-g
KNOCK_RINGS = 30 * MS  # the time in which the ringing of the table top halves


class Coil:
    """One antenna. Scans fast while something goes on near it, slowly else; reports an answer unlike the last."""

    kind = "coil"

    def __init__(self, index, name, board, report, fails):
        self.index = index
        self.name = name
        self.board = board
        self.report = report
        self.fails = fails
        self.answer = ()
        self.looked = None  # when the reader last answered, be it with nothing
        self.whole = False  # everybody who answered then was read
        self.unsure = False  # a snapshot could not say who is here
        self.awake_until = 0
        self.due = 0

    def wake(self, now):
        self.awake_until = max(self.awake_until, now + COIL_STAYS_AWAKE)
        if self.due > now + COIL_AWAKE:
            self.due = now

    def step(self, now):
        found = self.look(now)
        answer = self.answer if found is None else found
        if answer != self.answer or (self.unsure and self.whole):
            self.answer = answer
            self.unsure = False
            self.awake_until = now + COIL_STAYS_AWAKE
            self.report("tags", (self.index, answer), now)
        self.due = now + self.pause(now < self.awake_until)

    def pause(self, awake):
        """Time from the beginning of one look to the next."""
        if awake and not self.board.quick:
            return 0
        pause = COIL_ASLEEP
        if awake:
            pause = COIL_AWAKE if self.answer else COIL_EMPTY
        if len(self.answer) > 1:
            pause += TAG_TAKES * (len(self.answer) - 1)
        return pause

    def look(self, now):
        """Who answers; None where the reader does not, which is told as trouble and says nothing of the tags.

        Where somebody answered who could not be read, those who were there before may still be: nobody has gone.
        """
        found = self.board.inventory(self.name)
        trouble, self.whole = self.board.inventory_remark()
        self.fails(self.index, trouble)
        if found is None:
            self.looked = None
            return None
        self.looked = now
        if not self.whole:
            found = set(found) | set(self.answer)
        return tuple(sorted(found))

    def clock_set(self, now):
        self.awake_until = now
        self.due = now

    def state(self, now):
        if self.board.quick or self.looked is None or not 0 <= now - self.looked <= COIL_FRESH:
            found = self.look(now)
            if found is not None:
                self.answer = found
        # of a coil at which nobody could be read it is not known that nobody is there
        self.unsure = self.looked is None or not (self.whole or self.answer)
        return None if self.unsure else ("tags", (self.index, self.answer))


class Scale:
    """One plate. Every reading is sent while it moves and 0.44 s longer, so that several settled ones close it."""

    kind = "scale"

    def __init__(self, index, name, board, report, changed, fails):
        self.index = index
        self.name = name
        self.board = board
        self.report = report
        self.changed = changed  # called when the weight begins to move
        self.fails = fails
        self.heard = None  # when the load cell last answered
        self.recent = []
        self.rest = None  # milligrams at rest
        self.noise = SCALE_QUIETEST  # mean absolute difference of neighbouring readings at rest
        self.busy_until = None
        self.busy_since = 0
        self.told = 0  # readings of this burst
        self.turned = 0  # and how many of them lay beyond both their neighbours
        self.sent = -SCALE_SLOW
        self.due = 0

    def settled(self):
        if len(self.recent) < SCALE_WINDOW:
            return False
        spread = max(self.recent) - min(self.recent)
        return spread <= max(SCALE_AGREE, 5 * self.noise)

    def moved(self, reading):
        """True if the plate has left its rest: one reading far off, or the last four together."""
        if abs(reading - self.rest) > max(2 * SCALE_LEAST, 5 * self.noise):
            return True
        last = self.recent[-4:]
        return len(last) == 4 and abs(sum(last) // 4 - self.rest) > max(SCALE_LEAST, 3 * self.noise // 2)

    def begin_burst(self, now):
        self.busy_since = now
        self.told = self.turned = 0

    def watch_burst(self):
        """Count how often the readings turn round: two of three times where they waver, seldom where something moves."""
        if len(self.recent) >= 3:
            before, reading, after = self.recent[-3:]
            self.told += 1
            self.turned += before < reading > after or before > reading < after

    def step(self, now):
        self.due = now + SCALE_PERIOD
        reading = self.board.weigh(self.name)
        trouble = self.board.weigh_remark(self.name)
        if reading is None:
            if self.heard is None:
                self.heard = now
            elif now - self.heard > SCALE_SILENT:
                self.recent = []  # what it read before says nothing of now
                self.rest = self.busy_until = None
                self.fails(self.index, trouble or "the load cell does not answer")
            return
        self.heard = now
        self.fails(self.index, trouble)
        self.recent.append(reading)
        if len(self.recent) > SCALE_WINDOW:
            self.recent.pop(0)
        if self.rest is None:  # just switched on: tell how it stands until it has settled
            self.rest = reading
            self.begin_burst(now)
            self.busy_until = now + SCALE_AFTER
        if self.busy_until is None:
            if self.moved(reading):
                self.begin_burst(now)
                self.busy_until = now + SCALE_AFTER
                self.recent = self.recent[-1:]
                self.changed(self, now)
            else:
                self.watch_rest(reading)
        settled = self.settled()
        if self.busy_until is not None:
            self.send(now, reading, settled)
            self.watch_burst()
            if not settled and now - self.busy_since < SCALE_LONGEST:
                self.busy_until = max(self.busy_until, now + SCALE_MORE)
            elif not settled and 2 * self.turned < self.told:  # it is being moved all the time: that is no noise
                self.begin_burst(now)
                self.busy_until = now + SCALE_MORE
            elif now >= self.busy_until:
                if not settled:  # it wavers more than was thought
                    self.noise = min(SCALE_NOISIEST, max(self.noise, sum(self.steps()) // len(self.recent)))
                self.busy_until = None
                self.rest = sum(self.recent) // len(self.recent)
        elif now - self.sent >= SCALE_SLOW:
            self.send(now, reading, settled)

    def steps(self):
        return [abs(self.recent[i] - self.recent[i - 1]) for i in range(1, len(self.recent))]

    def watch_rest(self, reading):
        # drift is followed slowly; the noise is learned from neighbours, which drift does not spoil
        self.rest += (reading - self.rest) // 32
        if len(self.recent) >= 2:
            self.noise += (self.steps()[-1] - self.noise) // 16
            self.noise = min(SCALE_NOISIEST, max(self.noise, SCALE_QUIETEST))

    def send(self, now, reading, settled):
        self.sent = now
        self.report("scale", (self.index, reading, 1 if settled else 0), now)

    def state(self, now):
        if not self.recent:
            self.step(now)
        if not self.recent:
            return None  # the load cell has not answered yet
        return "scale", (self.index, self.recent[-1], 1 if self.settled() else 0)

    def clock_set(self, now):
        self.busy_until = None
        self.heard = now if self.heard is not None else None
        self.sent = now - SCALE_SLOW
        self.due = now


class Contact:
    """A beam, a shield, a button, a screen or the tray's place. The first edge is reported at once; while the contact may chatter nothing more
    is, and then, where it has come to lie otherwise, that is reported with the moment at which it changed."""

    def __init__(self, index, kind, name, board, report, touched):
        self.index = index
        self.kind = kind
        self.name = name
        self.report = report
        self.touched = touched
        self.level = 1 if board.level(kind, name) else 0
        self.raw = self.level
        self.raw_since = 0
        self.held_until = 0
        self.due = None

    def edge(self, level, now):
        if level == self.raw:
            return
        self.raw = level
        self.raw_since = now
        if now >= self.held_until:
            self.accept(now)
        else:
            self.due = self.held_until

    def step(self, now):
        self.due = None
        if self.raw != self.level:
            self.accept(self.raw_since)
            self.held_until = now + HOLD[self.kind] // 2

    def accept(self, moment):
        self.level = self.raw
        self.held_until = moment + HOLD[self.kind]
        if self.kind == "button":
            if self.level:
                self.report("press", (self.index,), moment)
        else:
            self.report("level", (self.index, self.level), moment)
        self.touched(self, moment)

    def clock_set(self, now):
        self.held_until = now
        self.due = None

    def state(self, now):
        return None if self.kind == "button" else ("level", (self.index, self.level))


class Knock:
    """An accelerometer under the table top. A peak counts unless it may be the ringing of the knock before it."""

    kind = "knock"
    due = None

    def __init__(self, index, name, report):
        self.index = index
        self.name = name
        self.report = report
        self.last = 0
        self.last_at = 0

    def peak(self, value, now):
        halvings = min(16, (now - self.last_at) // KNOCK_RINGS) if self.last else 16
        ringing = self.last >> halvings
        if value >= KNOCK_LEAST and value > ringing:
            self.last = value
            self.last_at = now
            self.report("knock", (self.index, min(value, 0xFFFF)), now)

    def state(self, now):
        return None

    def clock_set(self, now):
        self.last = 0
