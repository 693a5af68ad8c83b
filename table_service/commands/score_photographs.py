"""`tavolo score`: photographs of what lies at the end of a deal made into its score, item by item."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import typer

from hw.cards import UNKNOWN
from table_service.commands.arguments import fail
from table_service.commands.calculators import describe_count
from table_service.games.definition import RuleSet
from table_service.photographs.page_words import page_words
from table_service.photographs.photograph_reading import Image, ReadPicture, read_photograph
from table_service.photographs.scoring import PhotographError, rules_for, score_pictures, shown_by, word_in_name
from table_service.rulesets import rule_set
from vision.errors import ModelError, PictureError

_PAINTS: Final = ((70, 200, 60), (255, 160, 40), (200, 90, 230), (60, 200, 230), (230, 120, 120), (120, 230, 190))


def score_images(
    images: Sequence[str],
    rules: str,
    said: Sequence[str],
    written: Sequence[str] = (),
    *,
    as_json: bool,
    as_pbn: bool,
    draw: Path | None,
    pack: Path | None,
    language: str,
) -> int:
    """Read ``images`` (``WHAT=PATH`` or ``PATH``), print the score; the exit code, 1 if a picture cannot be read.

    ``said``: what a picture cannot show, as ``NS.pot=taken``, ``N.hand=``, ``contract=3NT``. ``written``: figures
    of the sheet written by hand, as ``NS.melds=455``.
    """
    from vision.index_reader import IndexReader
    from vision.packs import PackError, PackFaces
    from vision.pictures import open_picture

    played = rule_set(rules)
    try:
        named = [_named(played, word) for word in images]
        facts, sheet = facts_of(said), written_in(written, played)
        if rules_for(played).needs_pack and pack is None:
            raise PhotographError(
                f"{played.title}: its cards have no index; enrol the pack (tavolo enrol --of {played.game}) "
                "and name it with --pack"
            )
    except PhotographError as error:
        fail(str(error), 2)
    try:
        known = None if pack is None else PackFaces.load(pack)
        reader = IndexReader(pack=known)
        read, shown = list[ReadPicture](), list[Image]()
        for what, path in named:
            picture = open_picture(path)
            read.append(read_photograph(picture, what, reader, known))
            shown.append(picture)
    except (ModelError, PackError, PictureError) as error:
        fail(str(error))
    answer = score_pictures(played, read, facts, sheet)
    answer["images"] = [_image_json(path, one) for (_, path), one in zip(named, read, strict=True)]
    if draw is not None:
        _draw(draw, shown, read)
    if as_pbn:
        return _print_pbn(answer, language)
    typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else described(answer, language))
    return 0


def _named(played: RuleSet, word: str) -> tuple[str, Path]:
    """Split ``NS=ns.jpg`` into what the picture shows and its file. Raises PhotographError."""
    own = rules_for(played)
    what, by, path = word.partition("=")
    if not by or Path(word).exists():
        return word_in_name(own, Path(word).name), Path(word)
    return shown_by(own, what), Path(path)


def facts_of(said: Sequence[str]) -> dict[str, Any]:
    """Return the facts of ``NS.pot=taken``, ``EW.closed=yes``, ``N.hand=7H,8H``, ``tricks=9`` as a game takes them.

    Raises PhotographError.

    >>> facts_of(["NS.pot=taken", "N.hand=", "tricks=9"])
    {'NS': {'pot': 'taken', 'hands': {'N': []}}, 'tricks': 9}
    """
    facts: dict[str, Any] = {}
    for one in said:
        name, by, text = one.partition("=")
        if not by:
            raise PhotographError(f"'{one}' says nothing: write for example NS.pot=taken")
        value: Any = {"yes": True, "no": False, "true": True, "false": False}.get(text.lower(), text)
        if isinstance(value, str) and value.lstrip("-").isdigit():
            value = int(value)
        whose, _, what = name.rpartition(".")
        if what == "hand" and whose in ("N", "E", "S", "W"):
            line = "NS" if whose in ("N", "S") else "EW"
            cards = [card.strip() for card in text.replace(",", " ").split()]
            facts.setdefault(line, {}).setdefault("hands", {})[whose] = cards
        elif whose:
            facts.setdefault(whose, {})[what] = value
        else:
            facts[what] = value
    return facts


def written_in(words: Sequence[str], played: RuleSet) -> dict[str, dict[str, int]]:
    """Return the figures of ``NS.melds=455`` by line and item. Raises PhotographError."""
    known = (*(item.name for item in played.sheet.items), "total")
    sheet: dict[str, dict[str, int]] = {}
    for word in words:
        line, _, rest = word.partition(".")
        item, _, figure = rest.partition("=")
        if line not in ("NS", "EW") or item not in known or not figure.lstrip("-").isdecimal():
            raise PhotographError(
                f"'{word}' is no written figure: write NS.{known[0]}=100; items are {', '.join(known)}"
            )
        sheet.setdefault(line, {})[item] = int(figure)
    return sheet


def _differs(one: dict[str, Any], language: str) -> str:
    """Return a difference of the written sheet as a sentence."""
    words = page_words(language)
    why = [words["made_of"].format(card=card, value=value) for card, value in one["cards"]]
    why += [words["adds_up"].format(sum=one["adds_up"])] if "adds_up" in one else []
    item = words["total"] if one["item"] == "total" else one["item"]
    reason = f": {', '.join(why)}" if why else ""
    return words["differs"].format(**{**one, "item": item}, why=reason)


def _image_json(path: Path, read: ReadPicture) -> dict[str, Any]:
    return {
        "image": str(path),
        "shows": read.shows,
        "width": read.size[0],
        "height": read.size[1],
        "ms": read.ms,
        "cards": read.cards,
        "advice": [{"it": it, "en": en} for it, en in read.advice],
    }


def _print_pbn(answer: dict[str, Any], language: str) -> int:
    """Print a board's record; without one, print the reason and exit with code 1."""
    if answer.get("pbn"):
        typer.echo(answer["pbn"], nl=False)
        return 0
    for note in answer.get("notes", ()):
        typer.echo(f"tavolo: {note['text'][language]}", err=True)
    if "pbn" not in answer:
        typer.echo("tavolo: only hands of bridge make a record in PBN", err=True)
        return 2
    missing = " ".join(answer["missing"]) or "none"
    typer.echo(f"tavolo: no record yet: missing {missing}; doubtful {' '.join(answer['doubtful'])}", err=True)
    return 1


