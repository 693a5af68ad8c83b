"""Scores from photographs in the console: the page of ``table_service.photographs`` for who runs or rules a round."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, Depends, Request

from table_service.console.access import ROUND, only, signed_in
from table_service.console.pages import Pages
from table_service.photographs.photograph_page import PhotographDesk, photograph_routes
from table_service.photographs.serving_photographs import kept_in
from table_service.rulesets import RULE_SETS

PREFIX: Final = "/photographs"


def router(pages: Pages) -> APIRouter:
    """The routes of the page under ``/photographs/``; kept deals lie beside the console's own file."""
    data = pages.settings.data
    store = None if data is None else kept_in(data.with_name("photographs"))

    def keep(request: Request, deal: dict[str, Any], pictures: Mapping[str, bytes]) -> None:
        """Keep a deal under the name of who is signed in, and note it with the hashes of its pictures."""
        session = signed_in(request)
        deal = {**deal, "entered_by": session.person.name}
        if store is not None:
            store(request, deal, pictures)
        totals = " ".join(f"{line} {own['total']}" for line, own in deal["lines"].items())
        detail = f"{deal['rules']} {totals} by {deal['who']}; pictures {' '.join(deal['pictures'])}"
        person = session.person
        pages.book.audit.note(person.name, person.role, "kept photographs", at=time.time(), detail=detail)

    names = tuple(one.name for one in RULE_SETS.values() if one.photographs is not None)
    desk = PhotographDesk(names, keep=None if store is None else keep, back="/")
    return photograph_routes(
        desk,
        PREFIX,
        pages.language,
        guards=[Depends(only(ROUND))],
        token=lambda request: signed_in(request).csrf,
    )
