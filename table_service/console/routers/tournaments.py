"""Tournaments that are kept: the chief deletes one that is over."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import CHIEF, only, signed_in
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages

router = APIRouter()
"""The routes of kept tournaments."""


@router.post("/tournaments/{number}/delete", dependencies=[Depends(only(CHIEF))])
async def delete(request: Request, pages: AskedPages, number: str) -> Response:
    """Delete a tournament that is over, with all that the console kept of it."""
    named = whole(number)
    if named is None or not pages.book.tournaments.delete(named):
        return pages.sorry(request, "bad_form")
    pages.office.deed(signed_in(request), "delete tournament", detail=number)
    return pages.go(request, "/archive")
