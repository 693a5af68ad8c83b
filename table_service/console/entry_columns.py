"""Meaning of the columns of a list of entries, by their Italian or English headers and by their content.

Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from table_service.console.spreadsheet import SpreadsheetRow

IGNORED: Final = ""
NUMBER: Final = "number"
ENTRY: Final = "entry"
FIELDS: Final = ("player", "surname", "given", "club", "member", "category", "email")
"""Fields of a person that a column may hold; with the person's number behind it, or without for the whole entry."""
PERSONS: Final = 2
TEAM: Final = 6
"""Most players for whom a list may have columns; more than two are a team."""
ROLES: Final = (
    IGNORED, NUMBER, ENTRY, *(f"{field}{n}" for n in range(1, PERSONS + 1) for field in FIELDS),
    *(f"player{n}" for n in range(PERSONS + 1, TEAM + 1)), "club", "category",
)  # fmt: skip
"""All that a column may be."""
_HEADS: Final[Mapping[str, str]] = {
    head: role
    for role, heads in {
        NUMBER: "n|no|nr|num|numero|number|pos|riga|id|#|n iscr|numero iscrizione",
        ENTRY: "coppia|coppie|pair|pairs|squadra|squadre|team|teams|iscritti|iscrizione|entry|entries",
        "player": "giocatore|giocatori|giocatrice|player|players|nominativo|cognome e nome|nome e cognome|cognome nome"
        "|nome cognome|full name|persona|atleta",
        "surname": "cognome|surname|last name|family name|lastname",
        "given": "nome|name|first name|given name|firstname",
        "partner": "partner|compagno|compagna|compagno a|secondo giocatore|second player",
        "club": "circolo|club|asd|societa|associazione|sodalizio|circolo di appartenenza|affiliato",
        "member": "tessera|n tessera|nr tessera|num tessera|numero tessera|codice tessera|tessera n|cod tessera|codice"
        "|member|members|membership|member number|member no|member s number|membership number|card|matricola",
        "category": "categoria|cat|category|livello|level",
        "email": "email|e mail|mail|posta elettronica|indirizzo email",
    }.items()
    for head in heads.split("|")
}
_PERSON_MARKS: Final[Mapping[str, int]] = {
    "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "i": 1, "ii": 2, "a": 1, "b": 2, "uno": 1, "due": 2, "one": 1,
    "two": 2, "primo": 1, "secondo": 2, "first": 1, "second": 2, "partner": 2, "compagno": 2, "compagna": 2,
}  # fmt: skip
_SEEN_FIRST: Final = 12
"""Rows in which heads are sought: a list may have a title above them."""
_MEMBER: Final = re.compile(r"[A-Za-z]{0,4}[-/ ]?\d[\dA-Za-z./-]{2,11}")
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_GIVEN_NAMES: Final = (
    "ada adele agnese alba alberto aldo alessandra alessandro alessia alessio alfredo alice amedeo andrea angela "
    "angelo anita anna annalisa annamaria antonella antonia antonio arianna armando arturo aurora beatrice "
    "benedetta bianca bruna bruno carla carlo carmela carmen caterina cecilia cesare chiara cinzia clara claudia "
    "claudio concetta corrado cosimo cristian cristiana cristiano cristina daniela daniele dario davide debora "
    "diana diego domenico donatella dora edoardo elena eleonora elio elisa elisabetta emanuela emanuele emilia "
    "emilio emma enrica enrico enzo ermanno ernesto eugenio eva fabio fabrizio federica federico felice ferdinando "
    "filippo flavia flavio francesca francesco franco gabriele gabriella gaetano gennaro giacomo gianluca gianni "
    "gino giorgia giorgio giovanna giovanni giulia giuliana giuliano giulio giuseppe giuseppina grazia graziella "
    "guido ida ilaria irene isabella ivan ivana ivo laura leo leonardo letizia lidia liliana lina lorenzo loredana "
    "luca lucia luciana luciano lucio luigi luigia luisa maddalena manuela mara marcella marcello marco margherita "
    "maria mariangela marina mario marisa marta martina massimiliano massimo matilde matteo maurizio mauro mercedes "
    "michela michele milena mirella monica nadia nicola nicoletta nino olga oreste ornella oscar paola paolo "
    "patrizia pia piero pietro raffaele raffaella renata renato renzo riccardo rita roberta roberto rocco romano "
    "rosa rosanna rosario rossella sabrina salvatore samuele sandra sandro sara sebastiano sergio silvana silvano "
    "silvia silvio simona simone sofia sonia stefania stefano susanna teresa tiziana tommaso tullio ubaldo ugo "
    "umberto valentina valentino valeria valerio vera vincenza vincenzo viola virginia vito vittoria vittorio "
    "viviana walter zoe "
)
_GIVEN: Final = frozenset(_GIVEN_NAMES.split())
"""Given names by which a column of them is distinguished from one of surnames."""
_JOINED: Final = re.compile(r"\s+[-–—/&]\s+|[–—]")
"""Between two names in one cell."""


