"""What the arbitro decides: rulings, dismissals, warnings, and what follows from each."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN, CardError, parse_card
from hw.observations import Console
from hw.seats import Line, Seat, seat_or_none
from table_service.games.burraco.judges.resting_melds import MELD_ROWS, is_of_meld
from table_service.games.burraco.referee.findings import Against, Finding, Forgiven, Passed
from table_service.games.burraco.referee.ledger import Ledger
from table_service.games.burraco.referee.refusing import given_before, refused
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.uncovering import laid_in_turn
from table_service.referee.catalogue import FOUND_FROM, Found, Row
from table_service.referee.chance import BEGIN, place_in_fan
from table_service.referee.rulings import against, kept_of, line_of, shares_ruled, told_by_minutes, wanting
from table_service.referee.values import Awarded, Bonus, Ignored, Irregularity, State, Stopped, Warned

_LIVING: Final = ("open", "ruled")
_PASSED: Final = ("F-28f", "F-28g", "F-28h", "F-28j")
"""The rows on cards that are passed into the partner's hand, who lays them."""


class Deciding(Ledger):
    """Follows the arbitro's acts at the console."""

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
                named = console.fields.get("row")
                row = named if isinstance(named, str) and named in self._catalogue.rows else None
                return self._warned(line, row, "", console.t)
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
        same += [one for one in reversed(self.open) if one.row.id == row and one.row.warned == "both"]
        same += [one for one in reversed(self.open) if one.row.id == row and _is_of_line(one, seat)]
        kin = [one for one in newest if row and family(one.row.id) == family(row)]
        meld = fields.get("meld")
        may_be = [one for one in newest if row in one.row.options or is_of_meld(one, row, meld)]
        if isinstance(meld, int):  # of whom nobody was sure, the arbitro says who it was
            may_be += [one for one in reversed(self.open) if one.severity == "note" and is_of_meld(one, row, meld)]
        if row in _PASSED and seat is not None:  # who lays cards that were passed to him seems to play out of turn
            may_be += [one for one in reversed(self.open) if one.row.id == "F-32" and one.offender is seat.partner]
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
        """Follow a ruling; one that names what does not exist, or is given twice, changes nothing and says so."""
        known = self._meant(console)
        wrong = refused(self._catalogue, console, deal, known) or given_before(console, known, self._last)
        if wrong is not None:
            return [Ignored(wrong, console.t)]
        said = self._followed(console, deal, chain)
        if not (len(said) == 1 and isinstance(said[0], Ignored)):
            self._last = console
        return said

    def _followed(self, console: Console, deal: Deal | None, chain: str) -> list[Finding]:
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
        added = _added(ruled, console, deal)
        if ruled.row.negative or added:
            cards = added or (() if ruled.row.negative_whole else ruled.cards)
            said += [Against(row, cards, console.t) for row in ruled.melds]
        if deal.phase is Phase.OVER:  # nobody plays another turn: what is left to do is done before the count
            return [*said, *self._sanctions.impose(ruled, deal, console.t)]
        if known is None or known.row.id not in _PASSED:
            said += _passed(ruled, deal)
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
            offender=_answers(one, row, seat_or_none(fields.get("seat"))),
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


def _is_of_line(one: Irregularity, seat: Seat | None) -> bool:
    """Whether the line of ``seat`` answers for ``one``, whoever of it plays next: any seat of it may be named."""
    owed = any(duty.who == "line-in-turn" for duty in one.row.duties)
    return owed and seat is not None and one.line is seat.line


def _answers(one: Irregularity, row: Row, named: Seat | None) -> Seat | None:
    """Who answers for ``one`` once it is ruled to be ``row``: who is ``named``; who did it where that is his line."""
    if named is None or (row is one.row and one.offender is not None and _is_of_line(one, named)):
        return _offender(one, row)
    return named


def _offender(one: Irregularity, row: Row) -> Seat | None:
    """Who answers for ``one`` where nobody is named: who passed cards over, not who laid them."""
    passed = one.row.id == "F-32" and row.id in _PASSED and one.offender is not None
    return one.offender.partner if passed and one.offender is not None else one.offender


def _passed(ruled: Irregularity, deal: Deal) -> list[Finding]:
    """The cards that the partner has laid in this turn of the offender were the offender's, who passed them over."""
    giver = ruled.offender
    if ruled.row.id not in _PASSED or giver is None or giver is not deal.to_play or not deal.begun:
        return []
    lays = [lay for laid in deal.changed.values() for lay in laid]
    count = sum(len(lay.cards) for lay in lays if lay.seat is giver.partner and lay.t > deal.last_out_t)
    return [Passed(giver, giver.partner, count)] if count else []


def _added(ruled: Irregularity, console: Console, deal: Deal) -> tuple[str, ...]:
    """The cards that count against the line as they brought a hidden one to light; the arbitro's word goes before."""
    named = _cards(console.fields.get("added"))
    if named or "added" not in ruled.row.form:
        return named
    laid = ruled.added or tuple(card for row in ruled.melds for card in laid_in_turn(deal, row))
    return tuple(card for card in laid if card not in ruled.cards)


def family(row: str) -> str:
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
