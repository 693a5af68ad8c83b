"""Score sheets and the round: three columns, art. 19 and 20, warnings that follow pairs, results, the ranking."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from table_service.console import rankings, results, round_page, seating_lines, sheet_book
from table_service.console.correction_rules import allowed
from table_service.console.ruling_forms import FormError
from table_service.console.sheet_book import SheetBook
from table_service.console.tournament_book import warned_of
from table_service.games.definition import SheetRules
from table_service.rulesets import RULE_SETS, rule_set

feed: Any = sys.modules["console_feed"]
PLACE = "T12"


figures, score, split = feed.figures, feed.score, feed.split


def said(seq: int, kind: str, deal: int = 1, **data: Any) -> dict[str, Any]:
    return {**feed.event(seq, kind, **data), "deal": deal}


def begin(house: Any, *events: dict[str, Any], deals: int = 2) -> None:
    """T12 begins a round and tells ``events``."""
    house.hear()
    started = {**feed.event(500, "round.started", deals=deals), "deal": None}
    for event in (started, *events):
        house.say(f"{PLACE}/event/{event['type']}", event)


def sheet(house: Any, deal: int = 1) -> Any:
    return house.office.sheets.now(PLACE).sheets[deal]


# --- the fold ---------------------------------------------------------------------------------------------------------


def test_a_count_waits_for_both_lines_and_one_that_changes_is_to_be_confirmed_anew() -> None:
    book = SheetBook()
    book.record(PLACE, score(10, 1), 1.0)
    assert book.now(PLACE).sheets[1].state == "waiting"
    for seq, line in ((11, "NS"), (12, "EW")):
        book.record(PLACE, said(seq, "sheet.confirmed", line=line, how="display"), 1.0)
    assert book.now(PLACE).sheets[1].state == "done"
    book.record(PLACE, score(13, 1, ns=figures(bonus=50), supersedes="T12-000a3f-000010"), 1.0)
    assert book.now(PLACE).sheets[1].state == "waiting"
    book.record(PLACE, said(14, "sheet.disputed", line="EW"), 1.0)
    assert book.now(PLACE).sheets[1].state == "disputed"


def test_events_that_come_late_are_put_in_their_place() -> None:
    events = [score(10, 1), said(11, "sheet.confirmed", line="NS", how="display"), split(12, 2)]
    straight, crooked = SheetBook(), SheetBook()
    for event in events:
        straight.record(PLACE, event, 1.0)
    for event in reversed(events):
        crooked.record(PLACE, event, 1.0)
    assert straight.rounds(PLACE) == crooked.rounds(PLACE)


def play_rounds(house: Any, count: int, hours: float) -> None:
    """``count`` rounds of one deal and one warning at T12, one every so many hours."""
    house.office.gaps.clock = lambda: house.at
    for n in range(count):
        for seq, event in enumerate(
            (
                {**feed.event(0, "round.started", deals=1), "deal": None},
                score(0, 1),
                said(0, "warning.given", line="NS"),
            )
        ):
            house.say(f"{PLACE}/event/{event['type']}", {**event, "seq": 600 + 3 * n + seq, "id": f"e{n}-{seq}"})
        house.office.tick()
        house.at += hours * 3600


def test_a_console_that_runs_for_weeks_forgets_old_rounds_and_what_counts_it_keeps(house: Any) -> None:
    play_rounds(house, 60, hours=8)
    assert len(house.office.sheets.rounds(PLACE)) == 4  # of a day, and the one of its very beginning
    assert len(house.office.noted["warning.given"]) == 4
    house.at += 30 * 86_400
    house.office.tick()
    assert house.office.sheets.now(PLACE).sheets[1].total("NS") is not None, "the newest round stays"


def test_a_clock_that_jumps_forward_makes_no_round_of_the_evening_old(house: Any) -> None:
    steady = [0.0]
    play_rounds(house, 3, hours=1)
    house.office.gaps.clock = lambda: house.at - steady[0]
    steady[0] = 30 * 86_400.0  # from now on the wall clock says a month more
    house.at += 30 * 86_400.0
    for _ in range(3):
        house.at += 2 * 3600
        house.office.tick()
    assert len(house.office.sheets.rounds(PLACE)) == 3
    assert len(house.office.noted["warning.given"]) == 3


def test_of_a_tournament_that_goes_on_no_round_is_forgotten(house: Any) -> None:
    house.book.tournaments.begin("lungo", now=house.at)
    play_rounds(house, 12, hours=48)
    assert len(house.office.sheets.rounds(PLACE)) == 12
    assert len(house.office.noted["warning.given"]) == 12


def test_a_deal_of_the_next_round_is_not_the_one_of_the_last() -> None:
    book = SheetBook()
    book.record(PLACE, {**feed.event(1, "round.started", deals=2), "deal": None}, 1.0)
    book.record(PLACE, score(2, 1), 1.0)
    book.record(PLACE, said(3, "sheet.confirmed", line="NS", how="display"), 1.0)
    book.record(PLACE, {**feed.event(4, "round.started", deals=2), "deal": None}, 2.0)
    book.record(PLACE, score(5, 1), 2.0)
    assert [len(one.sheets) for one in book.rounds(PLACE)] == [1, 1]
    assert book.now(PLACE).sheets[1].signed == {}
    assert book.now(PLACE, since=3.0) is None


def test_a_count_that_was_taken_back_is_no_sheet_any_more() -> None:
    book = SheetBook()
    book.record(PLACE, score(10, 1), 1.0)
    book.record(PLACE, said(11, "event.retracted", event="T12-000a3f-000010"), 1.0)
    assert book.now(PLACE).sheets == {}


def test_where_columns_differ_nothing_is_taken_in_silence() -> None:
    book = SheetBook()
    book.record(PLACE, split(10), 1.0)
    held = book.now(PLACE).sheets[1]
    rows = {row.name: row for row in held.rows("EW")}
    assert (rows["hand"].ledger, rows["hand"].camera, rows["hand"].counts) == (-75, -60, None)
    assert rows["hand"].split
    assert rows["hand"].difference.cards == ("7H", "KS")
    assert rows["hand"].choices == (("ledger", -75), ("camera", -60))
    assert rows["points"].counts is None
    assert rows["total"].counts is None
    assert held.state == "unclear"
    book.record(PLACE, said(11, "sheet.written", lines={"EW": {"hand": -70}, "NS": {"total": 475}}, by="Anna"), 1.0)
    rows = {row.name: row for row in book.now(PLACE).sheets[1].rows("EW")}
    assert rows["hand"].choices == (("written", -70), ("ledger", -75), ("camera", -60))


def test_a_sum_that_was_written_otherwise_stands_out_and_sums_that_follow_are_added() -> None:
    book = SheetBook()
    book.record(PLACE, score(10, 1), 1.0)
    book.record(PLACE, said(11, "sheet.written", lines={"NS": {"base": 200, "points": 270}}, by="Anna"), 1.0)
    held = book.now(PLACE).sheets[1]
    rows = {row.name: row for row in held.rows("NS")}
    assert (rows["base"].off, rows["points"].off, rows["total"].written, rows["total"].off) == (False, True, 470, True)
    assert rows["burraco"].written is None
    assert held.state == "differs"


# --- the page ---------------------------------------------------------------------------------------------------------


async def test_the_page_shows_written_ledger_and_camera_and_which_cards_differ(house: Any) -> None:
    begin(house, split(501))
    html = await house.page("/sheets/T12", "arbitro")
    row = html[html.index('data-item="EW.hand"') :]
    row = row[: row.index("</tr>")]
    assert "-75" in row
    assert "-60" in row
    assert 'class="unknown"' in row
    assert "camera e gioco non concordano su" in html
    assert "7♥" in html
    assert "6 carte viste, 8 nel gioco" in html
    assert "da chiarire" in html


async def test_what_the_arbitro_settles_goes_as_an_order_with_its_reason_and_is_done_when_the_table_says_so(
    house: Any,
) -> None:
    begin(house, split(501))
    await house.post("/sheets/T12/1/take", "arbitro", "Anna", line="EW", item="hand", column="ledger")
    order = house.sent[-1][1]
    assert (order["do"], order["deal"], order["lines"]) == ("sheet-correct", 1, {"EW": {"hand": -75}})
    assert order["by"] == "Anna"
    assert "ledger" in order["reason"]
    assert 'class="order sent"' in await house.page("/sheets/T12", "arbitro")
    assert sheet(house).state == "unclear", "nothing counts before the table says so"
    change = {"line": "EW", "item": "hand", "old": None, "new": -75}
    house.say("T12/event/sheet.corrected", said(502, "sheet.corrected", changes=[change], by="Anna", reason="gioco"))
    fixed = score(503, 1, ew=figures(-75), supersedes="T12-000a3f-000501")
    house.say("T12/event/score.counted", fixed)
    house.answer()
    html = await house.page("/sheets/T12", "arbitro")
    assert 'class="order done"' in html
    assert "mano" in html[html.index('class="correction"') :]
    assert sheet(house).state == "waiting"


async def test_a_paper_sheet_is_entered_with_who_signed_and_one_that_is_the_same_with_one_touch(house: Any) -> None:
    begin(house, score(501, 1))
    data = {"NS-base": "200", "NS-points": "275", "EW-total": "450", "signed-NS": "1"}
    await house.post("/sheets/T12/1/written", "arbitro", "Anna", **data)
    order = house.sent[-1][1]
    assert order["do"] == "sheet-written"
    assert order["lines"] == {"NS": {"base": 200, "points": 275}, "EW": {"total": 450}}
    assert order["signed"] == ["NS"]
    await house.post("/sheets/T12/1/signed", "arbitro", "Anna")
    order = house.sent[-1][1]
    assert order["lines"]["NS"] == {"base": 200, "points": 275, "total": 475}
    assert order["signed"] == ["NS", "EW"]
    for wrong in ({}, {"NS-base": "x"}, {"NS-base": "1.5"}):
        assert (await house.post("/sheets/T12/1/written", "arbitro", **wrong)).status_code == 400
    assert (await house.post("/sheets/T12/7/signed", "arbitro")).status_code == 400


async def test_a_page_that_shows_an_older_count_or_round_changes_nothing(house: Any) -> None:
    begin(house, score(501, 1))
    html = await house.page("/sheets/T12", "arbitro")
    assert html.count('name="score" value="T12-000a3f-000501"') == 3
    again = {**feed.event(600, "round.started", deals=2), "deal": None}
    house.say("T12/event/round.started", again)
    house.say("T12/event/score.counted", score(601, 1))
    for deed in ("signed", "written", "correct"):
        old = {**FIX, "NS-base": "1", "score": "T12-000a3f-000501"}
        assert (await house.post(f"/sheets/T12/1/{deed}", "arbitro", **old)).status_code == 400
    assert (await house.post("/sheets/T12/round/lost", "arbitro", first="000a3f-500")).status_code == 400
    assert house.sent == []
    await house.post("/sheets/T12/1/signed", "arbitro", score="T12-000a3f-000601")
    assert house.sent[-1][1]["score"] == "T12-000a3f-000601"


async def test_an_unclear_count_is_not_signed_with_one_touch(house: Any) -> None:
    begin(house, split(501))
    assert "signed-1" not in await house.page("/sheets/T12", "arbitro")
    assert (await house.post("/sheets/T12/1/signed", "arbitro")).status_code == 400
    assert house.sent == []


async def test_a_dispute_rings_stands_first_and_leads_to_the_sheet(house: Any) -> None:
    begin(house, score(501, 1))
    waits = {"key": "sheet-1-EW", "call": True, "sheet": 1, "line": "EW", "offender": None, "t": 9.0, "time": "x"}
    house.say("T12/alert/sheet-1-EW", waits)
    assert house.office.bells[-1].kind == "call"
    html = await house.page("/", "arbitro")
    first = html[html.index('class="waits"') :]
    assert first.index("Est–Ovest non concorda con lo score") < first.index("Pescata fuori turno")
    assert 'href="/sheets/T12"' in first
    table = await house.page("/table/T12", "arbitro")
    assert "Apri lo score" in table


async def test_the_organiser_sees_sheets_and_changes_nothing_on_them(house: Any) -> None:
    begin(house, score(501, 1))
    html = await house.page("/sheets/T12", "organiser")
    assert "sheet-acts" not in html
    assert (await house.post("/sheets/T12/1/signed", "organiser")).status_code == 403
    assert (await house.get("/sheets/T12", "technician")).status_code == 403
    assert (await house.get("/sheets/T12", "spectator")).status_code == 403


# --- arts. 19 and 20 --------------------------------------------------------------------------------------------------

FIX = {"line": "NS", "item": "hand", "value": "-45", "reason": "contata male"}


def confirmed(*seqs: int, deal: int = 1) -> list[dict[str, Any]]:
    return [
        said(seq, "sheet.confirmed", deal, line=line, how="display")
        for seq, line in zip(seqs, ("NS", "EW"), strict=True)
    ]


async def test_art20_before_the_sheet_is_handed_in_the_arbitro_corrects_with_a_reason(house: Any) -> None:
    begin(house, score(501, 1))
    assert (await house.post("/sheets/T12/1/correct", "arbitro", **{**FIX, "reason": " "})).status_code == 400
    await house.post("/sheets/T12/1/correct", "arbitro", **FIX)
    assert house.sent[-1][1]["reason"] == "contata male"
    assert house.sent[-1][1]["agreed"] == []


async def test_art20_after_it_was_handed_in_the_opponents_must_confirm(house: Any) -> None:
    begin(house, score(501, 1), *confirmed(502, 503), deals=1)
    assert "se gli avversari confermano" in await house.page("/sheets/T12", "arbitro")
    assert (await house.post("/sheets/T12/1/correct", "arbitro", **FIX)).status_code == 400
    assert house.sent == []
    await house.post("/sheets/T12/1/correct", "arbitro", **FIX, agreed="1")
    assert house.sent[-1][1]["agreed"] == ["EW"]


async def test_art20_after_the_new_seating_is_posted_only_inverted_scores_are_exchanged(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="1", minutes="15")
    begin(house, score(501, 1), *confirmed(502, 503), deals=1)
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/post", "chief")
    sent = len(house.sent)
    assert (await house.post("/sheets/T12/1/correct", "arbitro", **FIX, agreed="1")).status_code == 400
    assert (await house.post("/sheets/T12/round/swap", "arbitro", line="NS")).status_code == 400
    assert len(house.sent) == sent
    await house.post("/sheets/T12/round/swap", "arbitro", line="NS", agreed="1")
    assert {k: house.sent[-1][1][k] for k in ("do", "row", "option")} == {"do": "rule", "row": "F-20", "option": "swap"}


async def test_art20_in_the_last_round_or_merit_groups_the_arbitro_countersigns_or_the_result_is_void(
    house: Any,
) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="1", minutes="15", kind="last")
    begin(house, score(501, 1), *confirmed(502, 503), deals=1)
    assert (await house.post("/sheets/T12/1/correct", "arbitro", **FIX, agreed="1")).status_code == 400
    await house.post("/sheets/T12/1/correct", "arbitro", **FIX, agreed="1", countersigned="1")
    assert house.sent[-1][1]["countersigned"] is True
    await house.post("/sheets/T12/round/void", "arbitro", line="EW")
    assert {k: house.sent[-1][1][k] for k in ("row", "option", "line")} == {
        "row": "F-20",
        "option": "void",
        "line": "EW",
    }


async def test_art20_ten_minutes_after_the_ranking_was_shown_nothing_changes(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="1", minutes="15")
    begin(house, score(501, 1), deals=1)
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/ranking", "chief")
    held = house.office.sheets.now(PLACE)
    rules = rule_set("fibur2024").paper
    assert allowed(rules, house.book.rounds.current, held, "", house.at + 599).correct
    house.at += 600
    sent = len(house.sent)
    assert (await house.post("/sheets/T12/1/correct", "arbitro", **FIX, agreed="1")).status_code == 400
    assert len(house.sent) == sent
    assert "La classifica è definitiva" in await house.page("/sheets/T12", "arbitro")


# --- the same by other codes ------------------------------------------------------------------------------------------


def play(house: Any, rules: str, *events: dict[str, Any], deals: int = 1) -> None:
    """T12 plays a round by ``rules``."""
    begin(house, *events, deals=deals)
    house.say(f"{PLACE}/state", feed.state(rules=rules))


async def test_feburit_art24_a_sheet_that_was_handed_in_is_corrected_until_the_pairings_are_made(house: Any) -> None:
    play(house, "feburit")
    await house.post("/round/start", "chief", deals="1", minutes="15", kind="last", anyway="1")
    play(house, "feburit", score(501, 1), *confirmed(502, 503))
    html = await house.page("/sheets/T12", "arbitro")
    assert "<b>art. 24</b> Consegnato: solo l’errore di calcolo" in html
    assert "countersigned" not in html
    for own in ("art. 19", "art. 20", "act-left", "act-lost", "act-void", "7 a 7"):
        assert own not in html, own
    await house.post("/sheets/T12/1/correct", "arbitro", **FIX)
    assert house.sent[-1][1]["do"] == "sheet-correct"
    for deed in ("left", "lost", "void"):
        assert (await house.post(f"/sheets/T12/round/{deed}", "arbitro", line="NS")).status_code == 400
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/ranking", "chief")
    house.at += 601
    assert "definitiva" not in await house.page("/sheets/T12", "arbitro")
    await house.post("/round/post", "chief")
    sent = len(house.sent)
    refused = await house.post("/sheets/T12/1/correct", "arbitro", **FIX)
    assert (refused.status_code, len(house.sent)) == (400, sent)
    assert "solo i punteggi invertiti, se il tavolo" in refused.text
    await house.post("/sheets/T12/round/swap", "arbitro", line="NS", agreed="1")
    assert house.sent[-1][1]["row"] == "B-24b"
    assert "option" not in house.sent[-1][1]


@pytest.mark.parametrize("rules", [name for name in RULE_SETS if rule_set(name).paper == SheetRules()])
async def test_where_the_code_is_silent_the_arbitro_corrects_and_no_article_is_named(house: Any, rules: str) -> None:
    play(house, rules, score(501, 1), *confirmed(502, 503))
    html = await house.page("/sheets/T12", "arbitro")
    assert "decide l’arbitro" in html
    assert "art. " not in html
    await house.post("/sheets/T12/1/correct", "arbitro", **FIX)
    assert house.sent[-1][1]["do"] == "sheet-correct"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_a_code_rules_about_sheets_stands_in_its_catalogue(rules: str) -> None:
    code = rule_set(rules)
    named = [code.paper.left, code.paper.lost, code.paper.swap.get("row", ""), code.paper.void.get("row", "")]
    assert {row for row in named if row} <= set(code.catalogue.rows)
    assert any(one.swap for one in code.paper.states.values()) == bool(code.paper.swap)
    assert any(one.void for one in {**code.paper.states, **code.paper.strict}.values()) == bool(code.paper.void)


async def test_the_minutes_of_a_round_are_those_of_the_code_that_the_tables_play(house: Any) -> None:
    house.hear([])
    house.say("T1/state", feed.state(table="T1", rules="feburit"))
    assert 'value="3" data-minutes="35"' in await house.page("/round", "chief")
    house.say("T2/state", feed.state(table="T2"))
    html = await house.page("/round", "chief")
    assert 'value="3" data-minutes=""' in html, "two codes: a person says the minutes"
    assert (await house.post("/round/start", "chief", deals="3", minutes="")).status_code == 400


async def test_art19_a_sheet_left_on_the_table_is_a_warning_to_who_had_to_hand_it_in(house: Any) -> None:
    begin(house, score(501, 1), deals=1)
    html = await house.page("/sheets/T12", "arbitro")
    left = html[html.index('id="act-left"') :]
    assert 'class="btn primary" name="line" value="NS"' in left[: left.index("</form>")], "North-South leads"
    await house.post("/sheets/T12/round/left", "arbitro", line="NS")
    assert {k: house.sent[-1][1][k] for k in ("do", "row", "line")} == {"do": "rule", "row": "F-19a", "line": "NS"}


async def test_art19_a_lost_sheet_is_seven_all_until_it_is_found_under_the_same_ruling(house: Any) -> None:
    begin(house, score(501, 1), deals=1)
    await house.post("/sheets/T12/round/lost", "arbitro")
    assert {k: house.sent[-1][1][k] for k in ("row", "option")} == {"row": "F-19b", "option": "lost"}
    ruled = {"key": "r1d1-3", "row": "F-19b", "title": {"it": "Score smarrito", "en": "Lost"}, "shares": []}
    house.say("T12/event/round.ruled", said(510, "round.ruled", **ruled))
    await house.post("/sheets/T12/round/found", "arbitro")
    order = house.sent[-1][1]
    assert {k: order[k] for k in ("row", "option", "key")} == {"row": "F-19b", "option": "found", "key": "r1d1-3"}
    assert "Ritrovato" in await house.page("/sheets/T12", "arbitro")


# --- the round --------------------------------------------------------------------------------------------------------

PAIRS = "T12 Rossi / Verdi\nT7 Neri / Bianchi"


async def test_a_round_tells_each_table_what_its_pairs_bring_and_how_warnings_count(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="2", pairs=PAIRS)
    house.say("T12/event/warning.given", feed.event(600, "warning.given", line="EW", count=1, total=1, row="F-37"))
    house.say("T12/event/warning.given", feed.event(601, "warning.given", line="NS", count=1, total=1, row="F-08"))
    back = feed.event(602, "warning.given", line="NS", count=0, total=0, row="F-08", withdrawn=True)
    house.say("T12/event/warning.given", back)
    assert [(one.names, one.row) for one in warned_of(house.app.state.pages)] == [("Verdi", "F-37")]
    house.at += 3600
    await house.post("/round/end", "chief", anyway="1")
    house.sent.clear()
    moved = "T12 Rossi / Bianchi\nT7 Neri / Verdi"
    options = {"call_at": "800", "warning_count": "each-after-first", "room": "open"}
    await house.post("/round/start", "chief", deals="2", pairs=moved, kind="groups", **options)
    orders = {topic.split("/")[3]: order for topic, order in house.sent}
    assert orders["T7"]["warnings"] == {"EW": 1}, "the warned pair has moved to T7"
    assert "warnings" not in orders["T12"]
    assert {name: orders["T7"][name] for name in options} == {**options, "call_at": 800}
    assert house.book.rounds.current.kind == "groups"
    assert "Verdi" in await house.page("/round", "organiser")


@pytest.mark.parametrize("text", ["T99 A / B", "T12 A", "T12 A / B / C", "T12 A / A", "T12"])
def test_who_sits_where_that_makes_no_sense_is_not_taken(text: str) -> None:
    with pytest.raises(FormError):
        seating_lines.seating_of(text, ("T12", "T7"))


def test_who_sits_where_reads_back_what_it_writes() -> None:
    seated = seating_lines.seating_of(PAIRS.lower().replace("t12", "t12 "), ("T12", "T7"))
    assert seated["T12", "EW"] == "verdi"
    assert seating_lines.seating_of(seating_lines.seating_text(seated, ("T7", "T12")), ("T12", "T7")) == seated


async def test_a_started_round_that_names_no_pairs_carries_nothing(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="2")
    house.say("T12/event/warning.given", feed.event(600, "warning.given", line="EW", count=1))
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/start", "chief", deals="2")
    assert all("warnings" not in order for _, order in house.sent)


async def test_the_next_thing_to_do_is_said_at_every_stage(house: Any) -> None:
    def step() -> str:
        page = house.app.state.pages
        current = house.book.rounds.current
        places = () if current is None else ("T12",)
        spanned = (0.0, float("inf")) if current is None else results.span(house.book.rounds.all(), current)
        tables = results.results(page.office.sheets, places, {}, *spanned)
        return round_page.next_step(current, tables, house.at)[0]

    house.hear()
    assert step() == "next_start"
    await house.post("/round/start", "chief", deals="1", minutes="10", kind="last")
    assert step() == "next_silent", "the table has not said yet that the round began"
    begin(house, deals=1)
    assert step() == "next_wait"
    await house.post("/round/pause", "chief")
    assert step() == "next_go_on"
    await house.post("/round/go-on", "chief")
    house.at += 601
    assert step() == "next_time_out"
    await house.post("/round/time-out", "chief")
    assert step() == "next_last_turns"
    house.say("T12/event/score.counted", score(501, 1))
    await house.post("/round/end", "chief", anyway="1")
    assert step() == "next_sheets"
    for event in confirmed(502, 503):
        house.say("T12/event/sheet.confirmed", event)
    assert step() == "next_ranking"
    await house.post("/round/ranking", "chief")
    assert step() == "next_final"
    html = await house.page("/round", "chief")
    assert 'id="next-step"' in html


async def test_results_are_provisional_until_every_sheet_is_confirmed_and_pairs_are_ranked(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="1", minutes="15", pairs=PAIRS)
    result = {"match_points": {"NS": 25, "EW": -25}, "victory_points": {"NS": 12, "EW": 8}, "deductions": {"EW": -1}}
    begin(house, score(501, 1, **result), deals=1)
    html = await house.page("/standing", "organiser")
    assert "Provvisorio: tavoli senza tutti gli score confermati: 2." in html
    assert "non ha iniziato l’incontro" in html, "T7 has told nothing: that is not nought"
    for event in confirmed(502, 503):
        house.say("T12/event/sheet.confirmed", event)
    html = await house.page("/standing", "organiser")
    assert "Provvisorio: tavoli senza tutti gli score confermati: 1." in html
    ranking = html[html.index("Classifica</h2>") :]
    assert ranking.index("Rossi") < ranking.index("Verdi")
    sheet_csv = (await house.get("/reports/standing.csv", "organiser")).text
    assert "T12;EW;Verdi;450;-25;8;-1;" in sheet_csv
    assert "2;Verdi;7;-25;1;-1" in sheet_csv
    assert (await house.get("/standing", "spectator")).status_code == 403


def test_a_pair_with_a_round_that_is_not_known_is_not_ranked() -> None:
    book = SheetBook()
    book.record("T1", {**score(1, 1), "boot": "1"}, 1.0)
    seated = {("T1", "NS"): "=Rossi", ("T1", "EW"): "Verdi"}
    found = rankings.ranking([results.results(book, ("T1", "T2"), seated)])
    assert [(one.pair, one.place, one.vp) for one in found] == [("=Rossi", 0, None), ("Verdi", 0, None)]


def match_of(ns: int | None, ew: int | None, begati: tuple[int | None, int | None] = (1, 3)) -> dict[str, Any]:
    """What the last count of a match tells."""
    won = {"NS": None, "EW": None} if ns is None or ew is None or ns == ew else {"NS": ns > ew, "EW": ew > ns}
    extra = {"NS": begati[0], "EW": begati[1]}
    return {
        "match": {
            "over": True,
            "won": won,
            "points": {"NS": ns, "EW": ew},
            "extra": extra,
            "extra_title": {"it": "Begati", "en": "Begati"},
        }
    }


def of_a_match(place: str, boot: str, **told: Any) -> SheetBook:
    """A book with one table's round of a single deal."""
    book = SheetBook()
    begun = {**feed.event(1, "round.started", deals=1), "boot": boot, "deal": None}
    for event in (begun, {**score(2, 1, **told), "boot": boot}):
        book.record(place, event, 1.0)
    return book


