"""What all routes of the JSON API share: where they lie, and how they say what is wrong."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from fastapi import HTTPException

from table_service.console import api_models as models
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


def wrong(status: int, word: str, **terms: object) -> NoReturn:
    """Answer with what is wrong, in both languages."""
    it, en = (text.format(**terms) for text in pair(word))
    raise HTTPException(status, {"error": word, "it": it, "en": en})
