"""Shared by all routes of the JSON API: their path and the form of their errors."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from fastapi import APIRouter, HTTPException
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from table_service.console import api_models as models
from table_service.console.ruling_forms import FormError
from table_service.console.vocabulary import pair

ROOT: Final = "/api/v1"
ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": models.Problem, "description": "the body is no JSON in UTF-8"},
    401: {"model": models.Problem, "description": "no token, or one that is not valid"},
    403: {"model": models.Problem, "description": "not for this person's role"},
    404: {"model": models.Problem, "description": "there is no such thing"},
    409: {"model": models.Problem, "description": "a ruling is on its way already, or it is too late"},
    422: {"model": models.Problem, "description": "a field is missing or makes no sense"},
}


def wrong(status: int, word: str) -> NoReturn:
    """Answer with what is wrong, in both languages."""
    raise _said(status, FormError(word))


def refusal(error: FormError) -> HTTPException:
    """Return what a program is answered to a form that is refused: it makes no sense, or comes too late."""
    return _said(409 if error.word in _TOO_LATE else 422, error)


def _said(status: int, error: FormError) -> HTTPException:
    it, en = (text.format(**error.terms) for text in pair(error.word))
    return HTTPException(status, {"error": error.word, "it": it, "en": en})


_TOO_LATE: Final = frozenset({"reverse_late", "award_gone", "award_late"})
_FAULTS: Final = {"extra_forbidden": "field_unknown", "missing": "field_missing"}


def wrong_fields(error: RequestValidationError) -> dict[str, Any]:
    """Return an answer's body that names each field that is unknown, missing or has a value it may not have."""
    found = [
        (_FAULTS.get(one["type"], "field_wrong"), ".".join(map(str, one["loc"][1:])) or "?") for one in error.errors()
    ]
    said = [[text.format(field=field) for text in pair(word)] for word, field in found]
    it, en = (" ".join(texts) for texts in zip(*said, strict=True))
    return {"error": "bad_form", "it": it, "en": en, "fields": [field for _, field in found]}


def set_summaries(made: APIRouter) -> None:
    """Let each route's summary be the first sentence of its docstring; a name made of a function's says nothing."""
    for route in made.routes:
        if isinstance(route, APIRoute):
            route.summary = route.description.partition("\n")[0].partition("; ")[0].rstrip(".")
