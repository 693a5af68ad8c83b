"""The sixteen examples of the norms as observations: to row, offender and the question of law 23."""

from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.bridge.judges.sides import side_of
from tests.games.bridge.table_of_bridge import TableOfBridge

N, E, S, W = Seat
CALLS: dict[str, tuple[Seat, str, str, str | None]] = {
    # dealer, what happens (S:1S a call, S> S pushes the tray), the offender, against whom law 23 is asked
    "FIGB-6": (S, "S:1S W:1H S>", "W", "NS"),
    "FIGB-7": (S, "S:1S W:1H W>", "W", None),
    "FIGB-8": (N, "N:1N E:2D N> S:2C W:P S>", "S", "both"),
    "FIGB-9": (N, "E:1H N>", "E", "NS"),
    "FIGB-10": (N, "E:1H E>", "E", None),
    "FIGB-11": (N, "W:1C S>", "W", "NS"),
    "FIGB-12": (N, "W:1C W>", "W", None),
    "FIGB-13": (N, "S:1C W:1D S>", "S", "both"),
    "FIGB-14": (E, "S:1C W:1D W>", "S", "EW"),
    "FIGB-15": (E, "W:1D S>", "W", "NS"),
    "FIGB-16": (E, "W:1D W>", "W", None),
}
LEADS: dict[str, tuple[str, str | None]] = {
    "FIGB-1": ("W:JS a!", None),
    "FIGB-2": ("W:JS o=S", "NS"),
    "FIGB-4": ("W:JS o=W", None),
    "FIGB-5": ("E:8S W:JS o=W", None),
}


def play(table: TableOfBridge, text: str) -> None:
    for word in text.split():
        if word == "a!":
            table.press(S, "referee")
        elif word.startswith("o="):
            table.open(None if word[2] == "?" else Seat(word[2]))
        elif word.endswith(">"):
            table.push(None if word[0] == "?" else Seat(word[0]), known=word[0] != "?")
        elif len(word.split(":")[1]) == 2 and word[2] in "AKQJT98" and table.fold.game.running.board.opening:  # type: ignore[union-attr]
            table.lead(Seat(word[0]), word[2:], covered=False)
        else:
            table.call(Seat(word[0]), word[2:])


def of_calls(dealer: Seat, text: str) -> TableOfBridge:
    table = TableOfBridge()
    table.begin(dealer, side=side_of(Seat(text[0])))
    play(table, text)
    return table


def of_leads(text: str) -> TableOfBridge:
    """3NT by North, East is to lead."""
    table = TableOfBridge()
    table.begin(W, vulnerable="NS")
    table.auction(W, "1S 2C P 3C P 3N P P P")
    table.clear()
    table.shut()
    play(table, text)
    return table


def question(table: TableOfBridge) -> str | None:
    """Against whom law 23 is asked once the board is over; asked once."""
    table.console("end-round")
    asked = [one for one in table.found if one["row"] == "law-23"]
    assert len(asked) <= 1
    return None if not asked else asked[0]["pair"] or "both"


def told(table: TableOfBridge) -> dict[str, Any]:
    table.wait(2.0)  # what pictures have shown once may be a misreading
    table.sight()
    (one,) = [one for one in table.found if one["row"] not in ("law-23", "NI-18.3")]
    return one


@pytest.mark.parametrize("row", CALLS)
def test_the_examples_of_calls_come_out_of_observations(row: str) -> None:
    dealer, text, offender, watch = CALLS[row]
    table = of_calls(dealer, text)
    one = told(table)
    assert (one["row"], one["offender"], one["side"], one["state"]) == (row, offender, "both", "open")
    assert one["needs_referee"] is (watch == "both")
    assert question(table) == watch
    assert told(table)["row"] == row


@pytest.mark.parametrize("row", CALLS)
def test_before_the_tray_passes_nothing_at_all_is_told(row: str) -> None:
    dealer, text, _, _ = CALLS[row]
    words = text.split()
    table = TableOfBridge()
    table.begin(dealer, side=side_of(Seat(text[0])))
    play(table, " ".join(words[:-2]))
    before, state = len(table.events), table.fold.state()
    play(table, words[-2])
    assert (table.events[before:], table.found, table.fold.state()) == ([], [], state)


@pytest.mark.parametrize("row", CALLS)
def test_where_no_beam_names_the_hand_the_event_asks_between_two_rows(row: str) -> None:
    dealer, text, offender, _ = CALLS[row]
    words = text.split()
    one = told(of_calls(dealer, " ".join([*words[:-1], "?>"])))
    assert (one["offender"], one["needs_referee"], len(one["options"])) == (offender, True, 2)
    assert row in one["options"]


