"""The sixteen examples of the norms as gestures: people, tray, camera and contacts, to article, offender and law 23."""

import random
from typing import Any, NamedTuple

import pytest

from hw.cards import BRIDGE, face
from hw.observation_log import Header
from hw.seats import CLOCKWISE, SEATS, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, LayOut, Press, SetTable, TakeHeap, Wait
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.screen_gestures import (
    CallGesture,
    ClearTray,
    FaceCards,
    HoldCall,
    LeadFaceDown,
    OpenAperture,
    PushTray,
    TakeBackCard,
)
from table_service.games.bridge.fold.game import open_fold
from table_service.games.bridge.judges.sides import other_side, pusher, side_of
from table_service.games.bridge.rehearsal import SCREENED

N, E, S, W = Seat
TAGS = {f"E004{number:012X}": card for number, card in enumerate(BRIDGE.cards())}
HEADER = Header(table="T1", rules="bridge", started="2026-11-23T10:00:00Z", seats=dict.fromkeys(SEATS, "x"), tags=TAGS)
DEALT = {
    N: ("S743", "HAKJ9", "D852", "CAQ7"),
    E: ("S85", "HT6", "D974", "CJT9853"),
    S: ("SAQ", "H7542", "DKQJT63", "C4"),
    W: ("SKJT962", "HQ83", "DA", "CK62"),
}
"""As the first five examples have it; a heart and a club more than the text shows in two hands that it leaves short."""


class Answer(NamedTuple):
    """What has to come of an example: ``does`` is the remedy that is proposed, ``watch`` whose gain 23 asks about."""

    offender: Seat
    articles: tuple[str, ...]
    does: tuple[str, ...]
    watch: str | None = None
    needs_referee: bool = False
    options: tuple[str, ...] = ()


ACCEPTED = ("nothing", "referee")
"""Accepted by passing: it goes on, and law 23 is remembered."""
CALLS: dict[str, tuple[Seat, str, Answer]] = {
    # dealer, what happens (S:1S a call, S> S pushes the tray), the answer
    "FIGB-6": (S, "S:1S W:1H S>", Answer(W, ("4a(ii)", "29A", "27A"), ACCEPTED, "NS")),
    "FIGB-7": (S, "S:1S W:1H W>", Answer(W, ("4a", "27"), ("referee",), options=("27A", "27B1a", "27B1b", "27B2"))),
    "FIGB-8": (N, "N:1N E:2D N> S:2C W:P S>", Answer(S, ("4a-4b",), ACCEPTED, "both", needs_referee=True)),
    "FIGB-9": (N, "E:1H N>", Answer(E, ("4a(ii)", "29A"), ACCEPTED, "NS")),
    "FIGB-10": (N, "E:1H E>", Answer(E, ("4a", "31A"), ("referee",), options=("29A", "31"))),
    "FIGB-11": (N, "> W:1C S>", Answer(W, ("4a(ii)", "29A"), ACCEPTED, "NS")),
    "FIGB-12": (N, "> W:1C W>", Answer(W, ("4a", "31B"), ("referee",), options=("29A", "31"))),
    "FIGB-13": (N, "> S:1C W:1D S>", Answer(S, ("4a-4b",), ACCEPTED, "both", needs_referee=True)),
    "FIGB-14": (E, "> S:1C W:1D W>", Answer(S, ("4a(ii)", "29A"), ACCEPTED, "EW")),
    "FIGB-15": (E, "> W:1D S>", Answer(W, ("4a(ii)", "29A"), ACCEPTED, "NS")),
    "FIGB-16": (E, "> W:1D W>", Answer(W, ("4a", "31B"), ("referee",), options=("29A", "31"))),
}
LEADS: dict[str, tuple[str, Answer]] = {
    # 3NT by North, East is to lead: W:JS a lead, a! the arbitro called, -W taken back, o=S the aperture opened by S
    "FIGB-1": ("W:JS a! -W E:8S o=E", Answer(W, ("4c",), ("take-back", "nothing"))),
    "FIGB-2": ("W:JS o=S", Answer(W, ("4c(ii)", "54B1", "53", "41"), ACCEPTED, "NS")),
    "FIGB-3": ("W:JS o=W", Answer(W, ("4c(i)", "54"), ("referee",), options=("54A", "FIGB-3"))),
    "FIGB-4": ("W:JS o=W", Answer(W, ("4c(i)", "54"), ("referee",), options=("54A", "54B", "54C", "54D"))),
    "FIGB-5": ("E:8S W:JS o=W", Answer(W, ("4c(iii)", "58A", "50D"), ("expose",))),
}
ANSWERS = {row: one[-1] for row, one in (CALLS | LEADS).items()}
TOLD_AS = {"FIGB-3": "FIGB-4"}
"""Nobody hears the question and its silence: example 3 is told as example 4, with 3 as a choice."""


