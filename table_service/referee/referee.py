"""The referee of one table: watches every action, proposes irregularities, follows what the arbitro orders.

It never stops or changes play. ``judge`` takes an action with the deal before and after it; ``order`` an act at the
arbitro's console; both answer with findings, which say what is new. A pure fold: no clock, no chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hw.cards import UNKNOWN, CardError, parse_card
from hw.observations import Console
from hw.seats import Line, Seat, seat_or_none
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Fault, Phase
from table_service.referee.catalogue import FOUND_FROM, Catalogue, Found, Moment, Row
from table_service.referee.chance import BEGIN, place_in_fan
from table_service.referee.judging import Facts, judge_action
from table_service.referee.judging.closing import frozen_cards
from table_service.referee.judging.pot import through_pot
from table_service.referee.melding import MELD_ROWS, History, MeldWatch, is_of_meld, judge_meld, laid_in, played_since
from table_service.referee.round import RoundBook
from table_service.referee.rulings import against, kept_of, line_of, shares_ruled, told_by_minutes, wanting
from table_service.referee.sanctions import SanctionBook
from table_service.referee.values import (
    Against,
    Awarded,
    Bonus,
    Finding,
    Forgiven,
    Ignored,
    Irregularity,
    Sanction,
    State,
    Stopped,
    Warned,
)

_LIVING: Final = ("open", "ruled")


class Referee:
    """Keeps the irregularities, sanctions and warnings of one round at one table."""

    def __init__(self, catalogue: Catalogue, book: RoundBook | None = None) -> None:
        self._catalogue = catalogue
        self._round = 0
        self._deal = 0
        self._number = 0
        self._dealt = False
        self._found: dict[str, Irregularity] = {}
        self._sanctions = SanctionBook()
        self._melds = MeldWatch()
        self.book = RoundBook(catalogue.tournament) if book is None else book

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
        return {line: self.book.warned(line) for line in Line}

    @property
    def returning(self) -> frozenset[Seat]:
        """The seats that have been told to put pile cards back."""
        return self._sanctions.owing("return-to-pile")

    # -- beginnings ------------------------------------------------------------------------------------------------

    def new_round(self, book: RoundBook | None = None) -> None:
        """A round begins; ``book`` says what it begins with, such as the warnings that the pairs bring."""
        self._round += 1
        self._deal = 0
        self.book = RoundBook(self._catalogue.tournament) if book is None else book

    def end_round(self, t: float) -> list[Finding]:
        """The round ends; where the arbitro had to be called and nobody has been seen to, that is a fact to judge."""
        row = self.book.rules.call_row
        told = any(one.row.id == row for one in self._found.values())
        if row is None or told or not self.book.must_call:
            return []
        missed = Irregularity(
            key="",
            row=self._catalogue.row(row),
            offender=None,
            cards=(),
            t=t,
            committed_t=t,
            found="hand_end",
            needs_referee=True,
            basis=("derived",),
        )
        return [self._enter(missed)]

    def counted(self, lead: int | None) -> None:
        """A deal was counted and NS leads by ``lead`` in the round."""
        self.book = self.book.counted(lead)

    def visited(self) -> None:
        """The arbitro was called, or has acted at this table."""
        self.book = self.book.visited()

    def new_deal(self, number: int, t: float) -> list[Finding]:
        """A deal begins: what was open and lapses with play is healed, sanctions of the old deal are dropped."""
        for one in self.open:
            row = one.row.becomes("deal-end")
            if row is not None:
                self._turn(one, t, row=self._catalogue.row(row), found=FOUND_FROM["deal-end"])
        healed = [self._turn(one, t, state="healed") for one in self.open if one.row.heals == "opponent-draws"]
        self._found = {one.key: one for one in self.open}
        self._sanctions, self._melds = SanctionBook(), MeldWatch()
        self._deal, self._number, self._dealt = number, 0, False
        self.book = self.book.next_deal()
        return [*healed]

    @property
    def deals_anew(self) -> bool:
        """Whether a ruling of this deal has the cards gathered and dealt anew (arts. 4, 5, 7)."""
        return any(
            one.state == "ruled" and "redeal" in {step.do for step in one.row.steps} for one in self._found.values()
        )

    def start_play(self) -> None:
        """The cards are dealt and the arbitro has said that play may begin."""
        self._dealt = True

    # -- play ------------------------------------------------------------------------------------------------------

    def judge(self, before: Deal, action: act.Action, faults: tuple[Fault, ...], after: Deal) -> list[Finding]:
        """What ``action`` tells; ``faults`` as the deal saw them before it."""
        said: list[Finding] = []
        remedy, owed = self._sanctions.carries_out(action), self._sanctions.in_force
        said += self._sanctions.watch(before, action, after)
        if not remedy:
            said += self._age_or_heal(before, action)
            for one in judge_action(self._catalogue, self._facts(before, action, faults, after, owed)):
                said.append(self._enter(one))
                said += self._consequences(one)
        self._melds.note(action, after)
        return said

    def _facts(
        self, before: Deal, action: act.Action, faults: tuple[Fault, ...], after: Deal, owed: tuple[Sanction, ...]
    ) -> Facts:
        book = self._sanctions
        wrong = frozenset(row for one in self.wrong_melds if one.row.id != "F-29e" for row in one.melds)
        return Facts(
            before,
            action,
            faults,
            after,
            open=self.open,
            sanctions=book.in_force,
            thawed=book.thawed,
            thaws=book.thaws,
            wrong=wrong,
            owed=owed,
            told=self.irregularities,
            dealt=self._dealt,
        )

    @property
    def wrong_melds(self) -> tuple[Irregularity, ...]:
        """The melds known to be none that nobody has put right: open, or found too late and frozen for good."""
        return tuple(
            one
            for one in self._found.values()
            if one.row.id in MELD_ROWS and (one.state == "open" or (one.state == "ruled" and one.row.negative))
        )

    @property
    def disputed(self) -> frozenset[Line]:
        """The lines whose melds no ruling has settled: what they count for is not known."""
        return frozenset(one.line for one in self.open if one.row.id in MELD_ROWS and one.line is not None)

    def _consequences(self, one: Irregularity) -> list[Finding]:
        """What a row brings about by itself, nobody having anything left to rule."""
        return [Against(row, one.cards, one.t) for row in one.melds] if one.row.id == "F-30c" else []

    def late(
        self, t: float, deal: Deal | None, history: Callable[[], History], *, called: bool = False
    ) -> list[Finding]:
        """What has shown itself by ``t`` without a further act: melds that are none, come to rest (arts. 10 to 12, 29).

        ``history``: the actions of the deal so far; ``called``: the arbitro has been called.
        """
        if deal is None or (not called and t < self._melds.due):
            return []
        said: list[Finding] = []
        for row in self._melds.settle(t, deal, called=called):
            said += self._rests(row, deal, history(), t)
        return said

    def _rests(self, row: int, deal: Deal, history: History, t: float) -> list[Finding]:
        about = [one for one in self._found.values() if row in one.melds]
        if self._sanctions.concerns(row) or any(one.state in ("ruled", "dismissed") for one in about):
            return []
        known = next((one for one in about if one.state == "open" and one.row.id in MELD_ROWS), None)
        laid = laid_in(deal, row, history)
        fault = None if laid is None else judge_meld(self._catalogue, deal, laid, t)
        fault = fault and through_pot(self._catalogue, fault, deal)
        if known is None:
            return [] if fault is None else [self._enter(fault)]
        if fault is None:
            return [self._turn(known, t, state="healed" if played_since(row, known.t, history) else "dismissed")]
        if (fault.row.id, fault.cards) == (known.row.id, known.cards):
            return []
        return [self._enter(replace(fault, key=known.key, committed_t=known.committed_t))]

    def ended(self, deal: Deal, t: float) -> list[Finding]:
        """The deal has been closed: what follows for melds that are still frozen for a missed draw (art. 30)."""
        said: list[Finding] = []
        for one in tuple(self._found.values()):
            cards = tuple(card for row in one.melds for card in frozen_cards(one, deal, row))
            if cards:
                row = self._catalogue.row("F-30c")
                said.append(self._turn(one, t, row=row, found="hand_end", cards=cards, seen=True))
        return said

    def reopened(self, t: float) -> list[Finding]:
        """The end of the deal has been taken back, and what followed from it."""
        frozen = [one for one in self._found.values() if one.row.id == "F-30c" and one.state == "ruled"]
        return [self._turn(one, t, row=self._catalogue.row("F-30a")) for one in frozen]

    def counts_against(self, deal: Deal) -> dict[int, tuple[str, ...]]:
        """The cards by row that count against the line of their meld because the deal was closed meanwhile."""
        rows = [(one, row) for one in self._found.values() for row in one.melds]
        return {row: cards for one, row in rows if (cards := frozen_cards(one, deal, row))}

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
        self._melds.stale()
        return [self._turn(one, t, state="dismissed") for one in self.open if set(one.movements) == {movement}]

    def rename(self, movement: int, cards: tuple[str, ...], t: float) -> list[Finding]:
        """The cards of ``movement`` are known better."""
        said: list[Finding] = []
        self._melds.stale()
        for one in self.open:
            if (
                one.row.id not in MELD_ROWS
                and one.movements == (movement,)
                and len(one.cards) == len(cards)
                and one.cards != cards
            ):
                self._found[one.key] = fresh = replace(one, cards=cards, t=t)
                said.append(fresh)
        return said

    def _enter(self, one: Irregularity) -> Irregularity:
        if one.key:
            self._found[one.key] = one
            return one
        fresh = replace(one, key=self._new_key())
        self._found[fresh.key] = fresh
        return fresh

    def _new_key(self) -> str:
        self._number += 1
        return f"r{self._round}d{self._deal}-{self._number}"

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
                return self._age([one for one in self.open if _ends_for(one, who, before)], "next-draw", action)
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

    def order(self, console: Console, deal: Deal | None, chain: str = BEGIN) -> list[Finding]:
        """What the arbitro's act at the console changes: ``rule``, ``dismiss``, ``confirm``, ``warn``.

        ``chain``: that of the events of the deal so far, from which a card is drawn at random (``chance``).
        """
        match console.do:
            case "rule":
                return self._rule(console, deal, chain)
            case "dismiss":
                return self._close(console, "dismissed")
            case "confirm":
                return self._confirm(console)
            case "warn":
                line = line_of(console.fields.get("line"))
                if line is None:
                    return [Ignored("a warning must name the line NS or EW", console.t)]
                return self._warned(line, None, "", console.t)
        return []

    def _warned(self, line: Line, row: str | None, key: str, t: float) -> list[Finding]:
        """``line`` is warned; once for one irregularity, however often it is ruled."""
        if key and self.book.is_warned(line, key):
            return []
        book = self.book = self.book.warn(line, row, key)
        total = book.total(line)
        return [Warned(line, book.warned(line), row, t, total, book.cost(total))]

    def _warnings_of(self, ruled: Irregularity, t: float) -> list[Finding]:
        row, option = ruled.row, ruled.option
        if not row.warn or row.warn_option not in (None, option):
            return []
        lines = tuple(Line) if row.warned == "both" else () if ruled.line is None else (ruled.line,)
        return [said for line in lines for said in self._warned(line, row.id, ruled.key, t)]

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
        meld = fields.get("meld")
        may_be = [one for one in newest if row in one.row.options or is_of_meld(one, row, meld)]
        return next(iter((*same, *kin, *may_be)), None) if row else next(iter(newest), None)

    def _close(self, console: Console, state: State) -> list[Finding]:
        one = self._meant(console)
        lifted = self._lift(str(console.fields.get("key") or (one.key if one is not None else "")), console.t)
        if one is None or one.state not in _LIVING:
            return lifted or [Ignored(f"no open irregularity fits the order '{console.do}'", console.t)]
        return [self._turn(one, console.t, state=state), *self._sanctions.lift(one, console.t), *lifted]

    def _confirm(self, console: Console) -> list[Finding]:
        one = self._meant(console)
        if one is None or one.state != "open":
            return [Ignored("no open irregularity fits the order 'confirm'", console.t)]
        return [self._turn(one, console.t, confirmed=True, needs_referee=False)]

    def _rule(self, console: Console, deal: Deal | None, chain: str) -> list[Finding]:
        declared = self._catalogue.rows.get(str(console.fields.get("row")))
        if declared is not None and declared.kind != "irregularity":
            return self._declare(declared, console)
        known = self._meant(console)
        if known is None and declared is not None and (lacks := wanting(declared, console)):
            return [Ignored(lacks, console.t)]
        one = known or self._from_console(console, deal)
        if one is None:
            return [Ignored("a ruling must name the key of an irregularity, or a row of the catalogue", console.t)]
        ruled = self._drawn(self._ruled(one, console), console, deal, chain)
        said: list[Finding] = [ruled]
        said += self._warnings_of(ruled, console.t)
        said += self._award(ruled.key, ruled.row, ruled.line, ruled.ruling, console.t)
        if deal is not None and ruled.offender is not None:
            said.append(Forgiven(ruled.offender))
        if deal is None:
            return said
        added = _cards(console.fields.get("added"))
        if ruled.row.negative or added:
            said += [Against(row, added or ruled.cards, console.t) for row in ruled.melds]
        if deal.phase is Phase.OVER:
            return said
        said += self._sanctions.impose(ruled, deal, console.t)
        said += self._sanctions.freeze(ruled, console, deal)
        return said

    def _declare(self, row: Row, console: Console) -> list[Finding]:
        """The arbitro declares a situation, or uses a power of his: no irregularity, but it may change the round."""
        lacks = wanting(row, console)
        if lacks or not row.outcomes:
            return [Ignored(lacks or f"{row.id} is a {row.kind} of the code: there is nothing to rule", console.t)]
        key = str(console.fields.get("key") or self._new_key())
        return self._award(key, row, against(console), told_by_minutes(row, kept_of(console)), console.t)

    def _award(
        self, key: str, row: Row, line: Line | None, ruling: tuple[tuple[str, object], ...], t: float
    ) -> list[Finding]:
        """What the ruling under ``key`` changes in the round; what it changed before is taken back."""
        if not row.outcomes:
            return []
        said: list[Finding] = []
        before = self.book.bonuses(key)
        shares, stops = shares_ruled(row, line, dict(ruling))
        self.book = self.book.award(key, row, shares, ruling)
        said.append(Awarded(key, row, t, ruling))
        for one, some in shares.items():
            if any(share.do == "warn" for share in some):
                said += self._warned(one, row.id, key, t)
        said += self._bonus(key, before, t)
        return [*said, Stopped(stops, t)] if stops else said

    def _bonus(self, key: str, before: dict[Line, int], t: float) -> list[Finding]:
        """The difference that a ruling makes on the score sheet; a team's bonus goes on the open room's (art. 39)."""
        if self.book.teams and self.book.room == "closed":
            return [Ignored("the bonus of a team goes on the score sheet of the open room", t)]
        now = self.book.bonuses(key)
        return [Bonus(line, now[line] - before[line], t) for line in Line if now[line] != before[line]]

    def _lift(self, key: str, t: float) -> list[Finding]:
        """What the ruling under ``key`` changed in the round, and the warnings for it, are taken back."""
        old = self.book
        row = next((self._catalogue.row(one.row) for one in old.awards if one.key == key), None)
        self.book = old.without(key)
        said: list[Finding] = [
            Warned(one.line, self.book.warned(one.line), one.row, t, self.book.total(one.line), withdrawn=True)
            for one in old.warnings
            if key and one.key == key
        ]
        if row is not None:
            said += [Awarded(key, row, t, lifted=True), *self._bonus(key, old.bonuses(key), t)]
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
        return self._turn(
            one,
            console.t,
            state="ruled",
            row=row,
            found=found or one.found,
            melds=melds,
            needs_referee=False,
            cards=_cards_ruled(one, fields.get("cards")),
            seen=one.seen or (row.id in MELD_ROWS and bool(melds)),
            ruling=told_by_minutes(row, kept_of(console)),
            against=one.against or line_of(fields.get("line")),
        )

    def _drawn(self, ruled: Irregularity, console: Console, deal: Deal | None, chain: str) -> Irregularity:
        """Where a card of the fan is to be taken at random, the place of it; the arbitro's own card goes before it."""
        who = ruled.offender
        if not ruled.row.draws or ruled.option == "drawn-card" or deal is None or who is None:
            return ruled
        if console.fields.get("cards"):
            return ruled
        laid_back = bool(ruled.melds) or not deal.sure_of(who)
        place = place_in_fan(ruled.key, console.t, chain, None if laid_back else deal.count(who))
        return self._turn(ruled, console.t, ruling=(*ruled.ruling, ("at_random", place.as_data())))

    def _from_console(self, console: Console, deal: Deal | None) -> Irregularity | None:
        """A fact that the table has not sensed and the arbitro states."""
        name = console.fields.get("row")
        if not isinstance(name, str) or not name or "key" in console.fields:
            return None
        row = self._catalogue.row(name)
        cards = _cards(console.fields.get("cards"))
        fault = Irregularity(
            key="",
            row=row,
            offender=seat_or_none(console.fields.get("seat")),
            cards=cards,
            seen=deal is not None and bool(cards) and deal.lie_open(cards),
            t=console.t,
            committed_t=console.t,
            found=_found(console.fields.get("found")) or "any",
            victim=deal.to_play if deal is not None else None,
            basis=("console",),
            against=line_of(console.fields.get("line")),
        )
        return self._enter(fault)


def _ends_for(one: Irregularity, who: Seat, before: Deal) -> bool:
    """Whether the draw of ``who`` is the moment at which the right to a penalty for ``one`` lapses.

    That is an opponent's draw; what was found before play, whoever draws first (art. 7).
    """
    if before.phase is Phase.DEALT and one.found == "before_play":
        return True
    return one.offender is not None and one.offender.line is not who.line


def _family(row: str) -> str:
    """The row's name without the letter of its case: F-30a and F-30b are of one family."""
    return row.rstrip("abcdefghijklmnopqrstuvwxyz")


def _found(value: object) -> Found | None:
    return next((found for found in FOUND_FROM.values() if found == value), None)


def _cards_ruled(one: Irregularity, value: object) -> tuple[str, ...]:
    """The cards that a ruling is about: of a wrong meld those that the arbitro names go before those the table read."""
    named = _cards(value)
    return named if named and one.row.id in MELD_ROWS else one.cards or named


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