@pytest.mark.parametrize("row", LEADS)
def test_the_examples_of_leads_come_out_of_observations(row: str) -> None:
    text, watch = LEADS[row]
    table = of_leads(text)
    if row == "FIGB-1":
        assert table.found == []  # with the aperture closed the other side learns nothing
        table.take_card(W, "JS")
        table.lead(E, "8S")
        table.open(E)
        assert table.fold.game.running.board.play.penalty_cards == ()  # type: ignore[union-attr]
        assert table.of("lead.made")[-1] == {"card": "8S", "seat": "E", "opens": "S"}
        assert question(table) is None
        return
    one = told(table)
    assert (one["row"], one["offender"], one["cards"], one["needs_referee"]) == (row, "W", ["JS"], False)
    assert question(table) == watch


def test_a_lead_out_of_turn_for_which_the_arbitro_was_called_in_time_is_that_of_example_1() -> None:
    table = of_leads("W:JS a! o=S")
    assert told(table)["row"] == "FIGB-1"
    sealed = [one for one in table.events if one.type == "screen.sealed"]
    assert sealed[0].secret is not None
    assert sealed[0].secret["leads"][0]["card"] == "JS"
    assert sealed[0].data.model_dump() == {}


def test_example_3_answers_as_4_with_3_as_a_choice() -> None:
    assert told(of_leads("W:JS o=W"))["options"] == ["54A", "54B", "54C", "54D", "FIGB-3", "FIGB-2"]


def test_of_an_unknown_hand_at_the_aperture_is_asked() -> None:
    one = told(of_leads("W:JS o=?"))
    assert one["needs_referee"] is True
    assert {"FIGB-2", "FIGB-3", "FIGB-4"} == set(one["options"])


def test_example_5_leaves_the_wrong_lead_as_a_major_penalty_card_and_the_right_one_stands() -> None:
    table = of_leads("E:8S W:JS o=W")
    assert table.of("lead.made") == [{"card": "8S", "seat": "E", "opens": "S"}]
    assert table.of("penalty-card.set") == [{"card": "JS", "seat": "W", "kind": "major"}]


def test_a_call_changed_in_time_is_told_as_put_right_only_when_the_board_is_over() -> None:
    table = of_calls(N, "N:1N E:2D N> S:2C")
    table.take_call(S)
    table.call(S, "3C")
    table.call(W, "P")
    table.push()
    assert table.found == []
    assert [one["call"] for one in table.of("call.made")] == ["1N", "2D", "3C", "P"]
    table.console("end-round")
    (one,) = [one for one in table.found if one["row"] == "A4-2a"]
    assert (one["offender"], one["state"]) == ("S", "healed")


@pytest.mark.parametrize(("option", "watch"), [("FIGB-3", "NS"), ("FIGB-2", "NS"), ("54B", None), ("54D", None)])
def test_what_the_arbitro_chooses_on_a_lead_decides_whether_law_23_is_asked(option: str, watch: str | None) -> None:
    table = of_leads("W:JS o=W")
    table.console("rule", row="FIGB-4", seat="W", option=option)
    assert question(table) == watch


@pytest.mark.parametrize(
    ("dealer", "text", "row", "option", "watch"),
    [
        (S, "S:1S W:1H W>", "FIGB-7", "27B2", "EW"),
        (S, "S:1S W:1H W>", "FIGB-7", "27A", None),
        (S, "S:1S W:1H ?>", "law-27", "FIGB-6", "NS"),
        (S, "S:1S W:1H ?>", "law-27", "FIGB-7", None),
        (N, "N:1N E:2D N> S:2C W:P ?>", "law-27", "FIGB-8", "both"),
        (S, "S:1S W:1H S>", "FIGB-6", None, "NS"),
    ],
)
def test_what_the_arbitro_chooses_on_a_call_decides_whose_gain_law_23_asks_about(
    dealer: Seat, text: str, row: str, option: str | None, watch: str | None
) -> None:
    table = of_calls(dealer, text)
    table.console("rule", row=row, seat=told(table)["offender"], **({} if option is None else {"option": option}))
    assert question(table) == watch


def test_who_led_out_of_turn_by_a_silence_has_no_penalty_card_and_is_not_accused_of_it_again() -> None:
    table = of_leads("W:JS o=W")
    table.console("rule", row="FIGB-4", seat="W", option="FIGB-3")
    table.take_card(W, "JS")
    table.lead(E, "8S")
    table.show(S, ["AS", "QS", "TD", "4C"])
    table.wait(10.0)
    table.sight()
    assert [(one["row"], one["state"]) for one in table.found] == [("FIGB-3", "ruled")]
    assert table.of("penalty-card.set") == []
