"""The page that takes photographs of a deal, shows what was read of them, and counts what a person has mended.

Its routes are the same in the console and served alone (``tavolo score --serve``). Pictures come as the camera packed
them, without what it wrote beside them (``bare_jpeg``); they stay in memory until a deal is kept, and go nowhere else.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.background import BackgroundTask

from table_service.games.definition import RuleSet, UnknownRulesError
from table_service.photographs.bare_jpeg import bare_jpeg
from table_service.photographs.page_words import page_words
from table_service.photographs.scoring import known_words, put_together, rules_for, scored, shown_by
from table_service.photographs.sent_deal import (
    RequestError,
    deal_number,
    entry_of,
    listed,
    sent_deal,
    taken_times,
    written_figures,
)
from table_service.rulesets import rule_set
from table_service.table.score_items import Title
from vision.errors import PictureError

if TYPE_CHECKING:
    import numpy as np

    from table_service.photographs.photograph_reading import ReadPicture
    from vision.index_reader import IndexReader
    from vision.packs import PackFaces

MOST_BYTES: Final = 25_000_000
"""A picture's file; a phone's 24 MP have 5 to 12 MB."""
MOST_PIXELS: Final = 30_000_000
"""The page sends 12.5 million; a file that announces more is refused before it is unpacked."""
MOST_TEXT: Final = 200_000
MOST_WAITING: Final = 4
"""Pictures that may wait for the one that is being read."""
KEPT_BYTES: Final = 60_000_000
"""Most bytes of pictures held in memory until their deal is kept."""
_ENROL_FIRST: Final = ("Questo mazzo va prima mostrato (tavolo enrol).", "Enrol this pack first (tavolo enrol).")
_NOT_READ: Final = "Questo file non è una fotografia che si può leggere: scattate di nuovo, o salvatela come JPEG."
_STATIC: Final = Path(__file__).parent / "static"
_SCRIPT: Final = "text/javascript; charset=utf-8"
_TYPES: Final = {
    "photograph.js": _SCRIPT,
    "bare-picture.js": _SCRIPT,
    "stored-deals.js": _SCRIPT,
    "photograph.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_PAGES: Final = Environment(
    loader=PackageLoader("table_service.photographs"), autoescape=select_autoescape(), undefined=StrictUndefined
)

Keep = Callable[[Request, dict[str, Any], Mapping[str, bytes]], None]
"""Keeps a deal: what was counted with who and when, and its pictures by their SHA-256. Raises OSError."""


@dataclass(frozen=True)
class SheetFiling:
    """The sheets of a round that kept deals go into: ``tables`` names those of the round.

    ``file`` puts a kept deal into the sheet of its ``table`` and ``number``, and returns the address of its page.
    """

    tables: Callable[[], Sequence[str]]
    file: Callable[[Request, dict[str, Any]], str]


@dataclass
class PhotographDesk:
    """Reads one picture after the other and holds them for a while. ``keep``: where deals go; None: nowhere."""

    rules: tuple[str, ...]
    pack: PackFaces | None = None
    keep: Keep | None = None
    sheets: SheetFiling | None = None
    back: str = ""
    """Address of the page that the title leads back to; empty if the page is served alone."""
    _reader: IndexReader | None = None
    _held: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _reading: threading.Lock = field(default_factory=threading.Lock)
    _waiting: int = 0

    def read(self, data: bytes, shows: str) -> tuple[str, ReadPicture]:
        """Return the SHA-256 under which a picture is held, and what it shows. Raises PictureError, ModelError."""
        from table_service.photographs.photograph_reading import read_photograph
        from vision.pictures import decode_picture

        with self._reading:
            picture = decode_picture(data, "photo", MOST_PIXELS)
            read = read_photograph(picture, shows, self._opened(), self.pack)
            return self._hold(bare_jpeg(data) or _packed(picture)), read

    def make_ready(self) -> None:
        """Load what reads pictures, so that the first one need not wait: most consoles never see any."""
        from table_service.photographs import photograph_reading  # noqa: F401  # loads OpenCV, too
        from vision.errors import ModelError

        if self.is_ready:
            return
        with self._reading, suppress(ModelError):  # it is said to the person who sends a picture
            self._opened().open_all()

    @property
    def is_ready(self) -> bool:
        """Return True once what reads pictures is loaded."""
        return self._reader is not None

    def _opened(self) -> IndexReader:
        from vision.index_reader import IndexReader

        if self._reader is None:
            self._reader = IndexReader(pack=self.pack)
        return self._reader

    def _hold(self, packed: bytes) -> str:
        name = hashlib.sha256(packed).hexdigest()
        self._held[name] = packed
        self._held.move_to_end(name)
        while len(self._held) > 1 and sum(map(len, self._held.values())) > KEPT_BYTES:
            self._held.popitem(last=False)
        return name

    def held(self, names: object) -> dict[str, bytes]:
        """Return the pictures named that are still held."""
        wanted = names if isinstance(names, list) else []
        return {str(name): self._held[str(name)] for name in wanted if str(name) in self._held}

    async def read_soon(self, data: bytes, shows: str) -> tuple[str, ReadPicture]:
        """Read as ``read`` does, in a thread. Raises HTTPException 503 if too many wait."""
        if self._waiting >= MOST_WAITING:
            raise HTTPException(503, headers={"Retry-After": "5"})
        self._waiting += 1
        try:
            return await asyncio.to_thread(self.read, data, shows)
        finally:
            self._waiting -= 1


def _packed(picture: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    """Pack a picture as JPEG that came as another kind of file."""
    import cv2

    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def photograph_routes(
    desk: PhotographDesk,
    prefix: str,
    language: Callable[[Request], str],
    guards: Sequence[Any] = (),
    token: Callable[[Request], str] = lambda _: "",
) -> APIRouter:
    """Build the routes of the page and what it asks: ``read`` a picture, ``count`` what it shows, ``keep`` a deal.

    ``prefix``: the path under which they are. ``guards``: what each route depends on, such as who may open it.
    ``token``: what the page sends back as ``X-CSRF``.
    """
    made = APIRouter(prefix=prefix, dependencies=list(guards))

    @made.get("/")
    async def page(request: Request, rules: str = "") -> Response:
        """Serve the page, for the rule set ``rules`` or the first one; its script reads ``table`` and ``deal``."""
        played = _played(desk, rules or desk.rules[0])
        own, spoken = rules_for(played), language(request)
        text = _PAGES.get_template("score.html").render(
            w=page_words(spoken), lang=spoken, back=desk.back, keeps=desk.keep is not None, own=own,
            played=played.name, choices=[rule_set(name) for name in desk.rules],
            tables=[] if desk.sheets is None else list(desk.sheets.tables()),
            data={**_data(played, spoken), "csrf": token(request), "parts": _parts(desk, request)},
        )  # fmt: skip
        ready = BackgroundTask(desk.make_ready)
        return HTMLResponse(text, headers={"Cache-Control": "no-store"}, background=ready)

    _assets(made, language)

    @made.post("/read")
    async def read(request: Request, rules: str, shows: str) -> Response:
        """Return a picture's groups with their cards' outlines, as fractions of the picture's sides."""
        played = _played(desk, rules)
        own = rules_for(played)
        if shows not in known_words(own):
            raise HTTPException(422)
        data = await _body(request, MOST_BYTES)
        if own.needs_pack and desk.pack is None:
            return _sorry(_ENROL_FIRST, language(request))
        try:
            name, seen = await desk.read_soon(data, shown_by(own, shows))
        except PictureError as error:
            return _sorry((_NOT_READ, str(error)), language(request))
        return JSONResponse(_read_json(own, name, seen, language(request)))

    @made.post("/count")
    async def count(request: Request) -> Response:
        """Answer with the score of the groups that are sent, as read or as mended."""
        try:
            document = await _json(request)
            played = _played(desk, str(document.get("rules")))
            shown = sent_deal(played, document)
            return JSONResponse(scored(played, shown, written_figures(document.get("written"))))
        except RequestError as error:
            return JSONResponse({"sorry": str(error)}, status_code=422)

    @made.post("/keep")
    async def keep(request: Request) -> Response:
        """Keep a deal with its pictures: counted here once more, never as the page says it was."""
        if desk.keep is None:
            raise HTTPException(404)
        document = await _json(request)
        try:
            played = _played(desk, str(document.get("rules")))
            shown = sent_deal(played, document)
            where = _sheet_of(desk, document)
        except RequestError as error:
            return JSONResponse({"sorry": str(error)}, status_code=422)
        pictures = desk.held(document.get("pictures"))
        lacking = [name for name in map(str, listed(document, "pictures")) if name not in pictures]
        if lacking:
            return JSONResponse({"sorry": "some pictures are no longer held here", "lacking": lacking}, status_code=409)
        confirmed = [line for line in ("NS", "EW") if line in listed(document, "confirmed")]
        written = written_figures(document.get("written"))
        deal = {**scored(played, shown, written), "who": str(document.get("who", ""))[:80], "confirmed": confirmed}
        deal |= {"pictures": sorted(pictures), "written": written, "board": shown.facts.get("board"), **where}
        deal |= {"entry": entry_of(document), "taken": taken_times(document, pictures)}
        try:
            await asyncio.to_thread(desk.keep, request, deal, pictures)
        except OSError as error:
            return JSONResponse({"sorry": f"it cannot be kept: {error.strerror or error}"}, status_code=507)
        shown_at = desk.sheets.file(request, deal) if desk.sheets is not None and where else None
        return JSONResponse({"kept": True, **({"sheet": shown_at} if shown_at else {})})

    return made