def heads_and_rows(
    rows: Sequence[SpreadsheetRow], *, first: bool | None = None
) -> tuple[SpreadsheetRow | None, list[SpreadsheetRow]]:
    """Return the row of heads, if there is one among the first, and the rows of entries below it.

    ``first``: somebody has said whether the first row is one of heads.
    """
    if first is not None:
        return (rows[0], list(rows[1:])) if first and rows else (None, list(rows))
    for n, row in enumerate(rows[:_SEEN_FIRST]):
        if _is_of_heads(row):
            return row, list(rows[n + 1 :])
    return None, list(rows)


def _is_of_heads(row: SpreadsheetRow) -> bool:
    told = [cell for cell in row.cells if cell]
    known = [cell for cell in told if _role_of_head(cell) is not None]
    return bool(known) and 2 * len(known) > len(told)


def recognised(head: SpreadsheetRow | None, rows: Sequence[SpreadsheetRow]) -> tuple[str, ...]:
    """Return the role of each column: by its head if that says it, else by what is in it."""
    width = max((len(row.cells) for row in ([head] if head else []) + list(rows)), default=0)
    columns = [[row.cells[n] for row in rows if n < len(row.cells) and row.cells[n]] for n in range(width)]
    if head is not None:
        return _numbered(_by_heads([*head.cells, *([""] * (width - len(head.cells)))], columns))
    return _numbered(_by_content(columns))


def signature(head: SpreadsheetRow | None, width: int) -> str:
    """Return the mark of a list's form: its headers, else the number of its columns."""
    return f"{width}" if head is None else "|".join(_plain(cell) for cell in head.cells)


def names_in(cell: str) -> tuple[str, ...]:
    """Return the names in one cell that holds a pair or a team."""
    return tuple(one for one in (part.strip() for part in _JOINED.split(cell)) if one)


Told = list[tuple[str, int | None]]
"""For each column its field, and the person that its head names."""


def _by_heads(heads: Sequence[str], columns: Sequence[Sequence[str]]) -> Told:
    found: Told = [_role_of_head(cell) or (IGNORED, None) for cell in heads]
    fields = {field for field, _ in found}
    plain_names = "surname" not in fields
    for n, (field, person) in enumerate(found):
        if field == "given" and plain_names:
            found[n] = ("player", person)
        elif not heads[n] and columns[n]:
            found[n] = (_content(columns[n]), None)
    return found


