"""Assets of pages: cards of our pack, styles, scripts, and the console's health for programs. Open to all."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from table_service.console.access import only
from table_service.console.bundle import STATIC, bundle, htmx_file
from table_service.console.card_pictures import card_picture
from table_service.console.pages import YEAR, AskedPages, Viewer


@lru_cache(maxsize=256)
def _card(name: str, pack: str = "") -> str | None:
    return card_picture(name, pack)


router = APIRouter()
"""The routes of what pages are made of."""


@router.get("/cards/{name}.svg", dependencies=[Depends(only(None))])
async def card(name: str) -> Response:
    """Serve a card of our pack."""
    return _served(_card(name))


@router.get("/cards/{pack}/{name}.svg", dependencies=[Depends(only(None))])
async def card_of(pack: str, name: str) -> Response:
    """Serve a card of another pack of ours."""
    return _served(_card(name, pack))


def _served(svg: str | None) -> Response:
    if svg is None:
        return Response(status_code=404)
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": f"public, max-age={YEAR}"})


@router.get("/bundle/{name}", dependencies=[Depends(only(None))])
async def bundled(name: str) -> Response:
    """All style sheets as one, all scripts as one."""
    found = bundle(name)
    if found is None:
        return Response(status_code=404)
    headers = {"Cache-Control": f"public, max-age={YEAR}, immutable"}
    return Response(found.body, media_type=found.media_type, headers=headers)


@router.get("/htmx/{name}", dependencies=[Depends(only(None))])
async def htmx(name: str) -> Response:
    """Htmx and its extension for server-sent events."""
    body = htmx_file(name)
    if body is None:
        return Response(status_code=404)
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(body, media_type="text/javascript; charset=utf-8", headers=headers)


@router.get("/manifest.webmanifest", dependencies=[Depends(only(None))])
async def manifest(request: Request, pages: AskedPages) -> Response:
    """Return what a tablet needs to put the console on its home screen."""
    words = pages.viewer(request)
    body = {
        "name": f"Tavolo {pages.store.hall}", "short_name": "Tavolo", "lang": words.language, "start_url": "/",
        "scope": "/", "display": "standalone", "background_color": "#0f1412", "theme_color": "#12604a",
        "icons": [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }  # fmt: skip
    return JSONResponse(body, media_type="application/manifest+json")


@router.get("/offline", dependencies=[Depends(only(None))])
async def offline(request: Request, pages: AskedPages) -> Response:
    """Return what a browser shows while it does not reach the console."""
    viewer = Viewer(pages.language(request), pages.theme(request))
    return pages.page(request, "offline.html", viewer=viewer)


@router.get("/worker.js", dependencies=[Depends(only(None))])
async def worker() -> Response:
    """Serve the service worker: it keeps the page for being offline, and nothing else."""
    body = (STATIC / "worker.js").read_bytes()
    return Response(body, media_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@router.get("/health", dependencies=[Depends(only(None))])
async def health(pages: AskedPages) -> dict[str, Any]:
    """Return whether the console hears its broker, and how many tables are in which state, for programs.

    Open to all, so nothing in it reveals a ruling: open orders are in ``/metrics``.
    """
    return {
        "broker": "connected" if pages.store.connected else "retrying",
        "problem": pages.store.problem,
        "tables": Counter(str(view.status) for view in pages.store.tables.values()),
        "unreadable": pages.store.unreadable,
        "events_lacking": sum(view.gaps.open for view in pages.store.tables.values()),
        "events_gone": sum(view.gaps.gone for view in pages.store.tables.values()),
    }
