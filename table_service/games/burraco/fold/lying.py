"""Cards on the table at the count as camera and scales steadily show them, beside the ledger's (art. 18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hw.cards import UNKNOWN, face
from hw.seats import LINES, SEATS
from hw.zones import DISCARD, POTS, STOCK, TABLE, melds, side
from table_service.games.burraco.rules.card_ledger import Cards, Places
from table_service.games.burraco.rules.deal import Deal, MeldRow
from table_service.tracking import Tracker


@dataclass(frozen=True, slots=True)
class LedgerDifferences:
    """Differences between the camera's cards and the ledger's: by row of melds, by seat's side or open table.

    ``rows``: the faces that each row showed (none: it was gone) and the cards that the ledger had there; ``sides``: the
    same of the zones outside melds, for penalised and exposed cards. ``stacks``: cards on each scale that was at rest
    and well.
    """

    rows: Mapping[int, tuple[Cards, Cards]] = field(default_factory=dict)
    sides: Mapping[str, tuple[Cards, Cards]] = field(default_factory=dict)
    stacks: Mapping[str, int] = field(default_factory=dict)

    def seen(self, deal: Deal) -> Deal:
        """Return ``deal`` as the camera showed it; what the ledger has corrected since goes before."""
        lies = []
        for meld in deal.melds:
            shown, had = self.rows.get(meld.row, (meld.cards, meld.cards))
            lies.append(replace(meld, cards=shown) if had == meld.cards else meld)
        places = deal.places
        for zone, (shown, had) in self.sides.items():
            if places.at(zone) == had:
                places = Places({**places.cards, zone: shown}, places.unverified)
        return replace(deal, melds=tuple(meld for meld in lies if meld.cards), places=places)

    def outside_hands(self, deal: Deal) -> int | None:
        """Count of the cards that sensors show outside hands; None if no scale counts one of the stacks.

        A stack that nothing but the ledger counts cannot prove the ledger's hands: a draw that went unseen makes one
        too large and the other too small. The pots go by the ledger where no scale tells and they are not in doubt.
        """
        pots = sum(len(deal.at(pot)) for pot in deal.pots_left)
        stacks = dict(self.stacks) if POTS in deal.places.unverified else {POTS: pots, **self.stacks}
        if not {STOCK, DISCARD, POTS} <= stacks.keys():
            return None
        melded = sum(len(meld.cards) for meld in deal.melds)
        return sum(stacks.values()) + melded + sum(len(deal.at(zone)) for zone in (*map(side, SEATS), TABLE))


def lying(deal: Deal, tracker: Tracker) -> LedgerDifferences:
    """Return what the camera steadily shows otherwise than ``deal`` has it.

    Of a zone that is covered or in question, or shows no meld, nothing is told; nor where several melds are gone: they
    are gathered.
    """
    rows: dict[int, tuple[Cards, Cards]] = {}
    for line in LINES:
        shown = tracker.steady_rows(melds(line))
        ours = [meld for meld in deal.melds if meld.line is line]
        differs = _differing(ours, shown) if shown else {}
        if sum(not faces for faces, _ in differs.values()) <= 1:
            rows |= differs
    sides: dict[str, tuple[Cards, Cards]] = {}
    for zone in (*map(side, SEATS), TABLE):
        cards, had = tracker.steady(zone), deal.at(zone)
        if cards is not None and _faces(cards) != _faces(had):
            sides[zone] = (cards, had)
    weighed = {zone: tracker.counted(zone) for zone in (STOCK, DISCARD, POTS)}
    return LedgerDifferences(rows, sides, {zone: count for zone, count in weighed.items() if count is not None})


def _differing(ours: list[MeldRow], shown: Mapping[int, Cards]) -> dict[int, tuple[Cards, Cards]]:
    return {
        meld.row: (shown.get(meld.row, ()), meld.cards)
        for meld in ours
        if UNKNOWN not in map(face, meld.cards) and _faces(shown.get(meld.row, ())) != _faces(meld.cards)
    }


def _faces(cards: Cards) -> list[str]:
    return sorted(map(face, cards))