def described(answer: dict[str, Any], language: str) -> str:
    """Return the answer as lines for a person: melds or hands, the items, what is uncertain and what to do better."""
    lines = [
        f"{meld['line']}: {' '.join(meld['cards'])}"
        + (f"  ({meld['burraco']} burraco +{meld['bonus']})" if meld["bonus"] else "")
        + ("" if meld["certain"] else f"  ? {'; '.join(doubt[language] for doubt in meld['doubts'])}")
        for meld in answer.get("melds", ())
    ]
    lines += [f"{seat}: {' '.join(hand)}" for seat, hand in answer.get("hands", {}).items()]
    lines.append(describe_count(answer))
    lines += [_differs(one, language) for one in answer.get("differences", ())]
    lines += [f"? {note['line'] and note['line'] + ': '}{note['text'][language]}" for note in answer["notes"]]
    for image in answer.get("images", ()):
        lines += [f"{Path(image['image']).name}: {advice[language]}" for advice in image["advice"]]
    return "\n".join(lines)


def _draw(out: Path, pictures: Sequence[Image], read: Sequence[ReadPicture]) -> None:
    """Write each picture with what was read painted on; several as OUT-1.jpg, OUT-2.jpg."""
    from vision.see import write_drawing

    for number, (picture, one) in enumerate(zip(pictures, read, strict=True), start=1):
        path = out if len(read) == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")
        write_drawing(path, painted(picture, one))


def painted(picture: Image, read: ReadPicture) -> Image:
    """Return a copy of ``picture`` with the outline and name of each card, in one colour a group; unread ones red."""
    from vision.see import label

    out = picture.copy()
    scale = max(0.5, max(picture.shape[:2]) / 1600)
    for number, group in enumerate(read.groups):
        paint = _PAINTS[number % len(_PAINTS)]
        for card in group.cards:
            colour = (40, 40, 240) if card.face == UNKNOWN else paint
            ring = np.round(card.outline).astype(np.int32)
            cv2.polylines(out, [ring], isClosed=True, color=colour, thickness=max(1, round(2 * scale)))
            spot = card.outline[0] + 0.12 * (card.outline[2] - card.outline[0])
            label(out, card.face, (round(float(spot[0])), round(float(spot[1]))), colour, scale)
    return out


def serve_page(
    rules: str, host: str, port: int, keep: Path | None, pack: Path | None, tls: tuple[Path, Path] | None = None
) -> int:
    """Serve the page of photographs until Ctrl-C; the exit code. ``rules`` is offered first.

    With a folder that keeps deals the address is the same each time, if its port is free.
    """
    from threading import Event

    from table_service.console.qr_code import qr_text
    from table_service.photographs.photograph_page import PhotographDesk
    from table_service.photographs.serving_photographs import ServingError, kept_in, serving_folder
    from table_service.rulesets import RULE_SETS
    from vision.packs import PackError, PackFaces

    offered = [one.name for one in RULE_SETS.values() if one.photographs is not None]
    names = (rules, *(name for name in offered if name != rules))
    try:
        known = None if pack is None else PackFaces.load(pack)
        desk = PhotographDesk(names, known, None if keep is None else kept_in(keep))
        with serving_folder(desk, host, port, keep, tls) as page:
            if sys.stdout.isatty():
                typer.echo(qr_text(page.url))
            typer.echo(page.url)
            Event().wait()
    except KeyboardInterrupt:
        return 0
    except (PackError, ServingError) as error:
        fail(str(error))
    return 0
