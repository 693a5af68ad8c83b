"""Tracking takes anything that sensors can say, in any order, and its words add up to its table."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import BURRACO
from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.observations import (
    Button,
    Console,
    Health,
    Knock,
    Observation,
    Other,
    Reach,
    Said,
    Scale,
    Screen,
    Shield,
    Sight,
    SightedCard,
    Tags,
    Tray,
)
from hw.seats import SEATS
from table_service.tracking import TrackedCards, Tracker
from table_service.tracking.movements import (
    Counted,
    Movement,
    Named,
    Notice,
    Retracted,
    RowChanged,
    Track,
    Unverified,
)

TAGS = {f"E0{n}": card for n, card in enumerate(BURRACO.cards()[:12])}
HEADER = Header("T1", "fibur2024", tags=TAGS)
SCALED = ("stock", "discard", "pots")

times = st.floats(0, 120).map(lambda t: round(t, 3))
seats = st.sampled_from(SEATS)
zones = st.sampled_from(
    [
        "stock",
        "discard",
        "pots",
        "melds-NS",
        "melds-EW",
        "table",
        "gate-N",
        "gate-stock",
        "hand-N",
        "side-E",
        "",
        "moon",
    ]
)
grams = st.one_of(st.integers(-3, 60).map(lambda n: n * 1.8), st.floats(-1e6, 1e6), st.floats(-5, 120))
faces = st.sampled_from(["7H", "JK", "2S", "??", "QD#1", "nonsense", ""])
sighted = st.builds(
    SightedCard,
    faces,
    zones,
    st.floats(-450, 450),
    st.floats(-450, 450),
    st.floats(0, 180),
    st.sampled_from(["up", "up", "up", "down"]),
    st.floats(0, 1),
    st.one_of(st.none(), st.integers(-2, 4)),
    st.one_of(st.none(), st.integers(-2, 40)),
)
observations = st.one_of(
    st.builds(Tags, times, zones, st.lists(st.sampled_from([*TAGS, "FFFF"]), max_size=3).map(tuple)),
    st.builds(Scale, times, zones, grams, st.booleans()),
    st.builds(Sight, times, st.lists(sighted, max_size=8).map(tuple), st.lists(zones, max_size=2).map(tuple)),
    st.builds(Reach, times, st.one_of(st.none(), seats), st.one_of(st.none(), zones), st.sampled_from(["in", "out"])),
    st.builds(Shield, times, seats, st.sampled_from(["up", "over"])),
    st.builds(Screen, times, st.just("panel"), st.just("up"), st.none()),
    st.builds(Tray, times, st.just("NE"), st.none()),
    st.builds(Knock, times, st.none()),
    st.builds(Button, times, seats, st.just("referee")),
    st.builds(Said, times, st.none(), st.just("card:7H")),
    st.builds(Health, times, st.sampled_from(["table", "camera"]), st.sampled_from(["ok", "lost", "reset"])),
    st.builds(Other, times, st.just("weather")),
)
commands = st.builds(
    Console,
    times,
    st.just("arbitro-1"),
    st.sampled_from(["deal", "start-play", "correct", "rule", "odd"]),
    st.dictionaries(
        st.sampled_from(["zone", "cards", "row"]),
        st.one_of(zones, st.integers(-5, 300), st.lists(faces, max_size=4), st.none()),
    ),
)
logs = st.lists(observations, max_size=60)


def played(log: list[Observation]) -> tuple[list[Track], Tracker]:
    tracker = Tracker(HEADER, BURRACO_TABLE)
    said = [track for observation in log for track in tracker.feed(observation)]
    return said + tracker.close(), tracker


@settings(max_examples=150)
@given(st.lists(st.one_of(observations, observations, commands), max_size=60), st.booleans())
def test_any_sequence_is_taken_and_every_notice_comes_once(log, in_order):
    if in_order:
        log = sorted(log, key=lambda observation: observation.t)
    said, tracker = played(log)
    silent = (Tags, Scale, Sight, Reach)
    noticed = [id(track.observation) for track in said if isinstance(track, Notice)]
    assert sorted(noticed) == sorted(id(o) for o in log if not isinstance(o, silent))
    assert isinstance(tracker.table, TrackedCards)
    numbers = [track.id for track in said if isinstance(track, Movement | RowChanged)]
    assert numbers == list(range(1, len(numbers) + 1))


def added_up(said: list[Track]) -> tuple[dict[str, int], dict[tuple[str, int | None], list[str]]]:
    """Cards on the scales and in the rows as the words alone tell."""
    gone = {track.movement for track in said if isinstance(track, Retracted)}
    names = {track.movement: track.cards for track in said if isinstance(track, Named)}
    counts = dict.fromkeys(SCALED, 0)
    rows: dict[tuple[str, int | None], list[str]] = {}
    for track in said:
        if isinstance(track, Movement) and track.id not in gone:
            size = len(names.get(track.id, track.cards))
            for zone, sign in ((track.source, -1), (track.target, 1)):
                if zone in counts:
                    counts[zone] += sign * size
        if isinstance(track, Movement | RowChanged) and track.row is not None:
            zone = track.zone if isinstance(track, RowChanged) else None
            if isinstance(track, Movement):
                zone = track.target if str(track.target).startswith("melds") else track.source
            rows[str(zone), track.row] = list(track.after if isinstance(track, RowChanged) else track.result)
    return counts, rows


row_faces = st.lists(st.sampled_from(["7H", "7H", "JK", "2S", "??", "QD"]), max_size=5).map(tuple)
looks = st.lists(
    st.tuples(
        st.sampled_from(["look", "look", "look", "in", "out", "hide", "tag"]),
        row_faces,
        row_faces,
        seats,
        st.floats(0.05, 1.5),
    ),
    max_size=40,
)


@settings(max_examples=300)
@given(looks)
def test_rows_may_change_in_any_way_under_any_hands(steps):
    """Frames of two rows and loose cards, hands that come and go, cards at gates: taken as they come."""
    log: list[Observation] = []
    t = 1.0
    for frame, (what, one, other, seat, pause) in enumerate(steps):
        t += pause
        if what == "look":
            rows = [
                SightedCard(card, zone, 0.0, 0.0, 0.0, "up", 0.9, row, order if row is not None else None)
                for zone, row, cards in (("melds-NS", 1, one), ("melds-NS", 2, other), ("table", None, other[:2]))
                for order, card in enumerate(cards)
            ]
            log.append(Sight(t, tuple(rows), (), frame))
        elif what == "hide":
            log.append(Sight(t, (), ("melds-NS", "discard"), frame))
        elif what == "tag":
            log.append(Tags(t, f"gate-{seat}", ("E01",) if one else ("E02",)))
        else:
            log.append(Reach(t, seat, "melds-NS", "in" if what == "in" else "out"))
    said, tracker = played(log)
    _, rows_told = added_up(said)
    lain = {(zone, row): list(cards) for zone, there in tracker.table.rows.items() for row, cards in there.items()}
    assert {place: cards for place, cards in rows_told.items() if cards} == lain


bursts = st.lists(
    st.tuples(st.sampled_from(SCALED), st.integers(0, 9), st.sampled_from(SEATS), st.floats(0.3, 6), st.booleans()),
    max_size=14,
)


@settings(max_examples=100)
@given(bursts, logs)
def test_what_is_said_of_the_scales_adds_up_to_what_lies_there(changes, noise):
    """Counts on the table are the sum of the movements told, whatever else the other sensors say meanwhile."""
    log: list[Observation] = [Console(0.0, "a", "deal", {}), Console(0.1, "a", "start-play", {})]
    t, lying = 1.0, dict.fromkeys(SCALED, 0)
    for zone, count, seat, pause, seen in changes:
        t += pause
        if seen:
            log.append(Reach(t, seat, zone, "in"))
        for n in range(8):
            level = lying[zone] * 1.8 * 0.4 + count * 1.8 * 0.6 if n < 2 else count * 1.8
            log.append(Scale(t + 0.3 + 0.05 * n, zone, level, n >= 2))
        t += 0.9
        if seen:
            log.append(Reach(t, seat, zone, "out"))
        lying[zone] = count
    extra = [o for o in noise if not isinstance(o, Scale)]
    log = log[:2] + sorted(log[2:] + extra, key=lambda observation: observation.t)
    said, tracker = played(log)
    doubted = {track.zone for track in said if isinstance(track, Unverified)}
    # what nobody vouches for is told as counted anew, not as moved, once its plate has come to rest
    counted = doubted | {track.zone for track in said if isinstance(track, Counted) and track.cards}
    counts, rows = added_up(said)
    for zone in SCALED:
        if zone not in counted:
            assert tracker.table.counts[zone] == counts[zone], zone
    lain = {(zone, row): list(cards) for zone, there in tracker.table.rows.items() for row, cards in there.items()}
    assert {place: cards for place, cards in rows.items() if cards} == lain


@settings(max_examples=60)
@given(bursts)
def test_the_scales_end_where_the_cards_are(changes):
    log: list[Observation] = [Console(0.0, "a", "deal", {}), Console(0.1, "a", "start-play", {})]
    t, lying = 1.0, dict.fromkeys(SCALED, 0)
    for zone, count, seat, pause, _ in changes:
        t += pause
        log.append(Reach(t, seat, zone, "in"))
        for n in range(8):
            level = (lying[zone] + count) * 0.9 if n < 2 else count * 1.8
            log.append(Scale(t + 0.3 + 0.05 * n, zone, level, n >= 2))
        t += 0.9
        log.append(Reach(t, seat, zone, "out"))
        lying[zone] = count
    _, tracker = played(log)
    assert tracker.table.counts == lying
    assert len(tracker.table.pile) == lying["discard"]
