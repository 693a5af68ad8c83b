"""What an alert has come to stays with it: who ruled, which option, what it rested on; rulings are undone, reversed."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import replace
from typing import Any

from hw.observations import Console
from table_service.console.alert_views import alert
from table_service.console.ruling_forms import has_melds
from table_service.console.table_view import TableView
from table_service.console.vocabulary import Words
from table_service.games.bridge.codes import figb2010 as bridge
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import RULE_SETS, open_fold

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
HERE = f"/table/T12/alert/{KEY}"
WAYS = {
    "options": ["penalised-card", "leave"],
    "choices": [
        {"key": "penalised-card", "text": {"it": "Carta penalizzata", "en": "Penalised card"}},
        {"key": "leave", "text": {"it": "Si lascia correre", "en": "Let it pass"}},
    ],
    "remedy": [
        {**feed.ALERT["remedy"][0]},
        {"do": "penalise", "who": "E", "option": "penalised-card", "text": {"it": "Penalizzata.", "en": "Penalised."}},
        {"do": "nothing", "who": "E", "option": "leave", "text": {"it": "Si prosegue.", "en": "Play goes on."}},
    ],
}


def ruled(house: Any, seq: int = 60, state: str = "ruled", **changes: Any) -> None:
    """The table tells how the alert ended, and takes it away."""
    told = feed.event(seq, "irregularity", "E", **{**feed.ALERT, **WAYS, "state": state, **changes})
    house.say("T12/event/irregularity", told)
    house.say(f"T12/alert/{KEY}", None)


async def rule(house: Any, **form: str) -> None:
    house.hear()
    house.say(f"T12/alert/{KEY}", {**feed.ALERT, **WAYS})
    await house.post(f"{HERE}/hand/take", "arbitro")
    await house.post(f"{HERE}/rule/rule", "arbitro", **form)
    house.answer()
    ruling = {"by": "la arbitro", **form}
    ruled(house, ruling=ruling)


async def test_a_closed_alert_says_who_ruled_which_option_and_what_it_rested_on(house: Any) -> None:
    await rule(house, option="leave")
    html = await house.page(HERE)
    decided = html[html.index('class="panel decided"') :]
    decided = decided[: decided.index("</section>")]
    assert "decisa" in decided
    assert "la arbitro" in decided
    assert "Si lascia correre" in decided
    assert "Si prosegue." in decided
    assert "Penalizzata." not in decided, "only what was chosen is done"
    assert "aperta" not in re.sub(r"<ol.*</ol>", "", decided)
    assert html.count("/evidence/f-14") >= 3
    assert "Nord scarta" in html[html.index("Su che cosa si basa") :], "the cards that moved around the fact"
    assert "Decisione: comando eseguito" in html
    assert "Se ne occupa <b>la arbitro</b>" in html


async def test_a_tables_clock_that_is_wrong_changes_no_order_and_is_told_beside_the_consoles(house: Any) -> None:
    """In the demo the table's clock stands still while somebody decides: "ruled" stood before "the alert comes"."""
    await rule(house, option="leave")
    html = await house.page(f"{HERE}?lang=en")
    history = re.findall(
        r"<time[^>]*>([^<]+)</time>\s*(.*?)</li>", html[html.index("From the alert to its end") :], re.DOTALL
    )
    said = [re.sub(r"<[^>]+>|\s+", " ", text) for _, text in history]
    ruled_at = next(n for n, text in enumerate(said) if "The table: ruled" in text)
    assert "by its own clock" in said[ruled_at]
    assert ruled_at > next(n for n, text in enumerate(said) if "The alert comes" in text)
    assert [at for at, _ in history] == sorted(at for at, _ in history)
    assert f"{time.strftime('%H:%M:%S', time.localtime(house.at))}" in history[ruled_at][0]


async def test_after_a_dismissal_no_remedy_is_proposed_any_more(house: Any) -> None:
    house.hear()
    await house.post(f"{HERE}/rule/dismiss", "arbitro")
    house.answer()
    ruled(house, state="dismissed")
    html = await house.page(HERE, "technician")
    assert "nessun rimedio è stato applicato" in html
    assert "Est rimette la carta" not in html
    assert "Rimedio proposto" not in html
    assert "la arbitro" in html