def physical(printed: str) -> str:
    return next(card for card in BRIDGE.cards() if face(card) == printed)


def pockets() -> dict[str, tuple[tuple[str, ...], ...]]:
    hands = {seat: [rank + suit[0] for suit in suits for rank in suit[1:]] for seat, suits in DEALT.items()}
    return {f"board-{seat}": (tuple(map(physical, hands[seat])),) for seat in SEATS}


class Acted:
    """One example acted at the simulated table before sensors that err as assumed; what came out of it."""

    def __init__(self, row: str, words: str | None = None, seed: int = 11) -> None:
        """``words``: what is done in place of the example's own."""
        self.observer = Observer(TAGS, load_noise("normal"), random.Random(seed), SCREENED)
        self.fold, self.told = open_fold(HEADER), list[dict[str, Any]]()
        self.chance, self.secrets = random.Random(seed), list[dict[str, Any]]()
        dealer, text = (W, LEADS[row][0]) if row in LEADS else CALLS[row][:2]
        self.side = side_of(dealer)
        self.do(ConsoleGesture("start-round", fields={"deals": 1}), SetTable({}, pockets()))
        self.do(ConsoleGesture("deal", fields={"deal": 1, "board": 1, "dealer": str(dealer), "vulnerable": "NS"}))
        self.do(*(TakeHeap(seat, f"board-{seat}") for seat in SEATS), Wait(2.0))
        if row in LEADS:
            self.auction(dealer, "1S 2C P 3C P 3N P P P")
        for word in (words or text).split():
            self.act(word)
        self.do(Wait(4.0))

    def do(self, *gestures: Gesture) -> None:
        for gesture in gestures:
            self.feed(self.observer.perform(gesture)[0])

    def feed(self, lines: Any) -> None:
        events = [event for seen in lines for event in self.fold.feed(seen)]
        self.told += [{"type": one.type} | one.data.model_dump(mode="json") for one in events]
        self.secrets += [dict(one.secret) for one in events if one.secret is not None]

    def pause(self) -> None:
        self.do(Wait(self.chance.uniform(1.0, 4.0)))

    def push(self, by: Seat | None = None) -> None:
        self.do(Wait(1.0), PushTray(by or pusher(self.side)))
        self.side = other_side(self.side)

    def auction(self, dealer: Seat, calls: str) -> None:
        for seat, call in zip(map(CLOCKWISE.after, [dealer] * 9, range(9)), calls.split(), strict=True):
            if side_of(seat) != self.side:
                self.push()
            self.pause()
            if call == "3N":
                self.do(CallGesture(seat, "stop"), Wait(1.0))
            self.do(CallGesture(seat, call))
        self.push()
        self.do(Wait(2.0), *(ClearTray(seat) for seat in SEATS), Wait(2.0))

    def act(self, word: str) -> None:
        seat = Seat(word[0]) if word[0] in "NESW" else None
        if word.endswith(">"):
            self.push(seat)
        elif word == "a!":
            self.do(Wait(1.0), Press(S, "referee"), Wait(3.0))
        elif word.startswith("o="):
            self.do(Wait(1.0), OpenAperture(Seat(word[2])))
        elif word.startswith("-"):
            self.do(TakeBackCard(Seat(word[1])), Wait(1.0))
        elif word[1] == "!":
            self.do(HoldCall(Seat(word[0]), word[2:]))
        elif word in ("W:JS", "E:8S"):
            self.do(Wait(1.0), LeadFaceDown(Seat(word[0]), physical(word[2:])), Wait(1.5), FaceCards(Seat(word[0])))
        elif seat is not None:
            self.pause()
            self.do(CallGesture(seat, word[2:]))

    def end(self) -> None:
        self.do(Wait(2.0), ConsoleGesture("end-round"))
        self.feed(self.observer.finish())

    def of(self, type_: str) -> list[dict[str, Any]]:
        return [one for one in self.told if one["type"] == type_]

    @property
    def found(self) -> list[dict[str, Any]]:
        """Irregularities in their last state; jumps without the stop card, which these people leave out, apart."""
        latest = {one["key"]: one for one in self.of("irregularity")}
        return [one for one in latest.values() if one["row"] != "NI-18.3"]