def test_matches_are_ranked_by_those_won_then_by_points_and_begati_part_nobody() -> None:
    rounds = []
    for n, (ns, ew) in enumerate(((900, 600), (500, 700), (400, 500))):
        book = of_a_match("T1", str(n), **match_of(ns, ew))
        seated = {("T1", "NS"): "Rossi", ("T1", "EW"): ("Verdi", "Bruni", "Verdi")[n]}
        rounds.append(results.results(book, ("T1",), seated))
    found = rankings.ranking(rounds)
    assert [(r.place, r.pair, r.matches) for r in found] == [
        (1, "Rossi", rankings.Matches(1, 1800, 3)),
        (2, "Verdi", rankings.Matches(1, 1100, 6)),
        (3, "Bruni", rankings.Matches(1, 700, 3)),
    ]
    assert results.extra_title(rounds[0]) == {"it": "Begati", "en": "Begati"}
    told = rankings.published("Coppa", found, {"it": "Begati"})
    assert told["rows"][0] | {"won": 1, "points": 1800, "extra": 3} == told["rows"][0]


@pytest.mark.parametrize(("ns", "ew"), [(None, 500), (600, 600)])
def test_a_match_without_a_known_winner_leaves_its_pairs_unranked(ns: int | None, ew: int) -> None:
    book = of_a_match("T1", "1", **match_of(ns, ew))
    found = rankings.ranking([results.results(book, ("T1",), {("T1", "NS"): "Rossi", ("T1", "EW"): "Verdi"})])
    assert [(r.place, r.merit, r.matches) for r in found] == [(0, None, None)] * 2