async def test_a_closed_alert_is_whole_after_the_console_and_the_table_have_started_again(make_house: Any) -> None:
    house = make_house("console.sqlite")
    await rule(house, option="leave")
    house.book.database.flush()
    house.book.close()
    again = make_house("console.sqlite")
    again.say("T12/status", {"state": "ready", "boot": "000a40", "version": "x"})
    house_page = await again.page("/table/T12")
    link = re.search(rf'href="({HERE}\?case=\d+)"', house_page)
    assert link is not None, "it is still listed"
    html = await again.page(link[1])
    assert "Si lascia correre" in html
    assert "la arbitro" in html
    assert "Nord scarta" in html
    assert 'id="reverse"' not in html, "the table of today does not know it any more"


async def test_a_closed_alert_leads_to_its_moment_in_the_replay(house: Any) -> None:
    await rule(house)
    link = re.search(r'id="to-moment" href="([^"]+)"', await house.page(HERE))
    assert link is not None
    answer = await house.get(link[1])
    assert answer.status_code == 303
    html = await house.page(answer.headers["location"])
    number = int(answer.headers["location"].partition("?n=")[2])
    moment = re.search(r"<b>(\d+)</b>", html[html.index("past-now") :])
    assert moment is not None
    assert int(moment[1]) == number + 1
    assert feed.ALERT["row"] not in html[html.index("past-now") : html.index("past-grid")], "before it was told"


async def test_an_older_life_of_the_same_key_stays_readable(house: Any) -> None:
    await rule(house, option="leave")
    first = house.book.desk.life("T12", KEY).id
    house.say(f"T12/alert/{KEY}", {**feed.ALERT, "committed_t": 999.0})
    assert "Si lascia correre" in await house.page(f"{HERE}?case={first}")
    assert 'id="apply"' in await house.page(HERE, "arbitro")


def options(**changes: Any) -> list[tuple[str, bool]]:
    shown = alert("k", {**feed.ALERT, **WAYS, **changes}, TableView("T1"), Words("it"), None, FIBUR2024)
    return [(one.key, one.proposed) for one in shown.options]


def test_options_stand_in_their_weight_and_only_the_proposed_one_first() -> None:
    assert options(needs_referee=True) == [("leave", False), ("penalised-card", False)]
    assert options() == [("penalised-card", True), ("leave", False)]
    decides = {"do": "referee", "who": "arbitro", "text": {"it": "Decide l'arbitro.", "en": "The arbitro decides."}}
    assert not any(proposed for _, proposed in options(remedy=[decides]))
    taken = options(row="F-04d", options=["F-05a", "F-04d"], choices=[], needs_referee=True)
    assert taken == [("F-04d", True), ("F-05a", False)]


def test_a_ruling_may_freeze_and_name_rows_only_where_lines_lay_them() -> None:
    assert {name for name, rules in RULE_SETS.items() if has_melds(rules)} == {"fibur2024", "feburit", "online"}
    assert has_melds(None)


def test_an_option_that_is_a_row_says_what_follows_from_it() -> None:
    body = {**feed.ALERT, "row": "FIGB-4", "options": ["54A", "FIGB-2", "FIGB-3"], "remedy": []}
    body["choices"] = [{"key": "54A", "who": None, "text": {"it": "Il dichiarante stende.", "en": "Declarer spreads."}}]
    shown = alert("k", body, TableView("T1"), Words("it"), None, bridge.CATALOGUE)
    follows = {one.key: " ".join(one.follows) for one in shown.options}
    assert "L'attacco è accettato" in follows["FIGB-2"]
    assert "torna in mano senza rettifica" in follows["FIGB-3"]
    assert follows["54A"] == "", "its own text says it"


async def test_only_the_proposed_option_is_a_green_button(house: Any) -> None:
    house.hear()
    house.say(f"T12/alert/{KEY}", {**feed.ALERT, **WAYS})
    html = await house.page(HERE, "arbitro")
    greens = re.findall(r'<button class="btn primary big option"[^>]*value="([^"]+)"', html)
    assert greens == ["penalised-card"]


