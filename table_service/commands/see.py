"""`tavolo see`: pictures of cards, read one after another; a picture that cannot be read does not stop the others."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typer

from vision.errors import ModelError, PictureError


def see_pictures(
    images: list[Path], *, as_json: bool, draw: Path | None, pack: Path | None = None, box: Path | None = None
) -> int:
    """Read ``images``, ``-`` from standard input: one JSON object (or line) each.

    ``draw`` gets a painted copy of the only one; ``pack`` is an enrolled pack's file, ``box`` an enrolled bidding box's
    whose cards are read in the tray.

    Returns the exit code: 1 if a picture could not be read or the drawing not be written.
    """
    from vision.faces.box import whole_box
    from vision.index_reader import IndexReader
    from vision.packs import PackError, PackFaces
    from vision.pictures import open_picture, read_picture
    from vision.see import draw_cards, see_image, write_drawing
    from vision.see_tray import draw_calls, see_table

    try:
        known, shown = (None if path is None else PackFaces.load(path) for path in (pack, box))
        calls = None if shown is None else whole_box(shown)
        reader = IndexReader(pack=known)
    except (ModelError, PackError) as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 1
    bad = False
    for path in images:
        try:
            picture = read_picture(sys.stdin.buffer, "standard input") if str(path) == "-" else open_picture(path)
            if calls is None:
                answer = see_image(path, reader, known, picture)
            else:
                answer = see_table(path, reader, calls, known, picture)
            if draw is not None:
                drawn = draw_cards(picture, answer["cards"])
                draw_calls(drawn, answer.get("tray", {"cards": ()}))
                write_drawing(draw, drawn)
        except PictureError as error:
            bad = True
            typer.echo(f"tavolo: {error}", err=True)
            if as_json:
                nothing: dict[str, Any] = {"image": str(path), "width": None, "height": None, "ms": None, "cards": []}
                typer.echo(json.dumps({**nothing, "error": str(error)}, ensure_ascii=False))
            continue
        typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else _in_words(path, answer))
    return 1 if bad else 0


def _in_words(path: Path, answer: dict[str, Any]) -> str:
    """Return one line for a person: the cards, and those in the tray by seat if one was looked for."""
    from vision.see_tray import tray_in_words

    cards = " ".join(card["card"] for card in answer["cards"]) or "no card"
    tray = f"; tray: {tray_in_words(answer['tray'])}" if "tray" in answer else ""
    return f"{path}: {cards}{tray} ({answer['ms']:.0f} ms)"
