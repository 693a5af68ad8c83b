"""Parameters of which `make test` runs some and `make proof` runs all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def rest_in_proof(values: Iterable[Any], keep: int = 1, ids: Iterable[str] | None = None) -> list[Any]:
    """Return ``values`` as parameters: the first ``keep`` are run by `make test`, the others marked ``sweep``.

    A value that is a tuple is one set of several parameters. Put first what is likeliest to break.
    """
    names = list(ids) if ids is not None else None
    made = []
    for place, value in enumerate(values):
        marks = [pytest.mark.sweep] if place >= keep else []
        name = names[place] if names is not None else None
        made.append(pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks, id=name))
    return made
