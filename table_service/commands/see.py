"""`tavolo see`: pictures of cards, read one after another; a picture that cannot be read does not stop the others."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typer

from vision.errors import ModelError, PictureError


def see_pictures(images: list[Path], *, as_json: bool, draw: Path | None, pack: Path | None = None) -> int:
    """Read ``images``, ``-`` from standard input: one JSON object (or line) each.

    ``draw`` gets a painted copy of the only one; ``pack`` is an enrolled pack's file.

    Returns the exit code: 1 where a picture could not be read or the drawing not be written.
    """
    from vision.index_reader import Reader
    from vision.packs import PackError, PackFaces
    from vision.pictures import open_picture, read_picture
    from vision.see import draw_cards, see_image, write_drawing

    try:
        known = None if pack is None else PackFaces.load(pack)
        reader = Reader(pack=known)
    except (ModelError, PackError) as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 1
    bad = False
    for path in images:
        try:
            picture = read_picture(sys.stdin.buffer, "standard input") if str(path) == "-" else open_picture(path)
            answer = see_image(path, reader, known, picture)
            if draw is not None:
                write_drawing(draw, draw_cards(picture, answer["cards"]))
        except PictureError as error:
            bad = True
            typer.echo(f"tavolo: {error}", err=True)
            if as_json:
                nothing: dict[str, Any] = {"image": str(path), "width": None, "height": None, "ms": None, "cards": []}
                typer.echo(json.dumps({**nothing, "error": str(error)}, ensure_ascii=False))
            continue
        if as_json:
            typer.echo(json.dumps(answer, ensure_ascii=False))
        else:
            cards = " ".join(card["card"] for card in answer["cards"]) or "no card"
            typer.echo(f"{path}: {cards} ({answer['ms']:.0f} ms)")
    return 1 if bad else 0