async def test_pages_and_files_show_a_ranking_by_matches(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="1", minutes="15", pairs=PAIRS)
    begin(house, score(501, 1, **match_of(900, 600, (1, None))), *confirmed(502, 503), deals=1)
    for language, words in (("en", ("matches won", ">won<", "Begati")), ("it", ("partite vinte", ">vinta<", "Begati"))):
        html = await house.page(f"/standing?lang={language}", "organiser")
        assert [word for word in words if word not in html] == []
        assert "V.P." not in html
    sheet_csv = (await house.get("/reports/standing.csv?lang=en", "organiser")).text
    assert "place;pair;matches won;points;rounds;warnings;Begati" in sheet_csv
    assert "1;Rossi;1;900;1;0;1" in sheet_csv
    assert "2;Verdi;0;600;1;0;\r" in sheet_csv
    await house.post("/round/publish", "organiser")
    seen = (await house.get("/ranking?lang=en", None)).text
    assert "Begati" in seen
    assert seen.index("Rossi") < seen.index("Verdi")


async def test_after_a_restart_the_sheets_are_as_before(make_house: Any) -> None:
    first = make_house("console.sqlite")
    begin(first, split(501), said(502, "sheet.disputed", line="NS"))
    first.book.rounds.paper(PLACE, "000a3f", 500, "lost", "Anna", now=first.at)
    before = first.office.sheets.rounds(PLACE)
    first.book.close()
    second = make_house("console.sqlite")
    assert second.office.sheets.rounds(PLACE) == before
    second.hear()
    html = await second.page("/sheets/T12", "arbitro")
    assert "contestato" in html
    assert "Smarrito: 7 a 7" in html


