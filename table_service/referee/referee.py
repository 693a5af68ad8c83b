"""The referee of one table: watches every action, proposes irregularities, follows what the arbitro orders.

It never stops or changes play. ``judge`` takes an action with the deal before and after it; ``order`` an act at the
arbitro's console; both answer with findings, which say what is new. A pure fold: no clock, no chance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from hw.cards import UNKNOWN, CardError, parse_card
from hw.observations import Console
from hw.seats import Line, Seat, seat_or_none
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Fault, Phase
from table_service.referee.catalogue import FOUND_FROM, Catalogue, Found, Moment
from table_service.referee.judging import Facts, judge_action
from table_service.referee.sanctions import SanctionBook
from table_service.referee.values import Finding, Forgiven, Ignored, Irregularity, State, Warned

_LIVING: Final = ("open", "ruled")


class Referee:
    """Keeps the irregularities, sanctions and warnings of one round at one table."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._round = 0
        self._deal = 0
        self._number = 0
        self._found: dict[str, Irregularity] = {}
        self._sanctions = SanctionBook()
        self._warnings: dict[Line, int] = dict.fromkeys(Line, 0)

    # -- views -----------------------------------------------------------------------------------------------------

    @property
    def open(self) -> tuple[Irregularity, ...]:
        """The irregularities that wait for the arbitro, oldest first."""
        return tuple(one for one in self._found.values() if one.state == "open")

    @property
    def irregularities(self) -> tuple[Irregularity, ...]:
        """All irregularities of the deal, oldest first."""
        return tuple(self._found.values())

    @property
    def sanctions(self) -> SanctionBook:
        """What has been imposed and is watched."""
        return self._sanctions

    @property
    def warnings(self) -> dict[Line, int]:
        """Warnings by line in this round."""
        return dict(self._warnings)

    @property
    def returning(self) -> frozenset[Seat]:
        """The seats that have been told to put pile cards back."""
        return self._sanctions.owing("return-to-pile")

    # -- beginnings ------------------------------------------------------------------------------------------------

    def new_round(self) -> None:
        """A round begins: warnings are counted anew."""
        self._round += 1
        self._deal = 0
        self._warnings = dict.fromkeys(Line, 0)

    def new_deal(self, number: int, t: float) -> list[Finding]:
        """A deal begins: what was open and lapses with play is healed, sanctions of the old deal are dropped."""
        for one in self.open:
            row = one.row.becomes("deal-end")
            if row is not None:
                self._turn(one, t, row=self._catalogue.row(row), found=FOUND_FROM["deal-end"])
        healed = [self._turn(one, t, state="healed") for one in self.open if one.row.heals == "opponent-draws"]
        self._found = {one.key: one for one in self.open}
        self._sanctions = SanctionBook()
        self._deal, self._number = number, 0
        return [*healed]

    # -- play ------------------------------------------------------------------------------------------------------

    def judge(self, before: Deal, action: act.Action, faults: tuple[Fault, ...], after: Deal) -> list[Finding]:
        """What ``action`` tells; ``faults`` as the deal saw them before it."""
        said: list[Finding] = []
        remedy = self._sanctions.carries_out(action)
        said += self._sanctions.watch(before, action, after)
        if not remedy:
            said += self._age_or_heal(before, action)
            facts = Facts(before, action, faults, after, self.open, self._sanctions.in_force)
            for one in judge_action(self._catalogue, facts):
                said.append(self._enter(one))
        return said

    def report(self, fault: Irregularity) -> Irregularity:
        """Enter an irregularity that no single action shows, such as a short pack; its key is given here."""
        return self._enter(fault)

    def change(self, key: str, row: str, t: float) -> Irregularity | None:
        """An open irregularity turns out to be ``row``; None where ``key`` is not open."""
        one = self._found.get(key)
        if one is None or one.state != "open":
            return None
        self._found[key] = fresh = replace(one, row=self._catalogue.row(row), t=t)
        return fresh

    def retract(self, movement: int, t: float) -> list[Finding]:
        """Movement ``movement`` did not happen: what rests on it alone is dismissed."""
        return [self._turn(one, t, state="dismissed") for one in self.open if set(one.movements) == {movement}]

    def rename(self, movement: int, cards: tuple[str, ...], t: float) -> list[Finding]:
        """The cards of ``movement`` are known better."""
        said: list[Finding] = []
        for one in self.open:
            if one.movements == (movement,) and len(one.cards) == len(cards) and one.cards != cards:
                self._found[one.key] = fresh = replace(one, cards=cards, t=t)
                said.append(fresh)
        return said

    def _enter(self, one: Irregularity) -> Irregularity:
        if one.key:
            self._found[one.key] = one
            return one
        self._number += 1
        fresh = replace(one, key=f"r{self._round}d{self._deal}-{self._number}")
        self._found[fresh.key] = fresh
        return fresh

    def _turn(self, one: Irregularity, t: float, **changes: Any) -> Irregularity:
        fresh = replace(one, t=t, **changes)
        self._found[one.key] = fresh
        return fresh

    def _age_or_heal(self, before: Deal, action: act.Action) -> list[Finding]:
        """An open fact is found later than it was: after the discard, or after the next draw or pick-up.

        There the right to a penalty lapses (general part, loss of the right) unless an article rules for what is found
        later, and then that row applies from now on.
        """
        who = before.actor(action.seat)
        match action:
            case act.Discard():
                mine = [one for one in self.open if one.offender is who]
                return self._age(mine, "discard", action)
            case act.Draw() | act.Collect():
                theirs = [one for one in self.open if one.offender is not None and one.offender.line is not who.line]
                return self._age(theirs, "next-draw", action)
        return []

    def _age(self, facts: list[Irregularity], at: Moment, action: act.Action) -> list[Finding]:
        said: list[Finding] = []
        for one in facts:
            if one.committed_t >= action.committed_t:
                continue
            row = one.row.becomes(at)
            if row is not None:
                said.append(self._turn(one, action.t, row=self._catalogue.row(row), found=FOUND_FROM[at]))
            elif at == "next-draw" and one.row.heals == "opponent-draws":
                said.append(self._turn(one, action.t, state="healed"))
        return said

    # -- the arbitro ---------------------------------------------------------------------------------------------

    def order(self, console: Console, deal: Deal | None) -> list[Finding]:
        """What the arbitro's act at the console changes: ``rule``, ``dismiss``, ``confirm``, ``warn``."""
        match console.do:
            case "rule":
                return self._rule(console, deal)
            case "dismiss":
                return self._close(console, "dismissed")
            case "confirm":
                return self._confirm(console)
            case "warn":
                line = _line(console.fields.get("line"))
                if line is None:
                    return [Ignored("a warning must name the line NS or EW", console.t)]
                return [self._warned(line, None, console.t)]
        return []

    def _warned(self, line: Line, row: str | None, t: float) -> Warned:
        self._warnings[line] += 1
        return Warned(line, self._warnings[line], row, t)

    def _warnings_of(self, ruled: Irregularity, t: float) -> list[Finding]:
        if not ruled.row.warn:
            return []
        if ruled.row.warned == "both":
            return [self._warned(line, ruled.row.id, t) for line in Line]
        return [] if ruled.offender is None else [self._warned(ruled.offender.line, ruled.row.id, t)]

    def _meant(self, console: Console) -> Irregularity | None:
        """The irregularity that the arbitro means: by key, else the newest open one of that row and seat."""
        fields = console.fields
        key = fields.get("key")
        if key is not None:
            return self._found.get(str(key))
        row, seat = str(fields.get("row") or ""), seat_or_none(fields.get("seat"))
        newest = [one for one in reversed(self.open) if seat is None or one.offender in (seat, None)]
        same = [one for one in newest if one.row.id == row]
        kin = [one for one in newest if row and _family(one.row.id) == _family(row)]
        return next(iter((*same, *kin)), None) if row else next(iter(newest), None)

    def _close(self, console: Console, state: State) -> list[Finding]:
        one = self._meant(console)
        if one is None or one.state not in _LIVING:
            return [Ignored(f"no open irregularity fits the order '{console.do}'", console.t)]
        return [self._turn(one, console.t, state=state), *self._sanctions.lift(one, console.t)]

    def _confirm(self, console: Console) -> list[Finding]:
        one = self._meant(console)
        if one is None or one.state != "open":
            return [Ignored("no open irregularity fits the order 'confirm'", console.t)]
        return [self._turn(one, console.t, confirmed=True, needs_referee=False)]

    def _rule(self, console: Console, deal: Deal | None) -> list[Finding]:
        one = self._meant(console) or self._from_console(console, deal)
        if one is None:
            return [Ignored("a ruling must name the key of an irregularity, or a row of the catalogue", console.t)]
        ruled = self._ruled(one, console)
        said: list[Finding] = [ruled]
        said += self._warnings_of(ruled, console.t)
        if deal is not None and ruled.offender is not None:
            said.append(Forgiven(ruled.offender))
        if deal is None or deal.phase is Phase.OVER:
            return said
        said += self._sanctions.impose(ruled, deal, console.t)
        said += self._sanctions.freeze(ruled, console)
        return said

    def _ruled(self, one: Irregularity, console: Console) -> Irregularity:
        fields = console.fields
        named = [fields.get("option"), fields.get("row")]
        rows = [str(name) for name in named if isinstance(name, str) and name in self._catalogue.rows]
        row = self._catalogue.row(rows[0]) if rows else one.row
        found = _found(fields.get("found"))
        if found is not None and not rows:
            row = self._catalogue.found(one.row, found)
        melds = one.melds
        if isinstance(fields.get("meld"), int):
            melds = (int(fields["meld"]),)
        kept = ("by", "option", "remedy", "freeze", "meld", "cards", "found")
        said = {"by": console.by, **fields}
        ruling = tuple((name, _plain(said[name])) for name in kept if said.get(name) is not None)
        return self._turn(
            one,
            console.t,
            state="ruled",
            row=row,
            found=found or one.found,
            melds=melds,
            needs_referee=False,
            cards=one.cards or _cards(fields.get("cards")),
            ruling=ruling,
        )

    def _from_console(self, console: Console, deal: Deal | None) -> Irregularity | None:
        """A fact that the table has not sensed and the arbitro states."""
        name = console.fields.get("row")
        if not isinstance(name, str) or not name or "key" in console.fields:
            return None
        row = self._catalogue.row(name)
        fault = Irregularity(
            key="",
            row=row,
            offender=seat_or_none(console.fields.get("seat")),
            cards=_cards(console.fields.get("cards")),
            t=console.t,
            committed_t=console.t,
            found=_found(console.fields.get("found")) or "any",
            victim=deal.to_play if deal is not None else None,
            basis=("console",),
        )
        return self._enter(fault)


def _family(row: str) -> str:
    """The row's name without the letter of its case: F-30a and F-30b are of one family."""
    return row.rstrip("abcdefghijklmnopqrstuvwxyz")


def _found(value: object) -> Found | None:
    return next((found for found in FOUND_FROM.values() if found == value), None)


def _line(value: object) -> Line | None:
    return Line(value) if isinstance(value, str) and value in ("NS", "EW") else None


def _cards(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        return ()
    found = []
    for card in value:
        try:
            found.append(parse_card(str(card)))
        except CardError:
            found.append(UNKNOWN)
    return tuple(found)


def _plain(value: object) -> object:
    """A value of the console as data that is the same after a journey through JSON."""
    if isinstance(value, list | tuple):
        return tuple(map(str, value))
    return value if isinstance(value, str | int | float | bool) else str(value)
