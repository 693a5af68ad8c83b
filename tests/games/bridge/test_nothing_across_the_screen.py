"""What one side of the screen does is in no public byte before the tray passes, nor its tempo afterwards."""

import json
import random
from typing import Any

from hw.observations import Reach, Screen, Sight
from hw.seats import CLOCKWISE, Seat
from table_service.events import Event, dumps
from table_service.games.bridge.fold.event_writer import UNSURE_S
from table_service.games.bridge.judges.sides import pusher, screen_mate, side_of
from table_service.games.bridge.rules.auction import CALLS
from tests.games.bridge.table_of_bridge import TableOfBridge, deal_hands, pbn_of


class Watched(TableOfBridge):
    """A table whose every public byte is compared: while the tray stands, nothing may change by what lies on it."""

    def __init__(self) -> None:
        super().__init__(step=1.7)
        self.stood: str | None = None
        self.silent = True
        self.passed_t = 0.0

    def feed(self, seen: Any) -> list[Event]:
        before = json.dumps(self.fold.state(), sort_keys=True)
        told = super().feed(seen)
        if self.silent and isinstance(seen, Sight | Reach):
            fixed = self.passed_t + UNSURE_S  # what too few pictures had shown when the tray was passed
            assert [dumps(one) for one in told if (one.type, one.t) not in waited(fixed)] == [], seen
            if not any(one.type == "irregularity" for one in told):
                assert json.dumps(self.fold.state(), sort_keys=True) == before
        self.passed_t = max((one.t for one in told if one.type == "tray.passed"), default=self.passed_t)
        return told


def waited(t: float) -> set[tuple[str, float]]:
    """Return the events that may come at the fixed moment ``t`` after a passing, whatever happens at the tray."""
    return {("call.made", t), ("contract.made", t), ("irregularity", t)}


def any_auction(table: Watched, chance: random.Random, dealer: Seat) -> None:
    """Calls, lawful or not, changed calls, alerts and stop cards; the tray pushed by anybody."""
    seat = dealer
    for _ in range(chance.randint(4, 16)):
        if side_of(seat) != table.side:
            table.silent = False
            table.push(chance.choice([None, screen_mate(pusher(table.side))]), known=chance.random() < 0.8)
            table.silent = True
        running = table.fold.game.running
        assert running is not None
        if running.is_over:
            return
        lawful = running.board.tray.auction.lawful(seat)
        call = chance.choice(CALLS) if chance.random() < 0.1 else chance.choice(lawful) if lawful else "P"
        if chance.random() < 0.2:
            table.tray[seat].append("stop")
            table.sight()
        table.wait(chance.choice([0.2, 3.0, 30.0]))
        table.call(seat, "P" if chance.random() < 0.5 else call)
        if chance.random() < 0.2:
            table.take_call(seat)
            table.call(seat, "P")
        if chance.random() < 0.3:
            table.tray[seat].append("alert")
            table.wait()
            table.sight()
            if chance.random() < 0.5:
                table.take_call(seat)
        seat = CLOCKWISE.next(seat)


def test_while_the_tray_stands_nothing_public_changes_and_what_is_told_holds_no_tempo_and_no_alert() -> None:
    chance = random.Random(4)
    for _ in range(25):
        table = Watched()
        dealer = chance.choice(list(Seat))
        hands = deal_hands(chance)
        table.begin(dealer, record=pbn_of(hands))
        any_auction(table, chance, dealer)
        running = table.fold.game.running
        assert running is not None
        if running.is_over:
            continue
        told = [one for one in table.events if one.type != "round.started"]
        times = {round(one.t, 3) for one in running.board.tray.calls} | {one.t for one in running.board.alerts}
        times -= {one.t for one in running.board.tray.passings}
        for one in told:
            public = json.loads(dumps(one))
            assert one.type not in ("alert.shown", "alert.returned", "board.sealed")
            if one.type == "call.made":
                assert public["committed_t"] not in times
                assert "t" not in public["data"]
            assert "secret" not in public
            assert not any(hand in dumps(one) for hand in (pbn_of(hands).split('"')[1],))
        passed = [(str(one.seat), one.call) for one in running.board.tray.calls if one.passed is not None]
        shown = [(one["seat"], one["call"]) for one in table.fold.state()["auction"]]
        assert shown == passed


def test_two_auctions_that_differ_on_one_side_only_are_the_same_bytes_until_the_tray_passes() -> None:
    outputs = []
    for call, alert, late in (("1S", True, 25.0), ("4N", False, 0.0), ("P", True, 3.0)):
        table = TableOfBridge()
        table.begin(Seat.NORTH)
        table.t = 10.0
        table.call(Seat.NORTH, call)
        if alert:
            table.tray[Seat.NORTH].append("alert")
            table.wait(late)
            table.sight()
        table.call(Seat.EAST, "P")
        outputs.append(([dumps(one) for one in table.events], json.dumps(table.fold.state())))
    assert outputs[0] == outputs[1] == outputs[2]


def test_leads_behind_the_closed_aperture_are_known_to_nobody_across() -> None:
    table = Watched()
    table.silent = False
    table.begin(Seat.WEST, vulnerable="NS")
    table.auction(Seat.WEST, "1S 2C P 3C P 3N P P P")
    table.clear()
    table.shut()
    table.silent = True
    table.lead(Seat.WEST, "JS", covered=True)
    table.take_card(Seat.WEST, "JS")
    table.lead(Seat.EAST, "8S")
    assert table.of("lead.made") == []
    table.silent = False
    table.feed(Screen(table.wait(), "aperture", "open", Seat.EAST))
    assert table.of("lead.made") == [{"card": "8S", "seat": "E", "opens": "S"}]
    assert table.found == []
    table.console("end-round")
    assert [one["state"] for one in table.found if one["row"].startswith("FIGB")] in ([], ["healed"])


def test_the_arbitro_has_it_sealed_with_every_passing_and_when_he_is_called() -> None:
    table = TableOfBridge()
    table.begin(Seat.NORTH)
    table.call(Seat.NORTH, "1S")
    table.tray[Seat.NORTH].append("alert")
    table.wait(25.0)
    table.sight()
    called = table.press(Seat.EAST, "referee")
    sealed = next(one for one in called if one.type == "screen.sealed")
    assert sealed.secret is not None
    assert [one["call"] for one in sealed.secret["calls"]] == ["1S"]
    assert [one["by"] for one in sealed.secret["alerts"]] == ["N"]
    table.call(Seat.EAST, "P")
    passed = next(one for one in table.push() if one.type == "tray.passed")
    assert passed.secret is not None
    (stay,) = passed.secret["tempo"]
    assert (stay["side"], stay["evidence_for"]) == ("NE", "SW")
    assert stay["seconds"] > 20
    assert table.found == []  # evidence accuses nobody
