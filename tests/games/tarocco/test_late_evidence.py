"""Late evidence at a table of tarocco: what turns out to be none is retracted, what is known better is named."""

from __future__ import annotations

from collections.abc import Iterable

from hw.observations import Button, Console
from hw.seats import Seat
from table_service.events import Event
from table_service.games.tarocco.fold.game import Tarocco, open_fold
from table_service.table.game_fold import GameFold
from table_service.tracking.movements import Movement, Named, Notice, Retracted
from tests.games.tarocco.table_of_tarocco import E, N, S, W, header

SEEN = ("sight", "reach")


def table() -> GameFold[Tarocco]:
    """A table on which the first deal is played, dealer East."""
    fold = open_fold(header())
    fold.feed(Console(0.0, "", "start-round", {"deals": 4}))
    fold.feed(Console(1.0, "", "deal", {"deal": 1, "dealer": "E"}))
    fold.feed(Console(2.0, "", "start-play"))
    return fold


def lay(id_: int, t: float, seat: Seat, card: str) -> Movement:
    return Movement(id_, t + 0.4, t, (card,), f"hand-{seat}", "trick", seat, 0.99, SEEN)


def gather(id_: int, t: float, cards: str) -> Movement:
    return Movement(id_, t + 0.4, t, tuple(cards.split()), "trick", None, N, 0.99, SEEN)


PLAYS = [
    lay(n, 30.0 + 2 * n, seat, card) for n, (seat, card) in enumerate(((N, "KC"), (W, "6C"), (S, "7C"), (E, "8C")), 1)
]


def retracted(events: Iterable[Event]) -> list[str]:
    """The ids of what ``events`` retract."""
    return [str(event.data.model_dump()["event"]) for event in events if event.type == "event.retracted"]


def test_a_trick_that_was_not_gathered_after_all_is_retracted_and_won_anew() -> None:
    fold = table()
    events = fold.follow([*PLAYS, gather(5, 42.0, "KC 6C 7C 8C")])
    (won,) = (event for event in events if event.type == "trick.won")
    (gone,) = fold.follow([Retracted(44.0, 5, "the cards still lie there")])
    assert gone.data.model_dump() == {"event": won.id, "note": "the cards still lie there"}
    (again,) = fold.follow([gather(6, 46.0, "KC 6C 7C 8C")])
    assert again.data.model_dump() == won.data.model_dump()


def test_a_deal_that_is_not_over_after_all_takes_back_its_end_and_its_count() -> None:
    fold = table()
    game = fold.game
    claim = Movement(5, 40.4, 40.0, tuple(f"{n}D" for n in "KQCFA6789T"), "hand-N", "side-N", N, 0.99, SEEN)
    hand = Movement(6, 41.4, 41.0, ("KB", "QB", "CB", "FB"), "hand-N", "side-N", N, 0.99, SEEN)
    events = fold.follow([*PLAYS, claim, hand, Notice(43.0, Button(43.0, N, "count"))])
    claimed, end, count = (
        next(event.id for event in events if event.type == type_)
        for type_ in ("claim.made", "deal.ended", "score.counted")
    )
    assert not game.in_play
    events = fold.follow([Retracted(44.0, 6, "he has taken them up again")])
    assert retracted(events) == [claimed, end, count]
    assert game.in_play
    assert fold.table.sheets.by_deal == {}


def test_of_two_cards_seen_at_once_each_is_named_and_retracted_by_its_own_event() -> None:
    fold = table()
    both = Movement(2, 34.4, 34.0, ("6C", "??"), "hand-W", "trick", W, 0.99, SEEN)
    first, *events = fold.follow([lay(1, 32.0, N, "KC"), both])
    played = [event for event in (first, *events) if event.type == "trick.played"]
    assert [event.data.model_dump()["card"] for event in played] == ["KC", "6C", "??"]
    named = fold.follow([Named(36.0, 2, ("6C", "7C"), 0.99, SEEN)])
    assert [event.data.model_dump() for event in named if event.type == "card.named"] == [
        {"event": played[2].id, "cards": ("7C",)}
    ]
    assert retracted(fold.follow([Retracted(37.0, 2, "glare")])) == [played[1].id, played[2].id]
