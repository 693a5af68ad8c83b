"""Hands that carry a ruling out and that no beam sees: what they do is known from scales, gates and frames alone."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from hw.twin.gestures import (
    PushRow,
    PutAside,
    PutBack,
    ReturnGesture,
    ReturnHeap,
    SlideBack,
    TakeFromPile,
    TakeFromRow,
)
from table_service.rehearsal.script import Cue, Script

_CARRIES_OUT: Final = (PutAside, TakeFromRow, TakeFromPile, ReturnGesture, ReturnHeap, PutBack, SlideBack, PushRow)
"""Gestures by which people do what a ruling orders."""
_UNSEEN: Final = 1 / 6
"""How often no beam sees the hand that does so, where rulings are staged."""


def hide_some_hands(script: Script, begun: int, rng: random.Random) -> None:
    """Have no beam see some of the hands that carry a ruling out, in the deal whose cues begin with ``begun``."""
    cues = script.cues
    ruled = next((n for n, cue in enumerate(cues) if n >= begun and _rules(cue)), len(cues))
    for n in range(ruled, len(cues)):
        if isinstance(cues[n].gesture, _CARRIES_OUT) and rng.random() < _UNSEEN:
            cues[n] = replace(cues[n], beamed=False)


def _rules(cue: Cue) -> bool:
    return any(action.type == "ruled" for action in cue.actions)
