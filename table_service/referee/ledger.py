"""The irregularities of one deal and their life: open, then healed by play, ruled, dismissed, or found later than due.

A deal's irregularities are kept under keys that name round, deal and number. What is still open when the next deal
begins stays open; what was ruled is kept for the round, as it may be reversed, and all else is forgotten. Nothing here
knows a game: a fault comes as an ``Irregularity`` whose row a catalogue holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from hw.seats import CLOCKWISE, SEATS, Line, Rotation, Seat
from table_service.referee.catalogue import FOUND_FROM, Catalogue, Moment
from table_service.referee.values import Irregularity

_KEY: Final = re.compile(r"r(\d+)d\d+-\d+$")
_END: Final = "end"


def _never(_one: Irregularity) -> bool:
    return False


class Ledger:
    """Holds what has been found and gives out keys; those who judge and those who decide write in it.

    ``is_gone``: whether nothing is left to be found later of an irregularity, so that its row stays the one it is
    judged by and the right to a penalty lapses with play. ``rotation``: who plays.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        is_gone: Callable[[Irregularity], bool] = _never,
        rotation: Rotation = CLOCKWISE,
        *,
        mark: str = "",
    ) -> None:
        """``mark``: what sets the keys of this start of the table apart from those of others."""
        self.catalogue = catalogue
        self.rotation = rotation
        self._mark = mark
        self._is_gone = is_gone
        self._round = 0
        self._deal = 0
        self._number = 0
        self._found: dict[str, Irregularity] = {}
        self._made: dict[Hashable, list[tuple[Irregularity, Irregularity]]] = {}
        """What the newest act (by its movement) and the end made of open irregularities: each before and after it."""
        self._earlier: dict[str, tuple[int, Irregularity]] = {}
        self._declared: dict[str, Irregularity] = {}

    # -- views -----------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Irregularity]:
        """All irregularities of the deal, oldest first; the ledger may be written in meanwhile."""
        return iter(tuple(self._found.values()))

    @property
    def open(self) -> tuple[Irregularity, ...]:
        """The irregularities that wait for the arbitro, oldest first."""
        return tuple(one for one in self._found.values() if one.state == "open")

    def newest_of(self, seat: Seat | None) -> list[Irregularity]:
        """Return the open irregularities, newest first, that ``seat`` may answer for; None: all of them."""
        return [one for one in reversed(self.open) if seat is None or one.offender in (seat, None)]

    def get(self, key: str) -> Irregularity | None:
        """Return the irregularity under ``key``; None if this deal has none."""
        return self._found.get(key)

    @property
    def ruled(self) -> tuple[Irregularity, ...]:
        """Irregularities that were ruled in the deal and can be lifted, declared situations included."""
        return (*(one for one in self._found.values() if one.state == "ruled"), *self._declared.values())

    @property
    def ruled_in_round(self) -> tuple[Irregularity, ...]:
        """Irregularities whose ruling in the round is in force, each once."""
        earlier = {key: one for key, (_, one) in self._earlier.items() if one.state == "ruled"}
        return tuple((earlier | {one.key: one for one in self.ruled}).values())

    def earlier(self, key: str) -> tuple[int, Irregularity] | None:
        """Deal and irregularity under ``key`` if it was ruled in an earlier deal of the round, reversed or not."""
        return self._earlier.get(key)

    def is_of_another_round(self, key: str) -> bool:
        """Return True if this start of the table gave ``key`` in another round than the one that is played."""
        found = _KEY.match(key.removeprefix(self._mark)) if key.startswith(self._mark) else None
        return found is not None and int(found[1]) != self._round

    # -- entries ---------------------------------------------------------------------------------------------------

    def new_key(self) -> str:
        """Return a key that no irregularity and no ruling of the round has."""
        self._number += 1
        return f"{self._mark}r{self._round}d{self._deal}-{self._number}"

    def go_on(self, deal: int) -> None:
        """Deal ``deal`` was the newest before the table's restart."""
        self._deal = deal

    def take_up(self, one: Irregularity, deal: int | None = None, *, is_over: bool = False) -> None:
        """Take ``one`` up as it was reported before the table's restart.

        ``deal``: the one it was ruled in, if that was counted; ``is_over``: another one has begun since.
        """
        taken = replace(one, pair=self._pair(one.offender))
        if deal is not None:
            self._earlier[one.key] = deal, taken
        if not is_over:
            self._found[one.key] = taken

    def declare(self, one: Irregularity) -> None:
        """Keep a situation of this deal that the arbitro has declared: no irregularity, but it can be lifted."""
        self._declared[one.key] = one

    def undeclare(self, key: str) -> None:
        """Lift the situation under ``key``; do nothing if none was declared in this deal."""
        self._declared.pop(key, None)

    def reverse(self, key: str, t: float) -> Irregularity:
        """Lift the ruling of an earlier deal under ``key``. Raises KeyError if there is none."""
        deal, one = self._earlier[key]
        lifted = replace(one, t=t, state="dismissed")
        self._earlier[key] = deal, lifted
        if key in self._found:
            self._found[key] = lifted
        return lifted

    def enter(self, one: Irregularity) -> Irregularity:
        """Enter ``one`` under its key, or under a new one if it has none."""
        fresh = one.judged_by(one.row)
        fresh = replace(fresh, key=fresh.key or self.new_key(), pair=self._pair(fresh.offender))
        self._found[fresh.key] = fresh
        return fresh

    def change(self, one: Irregularity, t: float, **changes: Any) -> Irregularity:
        """``one`` with ``changes`` to its fields from ``t`` on; of a ``row`` it becomes, as far as that answers it."""
        row = changes.pop("row", one.row)
        fresh = replace(one.judged_by(row), t=t, **changes)
        fresh = replace(fresh, pair=self._pair(fresh.offender))
        self._found[one.key] = fresh
        if one.key in self._earlier:  # of the newest deal before the table's restart
            self._earlier[one.key] = self._earlier[one.key][0], fresh
        return fresh

    def _pair(self, offender: Seat | None) -> Line | None:
        """Return the line of ``offender`` if it differs from the seat's."""
        alone = len(self.rotation.seats) < len(SEATS) and self.rotation.holds(offender)
        return self.rotation.line(offender) if alone and offender is not None else None

    def turn_out(self, key: str, kind: str, t: float) -> Irregularity | None:
        """Change an open irregularity to one of ``kind``; None if ``key`` is not open, or the code knows none."""
        one, row = self._found.get(key), self.catalogue.answer(kind)
        if one is None or one.state != "open" or row is None:
            return None
        return self.change(replace(one, kind=kind), t, row=row)

    def retract(self, movement: int, t: float) -> list[Irregularity]:
        """Movement ``movement`` did not happen: what rests on it alone is dismissed.

        What it made of others is taken back as long as no act since might have made the same of them.
        """
        none = [self.change(one, t, state="dismissed") for one in self.open if set(one.movements) == {movement}]
        for by, made in self._made.items():
            self._made[by] = [pair for pair in made if set(pair[0].movements) != {movement}]
        return [*none, *self._take_back(movement, t)]

    # -- time ------------------------------------------------------------------------------------------------------

    def next_round(self) -> None:
        """Begin a round."""
        self._round += 1
        self._deal = 0
        self._earlier, self._declared = {}, {}

    def end_deal(self, t: float) -> list[Irregularity]:
        """End the deal: return what the code judges otherwise from now on than while others play on."""
        late = [one for one in self.open if one.row.becomes("deal-end") not in (None, one.row.becomes("next-draw"))]
        return [self._later(_END, one, "deal-end", t) for one in late if not self._is_gone(one)]

    def reopen_deal(self, t: float) -> list[Irregularity]:
        """Take back the end of the deal, which did not happen, and what it made of open irregularities."""
        return self._take_back(_END, t)

    def next_deal(self, number: int, t: float) -> list[Irregularity]:
        """Begin deal ``number``: what lapses with play is healed and reported; later articles continue to apply."""
        for one in self.open:
            row = one.row.becomes("deal-end")
            if row is not None and not self._is_gone(one):
                self.change(one, t, row=self.catalogue.row(row), found=FOUND_FROM["deal-end"])
        healed = [self.change(one, t, state="healed") for one in self.open if self._lapses(one)]
        if number != self._deal:
            self._earlier |= {one.key: (self._deal, one) for one in self.ruled if one.key not in self._earlier}
        self._declared = {}
        self._found = {one.key: one for one in self.open}
        self._made = {}
        if number != self._deal:  # one that is dealt anew continues: no key is given twice
            self._deal, self._number = number, 0
        return healed

    def age(
        self, some: Iterable[Irregularity], at: Moment, t: float, committed_t: float, movement: int | None = None
    ) -> list[Irregularity]:
        """Change those of ``some`` that were not found before an act at ``at``, committed at ``committed_t``.

        ``movement``: the one that shows the act; with it goes what is made of them (``retract``).

        At the next draw the right to a penalty lapses, unless an article rules for what is found later: then its row
        applies from now on.
        """
        said: list[Irregularity] = []
        self._made = {by: made for by, made in self._made.items() if by in (_END, movement)}
        for one in some:
            if one.committed_t >= committed_t:
                continue
            row = one.row.becomes(at)
            if row is not None and not self._is_gone(one):
                said.append(self._later(movement, one, at, t))
            elif at == "next-draw" and self._lapses(one):
                said.append(self._makes(movement, one, self.change(one, t, state="healed")))
        return said

    def _later(self, by: Hashable, one: Irregularity, at: Moment, t: float) -> Irregularity:
        """``one`` by the row that answers it from ``at`` on."""
        row = self.catalogue.row(str(one.row.becomes(at)))
        return self._makes(by, one, self.change(one, t, row=row, found=FOUND_FROM[at]))

    def _makes(self, by: Hashable, was: Irregularity, one: Irregularity) -> Irregularity:
        self._made.setdefault(by, []).append((was, one))
        return one

    def _take_back(self, by: Hashable, t: float) -> list[Irregularity]:
        """Take back what ``by`` made of open irregularities, where nothing else was made of them since."""
        made = [(self._found.get(was.key), was, one) for was, one in self._made.pop(by, ())]
        return [
            self.change(now, t, row=was.row, found=was.found, state="open")
            for now, was, one in made
            if now is not None and (now.state, now.row) == (one.state, one.row)
        ]

    def _lapses(self, one: Irregularity) -> bool:
        """Return True if the right to a penalty for ``one`` lapses once play continues."""
        return one.row.heals != "never" or self._is_gone(one)