async def test_a_ruling_may_be_undone_for_a_moment_and_goes_out_after_it(make_house: Any) -> None:
    house = make_house(undo=5.0).hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    house.office.tick()
    assert house.sent == []
    html = await house.page(HERE, "arbitro")
    assert 'id="undo"' in html
    assert 'id="apply"' not in html
    order = house.book.orders.open()[0]
    await house.post(f"/order/{order.id}/withdraw", "arbitro")
    house.at += 6
    house.office.tick()
    assert house.sent == []
    assert 'id="apply"' in await house.page(HERE, "arbitro"), "as if nothing had been touched"
    await house.post(f"{HERE}/rule/dismiss", "arbitro")
    house.at += 4.9
    house.office.tick()
    assert house.sent == []
    house.at += 0.2
    house.office.tick()
    assert [order["do"] for _, order in house.sent] == ["dismiss"]
    assert 'id="undo"' not in await house.page(HERE, "arbitro")


async def test_two_quick_rulings_are_one(make_house: Any) -> None:
    house = make_house(undo=5.0).hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    second = await house.post(f"{HERE}/rule/dismiss", "arbitro")
    assert "Una decisione è già in corso" in second.text
    assert [order.do for order in house.book.orders.open()] == ["rule"]


async def test_a_reversal_is_an_act_of_its_own_with_its_reason(house: Any) -> None:
    await rule(house, option="leave")
    missing = await house.post(f"{HERE}/reverse", "chief")
    assert "Manca il motivo" in missing.text
    await house.post(f"{HERE}/reverse", "chief", reason="Le immagini mostrano altro")
    _, order = house.sent[-1]
    assert (order["do"], order["key"], order["note"]) == ("dismiss", KEY, "Le immagini mostrano altro")
    assert order["by"] == "la chief"
    house.answer()
    ruled(house, 61, "dismissed")
    html = await house.page(HERE, "arbitro")
    assert "Le immagini mostrano altro" in html
    assert re.search(r"Decisione: comando eseguito, partita alle [\d:]{8} <b>la arbitro</b>", html), (
        "the first ruling stays written"
    )
    assert ("reverse", "la chief") in {(one.deed, one.person) for one in house.book.audit.newest()}
    assert 'id="option-1"' in html, "and it may be ruled anew"
    await house.post(f"{HERE}/reverse", "arbitro", reason="Nuova decisione", option="penalised-card")
    assert (house.sent[-1][1]["do"], house.sent[-1][1]["option"]) == ("rule", "penalised-card")


async def test_a_spectator_and_a_technician_reverse_nothing(house: Any) -> None:
    await rule(house)
    for role in ("technician", "spectator", "organiser"):
        assert (await house.post(f"{HERE}/reverse", role, reason="x")).status_code == 403
    assert len(house.sent) == 1


def test_a_table_lifts_what_a_reversed_ruling_imposed_and_takes_a_new_one() -> None:
    """The orders of a reversal, as the console sends them, at a table's own fold."""
    rehearsal = prepare("fibur2024", 53, 1, ("F-31a",), table="T1")
    fold = open_fold(rehearsal.header)
    key, t = "", 0.0
    for observation in rehearsal.observations():
        for event in fold.feed(observation):
            if event.type == "irregularity" and not key:
                key, t = event.data.key, observation.t  # type: ignore[attr-defined]
        if key:
            break

    def order(do: str, **fields: Any) -> list[Any]:
        nonlocal t
        t += 1.0
        return fold.feed(Console(t, "la arbitro", do, {"key": key, **fields}))

    order("rule", remedy="proposed")
    assert fold.state()["sanctions"]
    lifted = order("dismiss", note="le immagini")
    assert fold.state()["sanctions"] == []
    states = [event.data.state for event in lifted if event.type == "irregularity"]
    assert states == ["dismissed"]
    again = order("rule", remedy="proposed", note="nuova decisione")
    assert [event.data.state for event in again if event.type == "irregularity"] == ["ruled"]
    assert fold.state()["sanctions"]


def test_the_note_of_a_reversal_is_no_part_of_the_case_that_was_dealt_with_before(house: Any) -> None:
    """Two cases of one seat's calls are told apart by when they were."""
    house.hear()
    call = {"key": "call-N", "call": True, "offender": "N", "t": 5.0}
    house.say("T12/alert/call-N", call)
    first = house.book.desk.case("T12", "call-N")
    house.say("T12/alert/call-N", None)
    house.say("T12/alert/call-N", {**call, "t": 80.0})
    assert house.book.desk.life("T12", "call-N").id != first.id
    assert house.book.desk.life("T12", "call-N", first.id) == replace(first, ended=house.at)
