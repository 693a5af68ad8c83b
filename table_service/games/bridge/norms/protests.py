"""Until when a decision may be protested against (norms 92, 93). The text contradicts itself: both times are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Deadline:
    """``minutes`` after ``since``, by ``article``; ``it`` and ``en`` say what for, in own words."""

    article: str
    minutes: int
    since: Literal["official-score", "decision", "end-of-event"]
    it: str
    en: str


TO_CHIEF: Final = Deadline(
    "93.2", 30, "official-score", "Reclamo all'Arbitro Responsabile.", "Protest to the chief arbitro."
)
TO_CHIEF_AT_ONCE: Final = Deadline(
    "93.2",
    15,
    "decision",
    "Reclamo all'Arbitro Responsabile, dove il motivo era evidente subito.",
    "Protest to the chief arbitro where the reason was evident at once.",
)
NOTICE: Final = Deadline(
    "93.4",
    30,
    "end-of-event",
    "Preavviso scritto del ricorso al Collegio Nazionale Gare.",
    "Written notice of an appeal to the Collegio Nazionale Gare.",
)
APPEALS: Final = (
    Deadline(
        "93.2",
        24 * 60,
        "end-of-event",
        "Ricorso al Collegio Nazionale Gare (il testo dice anche 48 ore, 93.4).",
        "Appeal to the Collegio Nazionale Gare (the text also says 48 hours, 93.4).",
    ),
    Deadline(
        "93.4",
        48 * 60,
        "end-of-event",
        "Ricorso al Collegio Nazionale Gare (il testo dice anche 24 ore, 93.2).",
        "Appeal to the Collegio Nazionale Gare (the text also says 24 hours, 93.2).",
    ),
)
"""Two times for one right: whoever wants to be sure keeps the first."""


def deadlines(*, evident: bool) -> tuple[Deadline, ...]:
    """Every clock that a decision starts. ``evident``: what it is about was plain at the table."""
    return (TO_CHIEF_AT_ONCE if evident else TO_CHIEF, NOTICE, *APPEALS)
