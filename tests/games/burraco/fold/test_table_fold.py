"""The fold of a table on the shared example: every action in order, one irregularity, no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import BURRACO, face
from hw.observation_log import Header, read_log
from hw.observations import Button, Console, Health, Said, Shield
from hw.seats import SEATS, Seat
from table_service.events import dumps, event_to_json
from table_service.games.burraco.fold import TableFold
from table_service.tracking.movements import Counted, Movement, Named, Notice, Retracted, RowChanged, Shown, Track

EXAMPLE = Path(__file__).parents[3] / "tracking" / "data" / "example_deal.jsonl.gz"
KINDS = {
    "card.turned": "turn-up",
    "card.drawn": "draw",
    "pile.collected": "collect",
    "meld.opened": "open",
    "meld.extended": "extend",
    "card.discarded": "discard",
    "card.returned": "return-to-stock",
}


@pytest.fixture
def example() -> tuple[list[dict[str, Any]], TableFold]:
    header, observations = read_log(EXAMPLE)
    fold = TableFold(header)
    events = [event for observation in observations for event in fold.feed(observation)]
    return [event_to_json(event, secret=True) for event in [*events, *fold.close()]], fold


def test_the_example_shows_every_action_in_order_with_its_turn(example: Any) -> None:
    truth = json.loads(EXAMPLE.with_name("example_deal.truth.json").read_text(encoding="utf-8"))
    events = [event for event in example[0] if event["type"] in KINDS]
    wanted = [action for action in truth["actions"] if action["type"] != "ruled"]
    assert [(KINDS[e["type"]], e["seat"], e["turn"]) for e in events] == [
        (a["type"], a["seat"], a["turn"]) for a in wanted
    ]
    for event, action in zip(events, wanted, strict=True):
        data, secret = event["data"], event.get("secret", {})
        shown = data.get("card") or secret.get("card") or secret.get("cards") or data.get("cards") or data.get("added")
        cards = [shown] if isinstance(shown, str) else shown or data["meld"]["cards"]
        assert sorted(map(face, cards)) == sorted(map(face, action["cards"]))


def test_the_example_has_one_irregularity_ruled_and_its_sanction_served_at_turn_6(example: Any) -> None:
    told = [event for event in example[0] if event["type"] == "irregularity"]
    assert [(e["data"]["row"], e["seat"], e["data"]["state"]) for e in told] == [
        ("F-31a", "N", "open"),
        ("F-31a", "N", "ruled"),
    ]
    assert told[0]["data"]["committed_t"] == pytest.approx(123.261, abs=0.01)
    assert told[0]["t"] < 129.476
    served = [event for event in example[0] if event["type"] == "sanction.served"]
    assert [(e["data"]["do"], e["turn"]) for e in served] == [("return-to-stock", 4), ("limit-turn", 6)]
    assert not [event for event in example[0] if event["type"] == "sanction.broken"]


def test_the_example_keeps_108_cards_and_names_no_hidden_one_in_public(example: Any) -> None:
    events, fold = example
    assert fold.deal is not None
    assert fold.deal.size == 108
    public = json.dumps([{**event, "secret": None} for event in events] + [fold.state()])
    assert "5C#1" not in public
    assert "KC#1" in json.dumps([event.get("secret") for event in events])


def test_the_example_gives_the_same_bytes_twice() -> None:
    runs = []
    for _ in range(2):
        header, observations = read_log(EXAMPLE)
        fold = TableFold(header)
        events = [event for observation in observations for event in fold.feed(observation)]
        runs.append("\n".join(dumps(event, secret=True) for event in [*events, *fold.close()]))
    assert runs[0] == runs[1]


def test_turns_start_with_the_first_act_and_deals_and_rounds_are_told(script: Any) -> None:
    script.turn("W")
    script.turn("N")
    assert [(e.seat, e.turn) for e in script.of("turn.started")] == [("W", 1), ("N", 2)]
    types = [event.type for event in script.events[:4]]
    assert types == ["round.started", "deal.started", "deal.checked", "card.turned"]


def test_a_deal_that_nobody_announced_begins_with_its_turn_up() -> None:
    fold = TableFold(Header("T1", "fibur2024"))
    move = Movement(1, 5.0, 4.7, ("TD",), "stock", "discard", Seat.EAST, 0.99, ("scale",))
    types = [event.type for event in fold.follow([move])]
    assert types == ["deal.started", "card.turned"]
    assert fold.state()["turn"]["seat"] == "S"


def test_art17_closing_ends_the_deal_and_the_count_follows_the_button(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "3H 4H 5H 6H 7H 8H 9H")
    script.lay("W", 1, "KH KD KC")
    script.discard("W", "KS")
    script.hands(W="")
    assert script.of("deal.ended") == []
    pot = script.take_pot("W", giver="N")
    assert [(e.type, e.seat, e.data.manner) for e in pot] == [("pot.taken", "W", "discard")]
    for seat in "NES":
        script.turn(seat)
    script.hands(W="2C")
    script.draw("W", "5D")
    script.lay("W", 1, "2C", before="KH KD KC")
    ended = [event for event in script.discard("W", "5D") if event.type == "deal.ended"]
    assert [(e.seat, e.data.manner) for e in ended] == [("W", "closed")]
    script.hands(N="AS", E="", S="3D 4D")
    for seat, cards in (("N", "AS"), ("S", "3D 4D")):
        script.shown(seat, cards)
    (scored,) = [event for event in script.press("N", "count") if event.type == "score.counted"]
    lines = scored.data.lines
    assert lines["EW"]["items"] == {
        "burraco": 200,
        "closing": 100,
        "melds": 45 + 50,
        "pot": 0,
        "hand": 0,
        "penalised": 0,
        "bonus": 0,
    }
    assert lines["NS"]["total"] == -100 - 15 - 10
    assert scored.data.agrees is True
    assert scored.data.match_points == {"NS": -520, "EW": 520}
    assert scored.data.victory_points is None


def test_the_score_names_what_differs_and_chooses_neither(script: Any) -> None:
    script.over()
    script.hands(N="AS 3D", E="", S="", W="")
    script.shown("N", "AS 4D")
    (scored,) = [event for event in script.press("N", "count") if event.type == "score.counted"]
    assert scored.data.lines["NS"]["items"]["hand"] is None
    assert scored.data.doubtful == ("NS.hand",)
    assert scored.data.agrees is False
    (differs,) = scored.data.differences
    assert (differs["line"], differs["item"], differs["cards"]) == ("NS", "hand", ["3D"])


def test_a_later_count_supersedes_the_first(script: Any) -> None:
    script.over()
    script.hands(N="AS", E="", S="", W="")
    first = script.press("N", "count")[0]
    again = script.shown("N", "AS 4D")
    assert [event.data.supersedes for event in again] == [first.id]


def test_an_unknown_hand_that_nobody_laid_out_is_doubtful(script: Any) -> None:
    script.over()
    script.console("end-round")
    (scored,) = script.of("score.counted")
    assert set(scored.data.doubtful) == {"NS.hand", "EW.hand"}
    assert [event.type for event in script.events[-2:]] == ["score.counted", "round.ended"]


def test_a_card_named_later_is_told_with_the_event_it_belongs_to(script: Any) -> None:
    script.draw("W")
    (event,) = [e for e in script.move("??", "hand-W", "discard", "W") if e.type == "card.discarded"]
    (named,) = script.named(script.moves, "JH#1")
    assert (named.type, named.data.event, named.data.cards) == ("card.named", event.id, ("JH",))
    assert script.fold.state()["pile"] == ["TD", "JH"]


def test_a_zone_that_cannot_be_relied_on_is_told_once_and_trusted_again(script: Any) -> None:
    script.counted("stock", 40)
    script.counted("stock", 40)
    script.counted("stock", 41)
    states = [(e.data.what, e.data.state) for e in script.of("table.health")]
    assert states == [("stock", "unverified"), ("stock", "verified")]
    assert script.verdicts() == []


CARD = st.sampled_from((*BURRACO.copies, "??", "7H#1", "XX", ""))
CARDS = st.lists(CARD, max_size=5).map(tuple)
ZONE = st.sampled_from(
    ("stock", "discard", "pots", "table", "melds-NS", "melds-EW", "hand-N", "hand-W", "side-E", "gate-S", "moon", None)
)
SEAT = st.sampled_from((*SEATS, None))
ORDERS = ("start-round", "deal", "start-play", "time-out", "rule", "dismiss", "confirm", "warn", "correct", "bonus")
VALUE = st.one_of(
    st.none(), st.integers(-3, 120), st.sampled_from(("N", "NS", "F-31a", "stock", "melds-EW", "x")), CARDS.map(list)
)
FIELDS = st.dictionaries(
    st.sampled_from(
        ("row", "seat", "key", "cards", "line", "points", "deal", "dealer", "zone", "meld", "freeze", "option")
    ),
    VALUE,
    max_size=4,
)


def _tracks() -> st.SearchStrategy[Track]:
    number, moment = st.integers(1, 12), st.floats(0, 200)
    sure = st.sampled_from((0.3, 0.9, 1.0))
    observations = st.one_of(
        st.builds(Console, moment, st.just("a"), st.sampled_from((*ORDERS, "end-round", "?")), FIELDS),
        st.builds(Said, moment, SEAT, st.sampled_from(("pot", "close", "card:7H", "card:", "card:zz"))),
        st.builds(Button, moment, st.sampled_from(SEATS), st.sampled_from(("count", "referee", "ready"))),
        st.builds(Shield, moment, st.sampled_from(SEATS), st.sampled_from(("up", "over"))),
        st.builds(Health, moment, st.just("camera"), st.sampled_from(("ok", "lost", "reset"))),
    )
    return st.one_of(
        st.builds(
            Movement,
            number,
            moment,
            moment,
            CARDS,
            ZONE,
            ZONE,
            SEAT,
            sure,
            st.just(("scale",)),
            st.integers(0, 3),
            CARDS,
        ),
        st.builds(
            RowChanged, number, moment, moment, ZONE.map(str), st.integers(0, 3), CARDS, CARDS, SEAT, sure, st.just(())
        ),
        st.builds(Named, moment, number, CARDS, sure, st.just(())),
        st.builds(Retracted, moment, number, st.just("no")),
        st.builds(Counted, moment, ZONE.map(str), st.one_of(st.none(), st.integers(0, 60)), sure),
        st.builds(Shown, moment, moment, st.just("hand-N"), CARDS, st.sampled_from(SEATS), sure, st.just(())),
        observations.map(lambda seen: Notice(seen.t, seen)),
    )


@settings(max_examples=120)
@given(st.lists(_tracks(), max_size=50))
def test_nothing_that_tracking_says_raises_or_loses_a_card(tracks: list[Track]) -> None:
    fold = TableFold(Header("T1", "fibur2024"))
    fold.follow([Notice(0.0, Console(0.0, "a", "deal", {"deal": 1, "dealer": "S"}))])
    for track in tracks:
        size = fold.deal.size if fold.deal else None
        number = fold.state()["deal"]
        for event in fold.follow([track]):
            json.loads(dumps(event, secret=True))
        same_deal = isinstance(track, Movement | RowChanged | Named | Retracted | Shown)
        if same_deal and size is not None and fold.state()["deal"] == number and fold.deal is not None:
            assert fold.deal.size == size or fold.game.parts.pack.is_checked
        json.dumps(fold.state())
