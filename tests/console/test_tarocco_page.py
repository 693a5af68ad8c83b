"""A table of tarocco in the hall's console: its cards are those of our own tarocco, named for who cannot see them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from hw.twin.gestures import PutAside, TakeUp, Wait
from table_service import rulesets
from table_service.console.correction_rules import allowed
from table_service.console.ruling_forms import FormError, cards_of
from table_service.events import event_to_json
from tests.games.tarocco.table_of_tarocco import E, N, S, W, hands_with, opening, told, trick

feed: Any = sys.modules["console_feed"]

HANDS = hands_with({N: "KC t18"})
TAROCCO = rulesets.rule_set("tarocco")


def seated(house: Any, **changes: Any) -> None:
    """T8 plays tarocco: one card lies."""
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8", **changes})


@pytest.mark.parametrize(
    ("typed", "language", "cards"),
    [
        ("KC t20 qd 10b mat ??", "it", ["KC", "t20", "QD", "TB", "mat", "??"]),
        ("RC rd, FS CB", "it", ["KC", "KD", "FS", "CB"]),
        ("KC JD NS 10S", "en", ["KC", "FD", "CS", "TS"]),
        ("Angelo bégato MATTO 16 m1 Moro3 Rcoppe", "it", ["t20", "beg", "mat", "t16", "m1", "m3", "KC"]),
        ("Kcups 10", "en", ["KC", "t10"]),
    ],
)
def test_a_card_of_tarocco_is_read_by_its_code_its_name_and_the_readers_letters(
    typed: str, language: Any, cards: list[str]
) -> None:
    assert cards_of(typed, language, TAROCCO) == cards


@pytest.mark.parametrize("typed", ["7H", "JK", "2C", "t21", "t4", "m5", "re", "KX"])
def test_a_card_that_the_pack_has_not_is_refused(typed: str) -> None:
    with pytest.raises(FormError, match="bad_cards_of_pack"):
        cards_of(typed, "it", TAROCCO)
    with pytest.raises(FormError, match="bad_cards"):
        cards_of("t20", "it")


def test_more_cards_than_a_pack_has_are_refused_and_never_cut_short() -> None:
    assert len(cards_of("7H " * 108)) == 108
    with pytest.raises(FormError, match="too_many_cards"):
        cards_of("7H " * 121)


def test_every_card_of_the_pack_can_be_picked_by_keys() -> None:
    keys = TAROCCO.pages.card_keys
    assert keys is not None
    by_two = {rank.code + suit.code for rank in keys.ranks for suit in keys.suits}
    assert by_two | {key.code for key in keys.alone} == set(TAROCCO.pack.copies)
    for column, language in enumerate(("it", "en")):
        for card in TAROCCO.pack.copies:
            names = {key.sign[column] for key in keys.alone if key.code == card} or {
                rank.sign[column] + suit.sign[column]
                for rank in keys.ranks
                for suit in keys.suits
                if rank.code + suit.code == card
            }
            for name in names:
                assert cards_of(name, language, TAROCCO) == [card]


async def test_a_trick_is_corrected_by_its_cards_and_a_pile_by_its_number(make_house: Any) -> None:
    house = make_house().hear()
    seated(house)
    page = await house.page("/table/T8?lang=it", "arbitro")
    assert 'data-keys="' in page
    for zone in ("trick", "tricks-NS", "tricks-EW", "scarto"):
        assert f'<option value="{zone}">' in page
    await house.post("/table/T8/order/correct", "arbitro", zone="trick", row="3", cards="RC ?? 6C mat")
    assert house.sent[-1][1]["do"] == "correct"
    assert {name: house.sent[-1][1][name] for name in ("zone", "row", "cards")} == {
        "zone": "trick",
        "row": 3,
        "cards": ["KC", "??", "6C", "mat"],
    }
    await house.post("/table/T8/order/correct", "arbitro", zone="trick", cards="10")
    assert house.sent[-1][1]["cards"] == ["t10"]  # a trump, and no number of cards
    await house.post("/table/T8/order/correct", "arbitro", zone="tricks-NS", row="3", cards="")
    assert (house.sent[-1][1]["zone"], house.sent[-1][1]["row"]) == ("tricks-NS", 3)
    sent = len(house.sent)
    assert (await house.post("/table/T8/order/correct", "arbitro", zone="trick", cards="7H")).status_code == 400
    assert (await house.post("/table/T8/order/correct", "arbitro", zone="melds-NS", cards="2")).status_code == 400
    assert len(house.sent) == sent


async def test_a_ruling_names_cards_of_the_pack_and_no_melds_are_asked_for(make_house: Any) -> None:
    house = make_house().hear()
    seated(house)
    await house.post("/table/T8/decide/T13b", "arbitro", seat="N", cards="RC")
    assert house.sent[-1][1]["cards"] == ["KC"]
    alert = {**feed.ALERT, "row": "T13b", "key": "r1d1-1"}
    house.say("T8/alert/r1d1-1", alert)
    page = await house.page("/table/T8/alert/r1d1-1?lang=it", "arbitro")
    assert 'id="cards"' in page
    assert "freeze" not in page
    assert 'name="meld"' not in page
    await house.post("/table/T8/alert/r1d1-1/rule/rule", "arbitro", cards="Angelo")
    assert house.sent[-1][1]["cards"] == ["t20"]


async def test_what_only_a_person_hears_is_entered_by_two_touches(make_house: Any) -> None:
    """The first opens the list, the second says who it was."""
    house = make_house().hear()
    seated(house)
    page = await house.page("/table/T8?lang=it", "arbitro")
    for what in ("accuso", "busso", "striscio", "volo"):
        assert f'id="said-{what}-N"' in page
    assert 'id="said-out-N"' not in page  # nobody calls out in Quattro Scartate
    await house.post("/table/T8/order/said", "arbitro", what="striscio", seat="N")
    assert {name: house.sent[-1][1][name] for name in ("do", "what", "seat")} == {
        "do": "said",
        "what": "striscio",
        "seat": "N",
    }
    await house.post("/table/T8/order/said", "arbitro", what="accuso", seat="W", cards="RC RD RS RB")
    assert house.sent[-1][1]["cards"] == ["KC", "KD", "KS", "KB"]
    sent = len(house.sent)
    for form in ({"what": "out", "seat": "N"}, {"what": "pot", "seat": "N"}, {"what": "busso", "seat": "X"}):
        assert (await house.post("/table/T8/order/said", "arbitro", **form)).status_code == 400
    assert len(house.sent) == sent
    seated(house, match={"form": "ottocento"})
    assert 'id="said-out-N"' in await house.page("/table/T8?lang=it", "arbitro")
    await house.post("/table/T8/order/said", "arbitro", what="out", seat="N")
    assert house.sent[-1][1]["what"] == "out"
    assert 'id="said-striscio-N"' not in await house.page("/table/T12?lang=it", "arbitro"), "Burraco has other words"
    assert 'id="said"' not in await house.page("/table/T8?lang=it", "spectator")


@pytest.mark.parametrize("lang", ["it", "en"])
async def test_the_page_names_the_cards_and_draws_them_of_its_own_pack(make_house: Any, lang: str) -> None:
    house = make_house().hear()
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8"})
    page = (await house.get(f"/table/T8?lang={lang}")).text
    assert ("Re di coppe" if lang == "it" else "King of cups") in page
    assert "/cards/tarocco/KC.svg" in page
    assert "/cards/KC.svg" not in page
    assert (await house.get("/cards/tarocco/KC.svg")).text != (await house.get("/cards/KC.svg")).text
    for wrong in ("/cards/tarocco/7H.svg", "/cards/minchiate/KC.svg"):
        assert (await house.get(wrong)).status_code == 404


def scored(house: Any) -> None:
    """A deal of T8 is counted."""
    begin = {**feed.event(500, "round.started", deals=4), "table": "T8", "deal": None}
    house.say("T8/event/round.started", begin)
    figures = {"cricche": 96, "sequences": 210, "scartini": 56, "last_trick": 6, "accusi": 25, "penalty": 0}
    lines = {line: {"items": figures, "total": 393, "running": 393} for line in ("NS", "EW")}
    count = {"lines": lines, "camera": lines, "ledger": lines, "agrees": True, "doubtful": [], "differences": []}
    house.say("T8/event/score.counted", {**feed.event(501, "score.counted", **count), "table": "T8", "deal": 1})


async def test_the_match_sheet_has_points_deals_won_and_begati_and_names_no_article_of_another_code(
    make_house: Any,
) -> None:
    house = make_house().hear()
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    match = {"form": "quattro-scartate", "total": {"NS": 700, "EW": 650}, "deals_won": {"NS": 3, "EW": 1}}
    match |= {"begati": {"NS": 1, "EW": 2}, "is_over": True, "winner": "NS", "decided_by": "points"}
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8", "match": match})
    scored(house)
    page = (await house.get("/sheets/T8?lang=it")).text
    assert "Foglio di gara" in page
    for told_there in ("700", "650", "ai punti", "La partita è di Nord–Sud"):
        assert told_there in page
    assert "art." not in page
    assert "non ancora consegnato alla Giuria" in page


def test_a_match_sheet_that_was_handed_in_says_that_the_giuria_decides(make_house: Any) -> None:
    house = make_house().hear()
    scored(house)
    held = house.office.sheets.now("T8")
    paper = rulesets.rule_set("tarocco").paper
    assert "Giuria" in allowed(paper, None, held, "", 0.0).why[0]
    assert "una contestazione non è più ascoltata" in allowed(paper, None, held, "delivered", 0.0).why[0]


async def test_a_row_names_its_comma_and_a_part_of_the_rules_by_its_name(make_house: Any) -> None:
    house = make_house().hear()
    seated(house)
    page = await house.page("/table/T8/decide?lang=it", "arbitro")
    assert "comma 14" in page
    assert "art." not in page
    assert "comma Ottocento" not in page
    assert "art. 31" in await house.page("/table/T12?lang=it", "arbitro")


async def test_the_hall_names_the_comma_of_a_table_of_tarocco_and_the_article_of_another(make_house: Any) -> None:
    house = make_house().hear()
    seated(house)
    house.say("T8/alert/r1d1-1", {**feed.ALERT, "key": "r1d1-1", "row": "T14", "article": "14"})
    page = await house.page("/?lang=it", "arbitro")
    assert "comma 14" in page
    assert f"art. {feed.ALERT['article']}" in page


async def test_a_deal_of_tarocco_is_looked_at_again_with_what_waited_then(make_house: Any) -> None:
    """The archive's page of any moment; a state without what waited was an error 500."""
    house = make_house().hear()
    hands = hands_with({N: "6D KC KD KS KB", W: "QD", S: "FD", E: "CD 6S 7S 8S"})
    kings = ("KC#1", "KD#1", "KS#1", "KB#1")
    accuso = (PutAside(N, kings), Wait(3.0), TakeUp(N, kings))
    found = told([*opening(hands, "6S 7S 8S"), *accuso, *trick("6D QD FD")])
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    for event in found.events:
        document = {**event_to_json(event), "table": "T8", "boot": "00000a"}
        house.say(f"T8/event/{event.type}", document)
    house.say("T8/state", {**found.fold.state(), "table": "T8"})
    house.book.kept.flush()
    async with house.client() as client:
        page = (await client.get("/archive/T8/now?lang=it", follow_redirects=True)).text
    assert "T09: Scarto di altro numero" in page
    assert "Fante di denari" in page
    assert "mark_" not in page, "words of the game that was played"
