"""The one root of the project's errors: what can go wrong, said in a sentence for the person who can mend it."""

from __future__ import annotations

import traceback
from pathlib import Path


class TavoloError(Exception):
    """Something that a person must know of or mend; the message is one sentence: what, where, what to do.

    Every error that this project defines derives from it. If a built-in error says as much to a program
    (``ValueError``, ``OSError``), the error derives from that, too.
    """


class WrongValueError(TavoloError, ValueError):
    """Something that is wrong in what a person wrote, in one sentence: ``str`` is the English one, ``it`` Italian."""

    def __init__(self, en: str, it: str) -> None:
        super().__init__(en)
        self.it = it


class ServiceError(TavoloError, RuntimeError):
    """Something that a table or a console needs is missing or in use; the message is one sentence for a person."""


def place_of(error: BaseException) -> str:
    """Return the kind of ``error`` and where it arose (``KeyError at table/gates.py:88``), without its text.

    The text of an error in a table's fold may name a hidden card, and this description goes into logs and events.
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    return f"{type(error).__name__} at {'/'.join(Path(frames[-1].filename).parts[-2:])}:{frames[-1].lineno}"
