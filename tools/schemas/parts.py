"""What the makers of schemas share."""

from __future__ import annotations

from typing import Any, Final

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
Json = dict[str, Any]


def without(schema: Json, *names: str) -> Json:
    """Return ``schema`` without the words ``names``."""
    return {key: value for key, value in schema.items() if key not in names}


def tidy(value: Any) -> Any:
    """``value`` without the titles that pydantic makes of field names."""
    if isinstance(value, dict):
        return {
            key: {name: tidy(part) for name, part in inner.items()}
            if key in ("properties", "$defs", "schemas") and isinstance(inner, dict)
            else tidy(inner)
            for key, inner in value.items()
            if key != "title"
        }
    return [tidy(part) for part in value] if isinstance(value, list) else value
