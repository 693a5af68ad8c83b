# Whose hand reached where, from nine light barriers: one along each seat's edge, one across each place. A barrier does
# not know whose arm breaks it, so the two are put together here, and where they do not tell, the seat is "-" (nobody
# knows). No pins, no clock: moments are the node's microseconds, ``report`` takes ("S:P", 1 in or 0 out, moment).

MS = 1000
CLEARED = 15 * MS  # so long a barrier must be whole again; it breaks at once
JUST_LEFT = 300 * MS  # an arm whose edge cleared so short ago may still be the one that breaks a place
STUCK = {"edge": 300_000 * MS, "place": 60_000 * MS}  # an arm rests in an edge, and hardly in a place
TABLE_AFTER = 400 * MS  # an arm over the edge that has broken no place by then reaches for the table somewhere else

EDGES = "NESW"


class Barrier:
    """One light barrier after its chatter: ``broken``, and when it came to be so."""

    def __init__(self):
        self.broken = False
        self.since = -JUST_LEFT - 1
        self.clears = None  # when it counts as whole, unless it is broken again before
        self.whole_at = 0


class Reaches:
    """Tells a reach for each arm. ``raw`` when a barrier changes, ``tick`` when ``due`` has come."""

    def __init__(self, places, report):
        self.report = report
        self.edges = {seat: Barrier() for seat in EDGES}
        self.places = {place: Barrier() for place in places}
        self.seat_at = {}  # place: whose arm is told to be there
        self.table_since = {}  # seat: its arm is over the edge and at no place since then
        self.at_table = set()  # seats that are told to reach for the table

    def raw(self, kind, name, level, now):
        """Barrier ``edge`` or ``place`` ``name`` is broken (1) or whole (0) from ``now`` on."""
        barrier = (self.edges if kind == "edge" else self.places).get(name)
        if barrier is None:
            return
        if level:
            barrier.clears = None
            if not barrier.broken:
                barrier.broken = True
                barrier.since = now
                if kind == "edge":
                    self.table_since[name] = now
                else:
                    self.entered(name, self.whose(now), now)
        elif barrier.broken and barrier.clears is None:
            barrier.whole_at = now
            barrier.clears = now + CLEARED

    def due(self):
        """Time at which ``tick`` is wanted next, or None."""
        times = [b.clears for b in list(self.edges.values()) + list(self.places.values()) if b.clears is not None]
        times.extend(since + TABLE_AFTER for seat, since in self.table_since.items() if seat not in self.at_table)
        return min(times) if times else None

    def tick(self, now):
        for place, barrier in self.places.items():  # places first: an arm leaves them before its edge
            if barrier.clears is not None and barrier.clears <= now:
                self.whole(barrier)
                self.left(place, barrier.whole_at)
        for seat, barrier in self.edges.items():
            if barrier.clears is not None and barrier.clears <= now:
                self.whole(barrier)
                self.edge_left(seat, barrier.whole_at)
        for seat, since in self.table_since.items():
            if seat not in self.at_table and since + TABLE_AFTER <= now:
                self.at_table.add(seat)
                self.report(seat + ":table", 1, since)

    def stuck(self, now):
        """Barriers that have been broken for longer than an arm stays: something stands in them, or they see no light."""
        told = []
        for kind, barriers in (("edge", self.edges), ("place", self.places)):
            for name in sorted(barriers):
                if barriers[name].broken and now - barriers[name].since > STUCK[kind]:
                    told.append(kind + " " + name)
        return told

    def whole(self, barrier):
        barrier.broken = False
        barrier.clears = None
        barrier.since = barrier.whole_at

    def whose(self, now):
        """The one seat whose arm is over its edge; else the one whose arm has just left it; else "-"."""
        over = [seat for seat, barrier in self.edges.items() if barrier.broken]
        if not over:
            over = [seat for seat, barrier in self.edges.items() if now - barrier.since <= JUST_LEFT]
        return over[0] if len(over) == 1 else "-"

    def entered(self, place, seat, now):
        self.seat_at[place] = seat
        self.leave_table(seat, now)
        self.report(seat + ":" + place, 1, now)

    def left(self, place, now):
        seat = self.seat_at.pop(place, None)
        if seat is None:
            return
        self.report(seat + ":" + place, 0, now)
        if seat != "-" and self.edges[seat].broken and seat not in self.seat_at.values():
            self.table_since[seat] = now

    def edge_left(self, seat, now):
        self.leave_table(seat, now)
        for place in [place for place, whose in self.seat_at.items() if whose == seat]:
            self.seat_at.pop(place)
            self.report(seat + ":" + place, 0, now)
            if self.places[place].broken and self.places[place].clears is None:
                # somebody else's arm is there too: the one that is over an edge and at no other place, if there is one
                over = [s for s, b in self.edges.items() if b.broken and s not in self.seat_at.values()]
                self.entered(place, over[0] if len(over) == 1 else "-", now)

    def leave_table(self, seat, now):
        self.table_since.pop(seat, None)
        if seat in self.at_table:
            self.at_table.discard(seat)
            self.report(seat + ":table", 0, now)
