"""Bridge's rule set: the FIGB norms of 2010 with screens, on the Code of 2007."""

from __future__ import annotations

from functools import partial
from pkgutil import resolve_name
from typing import Any, Final

from hw.cards import BRIDGE
from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.observation_log import Header
from hw.seats import CLOCKWISE
from table_service.events import Event
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.bridge.codes.figb2010 import CATALOGUE
from table_service.games.bridge.norms.events import EVENTS
from table_service.games.bridge.norms.time_penalties import ROUND_MINUTES
from table_service.games.bridge.orders import ORDERS
from table_service.games.bridge.pages import PAGES
from table_service.games.bridge.payloads import PAYLOADS
from table_service.games.bridge.pbn.check import check_file, is_bad
from table_service.games.bridge.photographed import PHOTOGRAPHS
from table_service.games.bridge.rules.document import RULES, count
from table_service.games.bridge.rules.match_points import vp_answer
from table_service.games.bridge.rules.score import SHEET
from table_service.games.definition import Calculators, Fold, Records, RuleSet


def _victory_points(boards: int, difference: int, teams: bool) -> dict[str, Any]:
    return vp_answer(boards, difference, teams=teams)


def _open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> Fold:
    from table_service.games.bridge.fold.game import open_fold  # a console knows the rules and plays none of them

    return open_fold(header, boot, first)


def zone_of(event: Event) -> str | None:
    """Return where what ``event`` tells has happened, so that its pictures show the place."""
    if event.type.startswith(("tray.", "call.", "alert.")):
        return "tray"
    if event.seat is None:
        return None
    if event.type in ("trick.played", "lead.made"):
        return f"played-{event.seat}"
    if event.type in ("dummy.spread", "claim.made"):
        return f"hand-{event.seat}"
    return f"side-{event.seat}" if event.type.startswith("penalty-card.") else None


RULE_SETS: Final = (
    RuleSet(
        name=RULES,
        edition="FIGB, norme integrative 2010",
        game="bridge",
        title="Bridge, FIGB norms of 2010",
        pack=BRIDGE,
        equipment=BRIDGE_TABLE,
        rotation=CLOCKWISE,
        catalogue=CATALOGUE,
        sheet=SHEET,
        calculators=Calculators(count=count, victory_points=_victory_points, records=Records(check_file, is_bad)),
        open_fold=_open_fold,
        pages=PAGES,
        zone_of=zone_of,
        payloads=PAYLOADS,
        layout=BRIDGE_LAYOUT,
        orders=ORDERS,
        round_minutes=ROUND_MINUTES,
        events=EVENTS,
        rehearsal=partial(resolve_name, "table_service.games.bridge.rehearsal:SCREENS"),
        photographs=PHOTOGRAPHS,
    ),
)
