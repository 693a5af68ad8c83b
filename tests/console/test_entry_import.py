"""Entries from spreadsheets as people keep them are read, shown, taken, and their people stand in every list.

Any letters and separators, columns by heads and by content, lines that are refused, clubs and member numbers.
"""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from openpyxl import Workbook, load_workbook

from table_service.console.entry_list import entries_of, read_list
from table_service.console.ruling_forms import FormError
from table_service.console.spreadsheet import UnreadableFileError, rows_of_file
from table_service.console.storage import Role
from table_service.console.vocabulary import WORDS
from tests.sweeps import rest_in_proof

feed: Any = sys.modules["console_feed"]
LIST = """Torneo di Natale;;;;;;
N.;Cognome;Nome;Tessera;Cognome;Nome;Tessera;Circolo;E-mail
1;D’Amico;Zoè;IT-00123;Bianchi;Luca;IT-00124;Burraco Milano;zoe@example.org
2;Verdi;Ugo;00200;Neri;Anna;00201;Roma;ugo@example.org
"""


def workbook(text: str) -> bytes:
    book = Workbook()
    for row in csv.reader(io.StringIO(text), delimiter=";"):
        book.active.append([int(cell) if cell.isdigit() and not cell.startswith("0") else cell or None for cell in row])
    out = io.BytesIO()
    book.create_sheet("vuoto", 0)
    book.save(out)
    return out.getvalue()


FILES = {
    "utf-8": LIST.encode(),
    "utf-8 with a mark": LIST.encode("utf-8-sig"),
    "utf-16": LIST.encode("utf-16"),
    "utf-16 without a mark": LIST.encode("utf-16-le"),
    "an older Windows": LIST.replace("\n", "\r\n").encode("cp1252"),
    "an older Macintosh": LIST.replace("\n", "\r").encode("mac_roman"),
    "DOS": LIST.replace("’", "'").encode("cp850"),
    "commas": LIST.replace(";", ",").encode(),
    "tabs": LIST.replace(";", "\t").encode(),
    "strokes": LIST.replace(";", "|").encode(),
    "quotes": "\n".join(";".join(f'"{cell}"' for cell in line.split(";")) for line in LIST.splitlines()).encode(),
    "a workbook": workbook(LIST),
}


@pytest.mark.parametrize("name", FILES)
def test_a_list_is_read_whatever_its_letters_its_separator_and_its_kind(name: str) -> None:
    found = read_list(rows_of_file(FILES[name]))
    assert found.refused == ()
    first = found.entries[0]
    assert first.name.replace("'", "’") == "D’Amico Zoè–Bianchi Luca"
    assert [(who.member, who.club, who.email) for who in first.people] == [
        ("IT-00123", "Burraco Milano", "zoe@example.org"), ("IT-00124", "Burraco Milano", ""),
    ]  # fmt: skip
    assert found.entries[1].people[0].member == "00200", "the noughts of a member number stay"


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("Giocatore 1;Giocatore 2;Circolo\nA B;C D;E", "player1 player2 club"),
        ("name,partner\nA,B", "player1 player2"),
        ("Cognome1;Nome1;Cognome2;Nome2\nA;B;C;D", "surname1 given1 surname2 given2"),
        ("surname;first name;partner;member number\nA;B;C D;123456", "surname1 given1 player2 member1"),
        ("No.\tPair\tClub\n1\tA – B\tC", "number entry club"),
        ("Player A;Club A;Player B;Club B\nA;B;C;D", "player1 club1 player2 club2"),
        ("1;Rossi Anna;Bianchi Luca\n2;Verdi Ugo;Neri Zoe", "number player1 player2"),
        ("Rossi;Anna;Bianchi;Luca\nVerdi;Ugo;Neri;Zoe", "surname1 given1 surname2 given2"),
        ("Anna;Rossi;Luca;Bianchi\nUgo;Verdi;Zoe;Neri", "given1 surname1 given2 surname2"),
        ("Rossi A;40123;Bianchi L;40124;Lodi\nVerdi U;40125;Neri Z;40126;Lodi\nGalli O;40127;Serra T;40128;Bari",
         "player1 member1 player2 member2 club"),
        ("Rossi A;Bianchi L;a@b.it\nVerdi U;Neri Z;c@d.it", "player1 player2 email1"),
        ("Giocatore 1;Tessera Federale 1;Giocatore 2;Codice Tesserato 2\nA;1;B;2", "player1 member1 player2 member2"),
        ("Anna;Bea;Carla;Dora", "player1 player2 player3 player4"),
    ],
)  # fmt: skip
def test_columns_are_recognised_by_their_heads_and_by_what_stands_in_them(text: str, roles: str) -> None:
    assert " ".join(read_list(rows_of_file(text.encode())).roles) == roles