def _role_of_head(cell: str) -> tuple[str, int | None] | None:
    """Return the field and the person that a head names; None for what is no head."""
    plain = _plain(cell)
    for text in (plain, re.sub(r"(?<=[a-z])(?=\d)", " ", plain)):
        if text in _HEADS:
            role = _HEADS[text]
            return ("player", 2) if role == "partner" else (role, None)
        words = text.split()
        for mark, rest in ((words[-1:], words[:-1]), (words[:1], words[1:])):
            head = _HEADS.get(" ".join(rest))
            if mark and mark[0] in _PERSON_MARKS and head is not None:
                return ("player" if head in ("partner", ENTRY) else head), _PERSON_MARKS[mark[0]]
    return _member_of(plain.split())


def _member_of(words: Sequence[str]) -> tuple[str, int | None] | None:
    """Return a head that names the card or the code of some federation, with the person that it may name."""
    if not {"tessera", "codice", "membership"} & set(words):
        return None
    return "member", next((_PERSON_MARKS[word] for word in words if word in _PERSON_MARKS), None)


def _by_content(columns: Sequence[Sequence[str]]) -> Told:
    found: list[str] = [_content(column) for column in columns]
    if len(columns) > 1 and _counts(columns[0]):
        found[0] = NUMBER
    texts = [n for n, field in enumerate(found) if field == "text"]
    if len(texts) == 1:
        found[texts[0]] = ENTRY
    elif len(texts) >= PERSONS:
        _name_texts(found, texts, columns)
    return [(field, None) for field in found]


def _name_texts(found: list[str], texts: list[int], columns: Sequence[Sequence[str]]) -> None:
    """Columns of text without heads: clubs repeat themselves, given names are known, all else are players."""
    while len(texts) > PERSONS and _repeats(columns[texts[-1]]):
        found[texts.pop()] = "club"
    given = [_are_given(columns[n]) for n in texts]
    paired = (
        len(texts) == 2 * PERSONS and given.count(True) == PERSONS and given[0] != given[1] and given[2] != given[3]
    )
    for n, is_given in zip(texts, given, strict=True):
        found[n] = ("given" if is_given else "surname") if paired else "player"


def _content(column: Sequence[str]) -> str:
    """Return the content of most cells of a column."""
    if not column:
        return IGNORED
    if _share(_EMAIL.fullmatch(cell) is not None for cell in column):
        return "email"
    many = sum(char.isdigit() for char in "".join(column)) >= 3 * len(column)
    if many and _share(_MEMBER.fullmatch(cell) is not None for cell in column):
        return "member"
    return "text"


def _share(found: Iterable[bool]) -> bool:
    told = list(found)
    return 10 * sum(told) >= 8 * len(told)


def _counts(column: Sequence[str]) -> bool:
    """Return True for a column that counts its rows from 1."""
    return [cell.rstrip(".)") for cell in column] == [str(n) for n in range(1, len(column) + 1)]


def _repeats(column: Sequence[str]) -> bool:
    return len(column) > 2 and len(Counter(cell.casefold() for cell in column)) < len(column)


def _are_given(column: Sequence[str]) -> bool:
    known = sum(_plain(cell).split()[:1] != [] and _plain(cell).split()[0] in _GIVEN for cell in column)
    return bool(column) and 2 * known > len(column)


def _numbered(told: Told) -> tuple[str, ...]:
    """Each column's role: the person by its head, else by how often the field has come before.

    A club or category that is there once is of all of the entry, a member number or an address of the first player.
    """
    often = Counter(field for field, _ in told)
    seen: Counter[str] = Counter()
    roles: list[str] = []
    for field, person in told:
        if field not in FIELDS:
            roles.append(field if field in (NUMBER, ENTRY) else IGNORED)
            continue
        seen[field] += 1
        if person is None and often[field] == 1 and field in ("club", "category"):
            roles.append(field)
            continue
        role = f"{field}{person or seen[field]}"
        roles.append(role if role in ROLES and role not in roles else IGNORED)
    return tuple(roles)


def _plain(text: str) -> str:
    """``text`` without accents and punctuation, in small letters."""
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return " ".join("".join(one if one.isalnum() or one == "#" else " " for one in bare.casefold()).split())
