"""The tarocco's rule set: the tournament rules, played, judged and counted."""

from __future__ import annotations

from functools import partial
from pkgutil import resolve_name
from typing import Final

from hw.cards import TAROCCO
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.observation_log import Header
from hw.pack.drawn import tarocco_drawing
from hw.seats import ANTICLOCKWISE
from table_service.events import Event
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.definition import Calculators, Correction, Fold, RuleSet, SheetRules
from table_service.games.event_rules import EventRules
from table_service.games.tarocco.codes.tournament import CATALOGUE
from table_service.games.tarocco.options import OPTIONS
from table_service.games.tarocco.pages import PAGES
from table_service.games.tarocco.payloads import PAYLOADS
from table_service.games.tarocco.photographed import PHOTOGRAPHS
from table_service.games.tarocco.rules.document import RULES, count
from table_service.games.tarocco.rules.score import SHEET


def _open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> Fold:
    from table_service.games.tarocco.fold.game import open_fold  # a console knows the rules and plays none of them

    return open_fold(header, boot, first)


def zone_of(event: Event) -> str | None:
    """Return where what ``event`` tells has happened, so that its pictures show the place."""
    if event.type.startswith("trick.") or event.type in ("signal.made", "claim.made"):
        return "trick"
    if event.type in ("accuso.shown", "card.exposed") and event.seat is not None:
        return f"side-{event.seat}"
    return None


MATCH_SHEET: Final = SheetRules(
    states={
        "open": Correction(
            (
                "Foglio non ancora consegnato alla Giuria: si può correggere.",
                "Not handed in to the Giuria yet: it may be corrected.",
            ),
            correct=True,
        ),
        "delivered": Correction(
            (
                "Foglio consegnato: inseriti i dati, una contestazione non è più ascoltata; decide la Giuria.",
                "Handed in: once it was entered no protest is heard; the Giuria decides.",
            ),
            correct=True,
        ),
    }
)
"""The foglio di gara: once its data were entered no protest is heard, and the Giuria judges what is left (comma 17)."""


RULE_SETS: Final = (
    RuleSet(
        name=RULES,
        edition="Regolamento applicato ai tornei",
        game="tarocco",
        title="Tarocco bolognese, tournament rules",
        pack=TAROCCO,
        equipment=TAROCCO_TABLE,
        rotation=ANTICLOCKWISE,
        catalogue=CATALOGUE,
        sheet=SHEET,
        calculators=Calculators(count=count),
        open_fold=_open_fold,
        pages=PAGES,
        zone_of=zone_of,
        payloads=PAYLOADS,
        layout=TAROCCO_LAYOUT,
        drawing=tarocco_drawing,
        events=EventRules(movements={"danese": "abbinamenti"}),
        paper=MATCH_SHEET,
        rehearsal=partial(resolve_name, "table_service.games.tarocco.rehearsal:TOURNAMENT"),
        options=OPTIONS,
        photographs=PHOTOGRAPHS,
    ),
)