@pytest.mark.parametrize(
    ("rows", "word", "n"),
    [
        ("Rossi Anna;Bianchi Luca\n;\nVerdi Ugo;", "entry_half", 4),
        ("Rossi Anna;Bianchi Luca\n;Verdi Ugo", "entry_half", 3),
        ("Rossi Anna;Bianchi Luca\nbianchi luca;ROSSI ANNA", "entry_double", 3),
        ("Rossi Anna;Bianchi Luca\nVerdi Ugo;Rossi Anna", "entry_person", 3),
        ("Rossi Anna;Rossi Anna", "entry_person", 2),
        (f"Rossi Anna;Bianchi Luca\n{'x' * 40};{'y' * 40}", "entry_long", 3),
    ],
)
def test_half_pairs_and_doubles_are_refused_with_their_line(rows: str, word: str, n: int) -> None:
    with pytest.raises(FormError) as refused:
        entries_of(f"Giocatore 1;Giocatore 2\n{rows}")
    assert (refused.value.word, refused.value.terms["n"]) == (word, n)
    for said in WORDS[word]:
        assert str(n) in said.format(**refused.value.terms)


def test_the_same_member_twice_is_refused_and_two_people_of_one_name_are_not() -> None:
    head = "Giocatore 1;Tessera;Giocatore 2;Tessera\n"
    with pytest.raises(FormError) as refused:
        entries_of(head + "Rossi Anna;1001;Bianchi Luca;1002\nVerdi Ugo;1003;Neri Zoe;1001")
    assert (refused.value.word, refused.value.terms["member"], refused.value.terms["n"]) == ("entry_member", "1001", 3)
    two = entries_of(head + "Rossi Anna;1001;Bianchi Luca;1002\nRossi Anna;1003;Neri Zoe;1004")
    assert two == ("Rossi Anna–Bianchi Luca", "Rossi Anna–Neri Zoe")


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"PK\x03\x04rubbish", "file_unreadable"), (b"\xd0\xcf\x11\xe0old", "file_is_old"),
        (b"A;B\n" * 3000, "file_long"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_list_is_one_sentence(body: bytes, word: str) -> None:
    with pytest.raises(UnreadableFileError) as refused:
        rows_of_file(body)
    assert refused.value.word == word


def sent(body: bytes) -> str:
    return base64.urlsafe_b64encode(body).decode()


def hidden(page: str) -> str:
    found = re.search(r'name="rows" value="([^"]+)"', page)
    assert found is not None
    return found[1]


async def api_ranking(house: Any, role: Role) -> Any:
    person = house.book.accounts.add(f"un {role}", role, now=time.time())
    token = house.book.accounts.link(person.id, "api", expires=time.time() + 60)
    async with house.client(None) as client:
        answer = await client.get("/api/v1/ranking", headers={"Authorization": f"Bearer {token}"})
    return answer.json()


async def test_a_file_is_shown_before_it_is_taken_and_columns_once_mapped_are_remembered(house: Any) -> None:
    text = "Chi;Con chi;Casa\nRossi Anna;Bianchi Luca;Milano\nVerdi Ugo;Neri Zoe;Bari\n"
    shown = (await house.post("/entries/show", "organiser", file=sent(text.encode()))).text
    assert house.book.entrants.listed() == [], "nothing is taken yet"
    columns = {f"column-{n}": role for n, role in enumerate(("player1", "player2", "club"))}
    assert "Prendi 3 iscritti" in shown, "nobody knows these heads"
    again = (await house.post("/entries/show", "organiser", rows=hidden(shown), heads="1", **columns)).text
    assert "Prendi 2 iscritti" in again
    next_week = text.replace("Rossi", "Gallo").encode()
    shown = (await house.post("/entries/show", "organiser", file=sent(next_week))).text
    assert "Prendi 2 iscritti" in shown, "the same form of list needs no touch"
    await house.post("/entries/take", "organiser", rows=hidden(shown))
    assert house.book.entrants.listed() == ["Gallo Anna–Bianchi Luca", "Verdi Ugo–Neri Zoe"]


async def test_clubs_and_member_numbers_stand_in_entries_ranking_paper_csv_workbook_and_json(house: Any) -> None:
    house.hear()
    shown = (await house.post("/entries/show", "organiser", file=sent(FILES["an older Windows"]))).text
    assert "Burraco Milano" in shown
    await house.post("/entries/take", "organiser", rows=hidden(shown))
    assert house.book.entrants.listed() == ["D’Amico Zoè–Bianchi Luca", "Verdi Ugo–Neri Anna"]
    assert "D’Amico Zoè–Bianchi Luca\nVerdi Ugo–Neri Anna</textarea>" in html.unescape(await house.page("/round"))
    await house.post("/round/start", "chief", deals="2", pairs="T12 D’Amico Zoè–Bianchi Luca / Verdi Ugo–Neri Anna")
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=25, deals=2))
    more = {"match_points": {"NS": 50, "EW": -50}, "victory_points": {"NS": 11, "EW": 9}}
    for deal in (1, 2):
        house.say("T12/event/score.counted", feed.score(400 + deal, deal, **more))
        for n, line in enumerate(("NS", "EW")):
            told = feed.sheet_event(410 + 2 * deal + n, "sheet.confirmed", deal, line=line, how="display")
            house.say("T12/event/sheet.confirmed", told)
    first = json.loads((await house.get("/reports/lists/ranking.json", "organiser")).text)["rows"][0]
    assert (first["pair"], first["members"], first["clubs"]) == (
        "D’Amico Zoè–Bianchi Luca", "IT-00123 / IT-00124", "Burraco Milano",
    )  # fmt: skip
    assert "IT-00123 / IT-00124;Burraco Milano" in (await house.get("/reports/lists/ranking.csv", "organiser")).text
    body = (await house.get("/reports/lists/ranking.xlsx", "organiser")).content
    rows = list(load_workbook(io.BytesIO(body)).active.iter_rows(values_only=True))
    assert rows[1][1:4] == ("D’Amico Zoè–Bianchi Luca", "IT-00123 / IT-00124", "Burraco Milano")
    pdf = pypdfium2.PdfDocument((await house.get("/reports/lists/ranking.pdf", "organiser")).content)
    assert "IT-00124" in "".join(page.get_textpage().get_text_range() for page in pdf)
    people = json.loads((await house.get("/reports/lists/entries.json", "organiser")).text)["rows"]
    assert [(one["name"], one["member"], one["club"]) for one in people][2] == ("Verdi Ugo", "00200", "Roma")
    assert (await api_ranking(house, Role.CHIEF))["rows"][0]["people"][0] == {
        "name": "D’Amico Zoè",
        "club": "Burraco Milano",
        "member": "IT-00123",
        "category": "",
    }
    assert "Burraco Milano" in await house.page("/standing")
    await house.post("/round/publish", "organiser")
    public = json.dumps(await api_ranking(house, Role.SPECTATOR), ensure_ascii=False)
    for told in (await house.page("/ranking", "spectator"), public):
        assert "Burraco Milano" in told
        assert "IT-00123" not in told, "numbers are for those who run the hall"
        assert "example.org" not in told