def test_art15_a_round_that_the_table_ended_early_is_counted_once_its_sheets_are_confirmed() -> None:
    """Time-out between deals: of two deals planned one was played."""
    book = SheetBook()
    book.record(PLACE, {**feed.event(1, "round.started", deals=2), "deal": None}, 1.0)
    book.record(PLACE, score(10, 1), 1.0)
    for seq, line in ((11, "NS"), (12, "EW")):
        book.record(PLACE, said(seq, "sheet.confirmed", line=line, how="display"), 1.0)
    assert not book.now(PLACE).closed, "the second deal may still be played"
    ended = feed.event(
        13, "round.ended", deals=1, match_points={"NS": 45, "EW": -45}, victory_points={"NS": 11, "EW": 9}
    )
    book.record(PLACE, ended, 1.0)
    now = book.now(PLACE)
    assert (now.counted, now.closed, now.state) == (True, True, "done")
    assert now.points("victory_points") == (11, 9)


def test_a_round_that_ended_early_still_waits_for_its_sheets() -> None:
    book = SheetBook()
    book.record(PLACE, {**feed.event(1, "round.started", deals=4), "deal": None}, 1.0)
    book.record(PLACE, score(10, 1), 1.0)
    book.record(PLACE, feed.event(11, "round.ended", deals=2, match_points={}, victory_points=None), 1.0)
    assert not book.now(PLACE).counted, "one of the two deals that were played has no count"
    book.record(PLACE, score(12, 2), 1.0)
    assert (book.now(PLACE).counted, book.now(PLACE).closed) == (True, False)


def test_a_confirmation_that_comes_while_another_thread_folds_its_round_is_in_the_next_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ranking is worked out in a thread: what it had read was kept, and the sheet stayed open for good."""
    book, fold, told = SheetBook(), sheet_book.fold, [*feed.counted(), *feed.settled()]
    agreed = [
        feed.sheet_event(n, "sheet.confirmed", line=line, how="display") for n, line in ((520, "NS"), (521, "EW"))
    ]
    for event in (*told, agreed[0]):
        book.record("T12", event, 1.0)

    def overtaken(place: str, events: Any) -> Any:
        found = fold(place, list(events))
        book.record("T12", agreed[1], 2.0)
        return found

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(sheet_book, "fold", overtaken)
        assert not book.rounds("T12")[-1].closed
    assert book.rounds("T12")[-1].closed