def _assets(made: APIRouter, language: Callable[[Request], str]) -> None:
    """Add the routes of what the page consists of, and of what a phone needs to install it."""

    @made.get("/static/{name}")
    async def static(name: str) -> Response:
        """Serve the page's own script and style."""
        if name not in _TYPES:
            raise HTTPException(404)
        return Response((_STATIC / name).read_bytes(), media_type=_TYPES[name], headers={"Cache-Control": "no-cache"})

    @made.get("/manifest.webmanifest")
    async def manifest(request: Request) -> Response:
        """Return the manifest by which a phone puts the page on its home screen."""
        spoken = language(request)
        body = {
            "name": page_words(spoken)["title"], "short_name": "Tavolo", "lang": spoken,
            "start_url": "./", "scope": "./", "display": "standalone", "background_color": "#0f1412",
            "theme_color": "#12604a",
            "icons": [{"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
        }  # fmt: skip
        return JSONResponse(body, media_type="application/manifest+json", headers={"Cache-Control": "no-cache"})

    @made.get("/worker.js")
    async def worker() -> Response:
        """Serve the service worker: it keeps the page for when the hall cannot be reached."""
        return Response((_STATIC / "worker.js").read_bytes(), media_type=_SCRIPT, headers={"Cache-Control": "no-cache"})


def _parts(desk: PhotographDesk, request: Request) -> list[str]:
    """All that the page consists of and the pages of the other rule sets, for a phone that keeps them."""
    spoken = request.query_params.get("lang")
    asked = f"&lang={spoken}" if spoken in ("it", "en") else ""
    return ["./", *(f"./?rules={name}{asked}" for name in desk.rules), *(f"static/{name}" for name in _TYPES)]


def _played(desk: PhotographDesk, rules: str) -> RuleSet:
    try:
        if rules in desk.rules:
            return rule_set(rules)
    except UnknownRulesError:
        pass
    raise HTTPException(404)


def _sheet_of(desk: PhotographDesk, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``table`` and ``number`` of the deal whose sheet it is; empty if none is named. Raises RequestError."""
    table = document.get("table")
    if desk.sheets is None or table in (None, ""):
        return {}
    number = deal_number(document.get("number"))
    if table not in desk.sheets.tables() or number is None:
        raise RequestError("there is no such table or deal: choose the table, and a deal from 1 on")
    return {"table": table, "number": number}


def _data(played: RuleSet, language: str) -> dict[str, Any]:
    """Return the game's settings for the page's script."""
    place = 0 if language == "it" else 1
    own = rules_for(played)
    titles: dict[str, Title] = {item.name: item.title for item in played.sheet.items}
    return {
        "rules": played.name,
        "language": language,
        "words": page_words(language),
        "shows": [word for word in known_words(own) if word != "table"],
        "items": {name: title[place] for name, title in titles.items()},
        "order": list(titles),
        "cards": list(played.pack.copies),
        "questions": list(own.questions),
    }


def _sorry(text: tuple[str, str], language: str) -> Response:
    return JSONResponse({"sorry": text[0 if language == "it" else 1]}, status_code=400)


async def _body(request: Request, most: int) -> bytes:
    """Return the body, no more than ``most`` bytes of it. Raises HTTPException 413."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > most:
            raise HTTPException(413)
    return bytes(data)


async def _json(request: Request) -> dict[str, Any]:
    import json

    try:
        document = json.loads(await _body(request, MOST_TEXT))
    except (ValueError, RecursionError):
        raise HTTPException(400) from None
    if not isinstance(document, dict):
        raise HTTPException(400)
    return document


def _read_json(own: Any, name: str, seen: ReadPicture, language: str) -> dict[str, Any]:
    wide, high = seen.size
    together = put_together(own, [seen], {})
    groups = []
    for group, laid in zip(together.groups, seen.groups, strict=True):
        cards = [
            {
                "card": card.face,
                "confidence": round(card.confidence, 3),
                "outline": [[round(float(x) / wide, 4), round(float(y) / high, 4)] for x, y in card.outline],
            }
            for card in laid.cards
        ]
        groups.append(
            {
                "shows": group.shows, "cards": cards, "doubts": list(group.doubts), "gaps": list(group.gaps),
                "beside": list(group.beside),
            }
        )  # fmt: skip
    place = 0 if language == "it" else 1
    return {
        "picture": name, "shows": seen.shows, "ms": seen.ms, "cloud": seen.cloud,
        "advice": [both[place] for both in seen.advice], "groups": groups,
    }  # fmt: skip
