"""The rule set of a trick-taking game from its ``TrickCode``: table, layout, catalogue, pages and count."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pkgutil import resolve_name
from typing import Any, Final

from hw.cards import UNKNOWN
from hw.equipment import Equipment, EquipmentZone
from hw.layout import TAROCCO_LAYOUT, Layout, Rect
from hw.pack.drawn import Drawing
from hw.seats import LINES
from hw.zones import GATE_STOCK, TABLE, gate, hand, tricks
from table_service.events import Event
from table_service.events.untrusted import as_list, as_map
from table_service.games.definition import Calculators, RuleSet
from table_service.games.game_pages import Document, Text
from table_service.games.tricks.trick_code import STOCK, TRICK, TRUMP, TrickCode, Winnings, total
from table_service.games.tricks.trick_game import PAYLOADS, OpenTrickFold
from table_service.games.tricks.trick_pages import trick_pages
from table_service.referee.catalogue import catalogue_of
from table_service.table.score_items import ScoreSheet

_DRAWN_FROM: Final = {
    STOCK: Rect(-340, -330, -240, -220),
    GATE_STOCK: Rect(-230, -330, -170, -220),
    TRUMP: Rect(-340, -150, -220, -20),
}
TRICK_LAYOUT: Final = Layout(
    zones={
        **{zone: rect for zone, rect in TAROCCO_LAYOUT.zones.items() if zone.startswith(("hand-", TRICK))},
        **_DRAWN_FROM,
    },
    markers=TAROCCO_LAYOUT.markers,
)
"""The trick in the middle, tricks at the right hand of North and East, stock and trump at the left of South."""


def trick_table(code: TrickCode) -> Equipment:
    """Return the table of ``code``: trick under the camera, stacks on scales, a coil at each seat and at the stock."""
    seats = code.rotation.seats
    stock = (
        EquipmentZone(GATE_STOCK, "gate", gated=True),
        EquipmentZone(STOCK, "stack", "singly", GATE_STOCK, weighed=True, needed=True, set_out=True),
    )
    return Equipment(
        code.title,
        (
            EquipmentZone(TRICK, "trick", needed=True),
            *(stock if code.has_stock else ()),
            *((EquipmentZone(TRUMP, "pile", needed=True, set_out=True),) if code.turned_up else ()),
            *(EquipmentZone(tricks(line), "stack", weighed=True, needed=True) for line in LINES),
            *(EquipmentZone(gate(seat), "gate", gated=True) for seat in seats),
            *(EquipmentZone(hand(seat), "fan", needed=True) for seat in seats),
            EquipmentZone(TABLE, "anywhere", beamed=True),
        ),
    )


def _players(code: TrickCode, equipment: Equipment, layout: Layout) -> Any:
    return resolve_name("table_service.games.tricks.rehearsal.trick_players:rehearsal")(code, equipment, layout)


def zone_of(event: Event) -> str | None:
    """Return where what ``event`` tells has happened."""
    return {"trump.turned": TRUMP, "card.drawn": STOCK, "trick.played": TRICK, "trick.won": TRICK}.get(event.type)


def count_of(code: TrickCode, document: Document) -> dict[str, Any]:
    """Count ``{"deal": {"NS": {"cards": ["AD", …], "last": true}, "EW": …}}``: what each line has won.

    Raises CardError for a card that the pack has not.
    """
    deal = as_map(document.get("deal"))
    lines: dict[str, Any] = {}
    warnings: list[str] = []
    counted: list[str] = []
    for line in map(str, LINES):
        told = as_map(deal.get(line))
        cards = code.pack.parse_all(map(str, as_list(told.get("cards"))))
        counted += [card for card in cards if card != UNKNOWN]
        whole, rest = divmod(len(cards), len(code.rotation.seats))
        if rest:
            warnings.append(f"{line}: {len(cards)} cards are no whole tricks")
        items = dict(code.count(Winnings(cards, whole, told.get("last") is True)))
        lines[line] = {"items": items, "total": total(items)}
    warnings += [f"{card} is there twice" for card in sorted({one for one in counted if counted.count(one) > 1})]
    return {"rules": code.name, "lines": lines, "warnings": warnings}


def rule_set(
    code: TrickCode,
    *,
    drawing: Drawing | None = None,
    card_names: Mapping[str, Text] | None = None,
    layout: Layout = TRICK_LAYOUT,
) -> RuleSet:
    """Return the rule set of ``code``. ``drawing``, ``card_names``: of a pack that is not French-suited."""
    equipment = trick_table(code)
    catalogue = catalogue_of(code.name, code.rows)
    return RuleSet(
        name=code.name,
        edition=code.edition,
        game=code.name,
        title=code.title,
        pack=code.pack,
        equipment=equipment,
        rotation=code.rotation,
        catalogue=catalogue,
        sheet=ScoreSheet(code.items),
        calculators=Calculators(lambda document: count_of(code, document)),
        open_fold=OpenTrickFold(code, equipment, catalogue),
        pages=trick_pages(code, pictures=code.pack.name if drawing else "", card_names=card_names),
        zone_of=zone_of,
        payloads=PAYLOADS,
        layout=layout,
        rehearsal=partial(_players, code, equipment, layout),
        drawing=drawing,
        players=(len(code.rotation.seats),),
    )