@pytest.mark.parametrize("rows", ["W1tbXV0=", "eyJhIjoxfQ==", "bnVsbA==", "????", "W1siYSIsMV1d"])
async def test_rows_that_no_page_has_sent_are_one_sentence(house: Any, rows: str) -> None:
    answer = await house.post("/entries/take", "organiser", rows=rows)
    assert answer.status_code == 400
    assert "non si legge come elenco" in answer.text
    assert house.book.entrants.listed() == []


@pytest.mark.slow(seconds=12)
@pytest.mark.parametrize(("width", "height"), rest_in_proof([(390, 844), (820, 1180), (1920, 1080)]))
def test_a_file_is_looked_at_mapped_by_touch_and_taken(browser: Any, tmp_path: Path, width: int, height: int) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect

    from table_service.console import ConsoleSettings, serving

    file = tmp_path / "iscritti.xlsx"
    file.write_bytes(FILES["a workbook"])
    with serving(ConsoleSettings(tables=("T1",), open_link=True)) as running:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(running.door)
        page.goto(f"{running.url}round")
        page.locator("#seating > summary").click()
        page.locator("#to-entries").click()
        page.set_input_files("#list-file", str(file))
        expect(page.locator("#column-1")).to_have_value("surname1", timeout=30_000)
        page.locator("#column-8").select_option("")
        expect(page.locator("#read")).to_contain_text("D’Amico Zoè", timeout=30_000)
        expect(page.locator("#column-8")).to_have_value("", timeout=30_000)
        assert not Axe().run(page).response["violations"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#column-1").bounding_box()["height"] >= 43.5
        page.locator("#entries-take").click()
        expect(page.locator("#taken")).to_contain_text("IT-00123", timeout=30_000)
        page.locator("#to-seating").click()
        expect(page.locator("#entries")).to_have_value(re.compile("D’Amico Zoè–Bianchi Luca\nVerdi Ugo–Neri Anna"))
        page.close()
