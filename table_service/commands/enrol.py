"""`tavolo enrol`: a pack is shown once, and read better afterwards; or a pack is counted against what was enrolled."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from hw.bidding import BIDDING_BOX
from hw.cards import FRENCH, CardError, Pack, face
from hw.tag_uids import TagUidError, named_by_uid
from table_service.rulesets import RULE_SETS
from vision.enrolment import count_pack, enrol
from vision.errors import ModelError, PictureError
from vision.index_reader import IndexReader
from vision.packs import Muster, PackError, PackFaces

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp"}


def enrol_command(
    images: list[Path], *, out: Path | None, kind: str, tags: Path | None, check: Path | None, as_json: bool
) -> int:
    """Enrol (``out``) or count (``check``) the pack that ``images`` (or the pictures of a folder) show."""
    try:
        paths = _pictures(images)
        if check is not None:
            pack = PackFaces.load(check)
            seen, found = count_pack(paths, pack, _kind(pack.kind), IndexReader(pack=pack))
            return _say({"pack": str(check), "kind": pack.kind}, seen, found, (), as_json=as_json)
        named = _kind(kind)
        known = _tags(tags, named) if tags is not None else {}
        done = enrol(paths, named, IndexReader(), known)
        if out is not None:
            done.pack.save(out)
        head = {"pack": None if out is None else str(out), "kind": kind, "tags": len(known)}
        return _say(head, list(done.seen), done.muster, done.notes, as_json=as_json)
    except (PictureError, PackError, ModelError) as error:
        typer.echo(f"tavolo: {error}", err=True)
    except OSError as error:
        name = error.filename or out  # a full disk is reported without its file's name
        typer.echo(f"tavolo: cannot write {name}: {error.strerror or error}", err=True)
    return 1


def _kind(name: str) -> Pack:
    kinds = {pack.name: pack for pack in (FRENCH, BIDDING_BOX, *(one.pack for one in RULE_SETS.values()))}
    if name not in kinds:
        raise PackError(f"'{name}' is no kind of pack; write one of {', '.join(sorted(kinds))}")
    return kinds[name]


def _pictures(images: list[Path]) -> list[Path]:
    paths: list[Path] = []
    for path in images:
        if path.is_dir():
            found = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
            if not found:
                raise PictureError(f"{path}: this folder holds no picture")
            paths += found
        else:
            paths.append(path)
    return paths


def _tags(path: Path, kind: Pack) -> dict[str, str]:
    """Read a tags file {"UID": "7H#1", …}, checked against the pack: every physical card once. Raises PackError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise PackError(f"{path.name}: the tags cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise PackError(f"{path.name}: the tags are not JSON") from None
    if not isinstance(data, dict) or not all(isinstance(v, str) for v in data.values()):
        raise PackError(f'{path.name}: the tags must be an object {{"UID": "7H#1", …}}')
    try:
        data = named_by_uid(data)
    except TagUidError as error:
        raise PackError(f"{path.name}: tag {error.uid}: {error}") from None
    _check_whole(data, path.name, kind)
    return data


def _check_whole(tags: Mapping[str, str], name: str, kind: Pack) -> None:
    """Raise PackError unless the ``tags`` of file ``name`` are those of a whole pack of ``kind``."""
    for uid, card in tags.items():
        try:
            known = face(kind.parse(card)) in kind.copies
        except CardError as error:
            raise PackError(f"{name}: tag {uid}: {error}") from None
        if not known:
            raise PackError(f"{name}: tag {uid} names {card}, which is no card of a {kind.name} pack")
    copies = Counter(face(card) for card in tags.values())
    wrong = {f: n for f, n in kind.copies.items() if copies[f] != n}
    if wrong:
        few = ", ".join(f"{f} {copies[f]} of {n}" for f, n in list(wrong.items())[:6])
        raise PackError(f"{name}: the tags do not make a {kind.name} pack: {few}{' …' if len(wrong) > 6 else ''}")


def _say(head: dict[str, Any], seen: list[str], found: Muster, notes: tuple[str, ...], *, as_json: bool) -> int:
    for note in notes:
        typer.echo(f"tavolo: {note}", err=True)
    if as_json:
        document = {
            **head,
            "seen": seen,
            "missing": found.missing,
            "doubled": found.doubled,
            "foreign": list(found.foreign),
            "complete": found.complete,
        }
        typer.echo(json.dumps(document, ensure_ascii=False))
    else:
        typer.echo(f"{len(seen)} cards seen; {found.sentence()}")
    return 0 if found.complete else 1