def check(example: Acted, row: str) -> None:
    answer = ANSWERS[row]
    (one,) = [one for one in example.found if one["row"] != "law-23"]
    assert (one["row"], one["offender"]) == (TOLD_AS.get(row, row), str(answer.offender))
    assert (one["needs_referee"], one["unconfirmed"]) == (answer.needs_referee, False)
    assert [article for article in answer.articles if article not in one["article"]] == []
    assert tuple(step["do"] for step in one["remedy"]) == answer.does
    assert set(answer.options) <= {*one["options"], *(choice["key"] for choice in one["choices"])}
    assert bool(answer.options) == bool(one["choices"])
    example.end()
    asked = [one["pair"] or "both" for one in example.found if one["row"] == "law-23"]
    assert asked == ([] if answer.watch is None else [answer.watch])


@pytest.mark.parametrize("row", [row for row in ANSWERS if row != "FIGB-1"])
def test_an_example_acted_at_the_table_is_answered_as_the_norms_answer_it(row: str) -> None:
    check(Acted(row), row)


def test_a_lead_of_example_1_is_withdrawn_behind_the_aperture_and_only_the_arbitro_learns_of_it() -> None:
    example = Acted("FIGB-1")
    sealed = [lead for one in example.secrets for lead in one.get("leads", ())]
    assert ("W", "JS") in {(str(one["seat"]), one["card"]) for one in sealed}
    assert example.of("lead.made")[-1]["card"] == "8S"
    assert example.of("penalty-card.set") == []
    example.end()
    assert example.found == []


def test_a_lead_that_is_not_withdrawn_though_the_arbitro_was_called_in_time_is_that_of_example_1() -> None:
    check(Acted("FIGB-1", words="W:JS a! o=S"), "FIGB-1")


def test_example_3_is_the_arbitro_s_choice_on_example_4_the_card_goes_back_and_law_23_is_asked() -> None:
    example = Acted("FIGB-3", words="W:JS o=W")
    example.do(ConsoleGesture("rule", fields={"row": "FIGB-4", "seat": "W", "option": "FIGB-3"}))
    for word in ("-W", "E:8S"):
        example.act(word)
    example.do(LayOut(S), Wait(8.0))
    assert [(one["row"], one["state"]) for one in example.found] == [("FIGB-3", "ruled")]
    assert example.of("lead.made")[-1]["card"] == "8S"
    assert example.of("penalty-card.set") == []
    example.end()
    assert [(one["row"], one["pair"]) for one in example.found] == [("FIGB-3", "EW"), ("law-23", "NS")]


@pytest.mark.parametrize("then", ["", "N:1H "])
def test_a_call_that_is_shown_beside_the_tray_counts_as_made(then: str) -> None:
    """18.2: North shows one heart; East's one diamond over it is insufficient, whether North has laid his or not."""
    example = Acted("FIGB-9", words=f"N!1H {then}E:1D E>")
    assert [(one["seat"], one["call"]) for one in example.of("call.made")] == [("N", "1H"), ("E", "1D")]
    assert [(one["row"], one["offender"]) for one in example.found] == [("FIGB-7", "E")]
