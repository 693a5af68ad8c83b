"""The referee of one table: watches every action, proposes irregularities, follows what the arbitro orders.

It never stops or changes play. ``judge`` takes an action with the deal before and after it; ``late`` says what has
shown itself without a further act; ``order`` takes an act at the arbitro's console. All answer with findings, which say
what is new. A pure fold: no clock, no chance.

It is composed of what all games share (``referee.ledger``, ``awards``, ``deciding``) and of Burraco's part:
``burraco_rulings`` says what a ruling means and changes here, ``wrong_melds`` watches melds that are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from hw.cards import BURRACO
from hw.seats import CLOCKWISE, Line, Rotation, Seat
from table_service.events.orders import Order, Rule
from table_service.games.burraco.duties import SanctionBook
from table_service.games.burraco.fault_kinds import WRONG_MELDS, FaultKind
from table_service.games.burraco.judges import Facts, judge_action
from table_service.games.burraco.judges.closing import frozen_cards
from table_service.games.burraco.judges.facts import turned_out
from table_service.games.burraco.judges.laid_cards import History
from table_service.games.burraco.judges.turn import has_taken, lapses_by
from table_service.games.burraco.referee.burraco_rulings import BurracoRulings
from table_service.games.burraco.referee.findings import Finding
from table_service.games.burraco.referee.wrong_melds import SOON, WrongMelds
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import ActFault, Deal, MeldRow, Phase
from table_service.games.burraco.rules.meld import reading_of
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.referee.awards import Awards
from table_service.referee.catalogue import Catalogue
from table_service.referee.chance import BEGIN
from table_service.referee.deciding import Decisions
from table_service.referee.duties import Duties
from table_service.referee.ledger import Ledger
from table_service.referee.past import Past, sanction_of, take_up
from table_service.referee.round import RoundBook
from table_service.referee.values import Irregularity, Sanction, SanctionSaid

_PENALISES: Final = frozenset({"penalise", "complete-or-penalise"})


class Referee:
    """Keeps the irregularities, sanctions and warnings of one round at one table."""

    def __init__(
        self,
        catalogue: Catalogue,
        book: RoundBook | None = None,
        rotation: Rotation = CLOCKWISE,
        *,
        mark: str = "",
    ) -> None:
        """``rotation``: who plays; ``mark``: what sets the keys of this start of the table apart."""
        self._catalogue = catalogue
        self._ledger = Ledger(catalogue, _is_in_hand, rotation, mark=mark)
        self._awards = Awards(catalogue, book)
        self._rulings = BurracoRulings(self._ledger)
        self._decisions: Decisions[Deal, Finding] = Decisions(self._ledger, self._awards, BURRACO, self._rulings)
        self._melds = WrongMelds(self._ledger, self._rulings)
        self._dealt = False
        self._called: float | None = None

    # -- views -----------------------------------------------------------------------------------------------------

    @property
    def book(self) -> RoundBook:
        """The round beside the cards: warnings, awards, the duty to call."""
        return self._awards.book

    @book.setter
    def book(self, book: RoundBook) -> None:
        self._awards.book = book

    @property
    def open(self) -> tuple[Irregularity, ...]:
        """The irregularities that wait for the arbitro, oldest first."""
        return self._ledger.open

    @property
    def irregularities(self) -> tuple[Irregularity, ...]:
        """All irregularities of the deal, oldest first."""
        return tuple(self._ledger)

    @property
    def sanctions(self) -> Duties[Deal, act.Action]:
        """The duties that have been imposed and are watched."""
        return self._rulings.sanctions.duties

    @property
    def warnings(self) -> dict[Line, int]:
        """Warnings by line in this round."""
        return {line: self.book.warned(line) for line in Line}

    @property
    def cards_ruled(self) -> tuple[str, ...]:
        """The cards that rulings of this deal were about."""
        return tuple(card for one in self._ledger if one.state == "ruled" for card in one.cards)

    @property
    def returning(self) -> frozenset[Seat]:
        """The seats that have been told to put pile cards back."""
        return self.sanctions.owing("return-to-pile")

    @property
    def disputed(self) -> frozenset[Line]:
        """The lines whose melds no ruling has settled: what they count for is not known."""
        return self._melds.disputed

    def laid_on_theirs(self, deal: Deal) -> frozenset[Line]:
        """Return the lines whose cards lie on melds of the other line without a ruling that lets them stay there."""
        return self._melds.laid_on_theirs(deal)

    def banned_sets(self, book: RuleBook) -> dict[Line, frozenset[str]]:
        """Return the ranks of which each line was ruled to have opened a second set this round (feburit, art. 15)."""
        return self._rulings.banned_sets(book)

    @property
    def deals_anew(self) -> bool:
        """True if a ruling of this deal has the cards gathered and dealt anew (arts. 4, 5, 7)."""
        return any(one.state == "ruled" and "redeal" in {step.do for step in one.row.steps} for one in self._ledger)

    # -- beginnings ------------------------------------------------------------------------------------------------

    def new_round(self, book: RoundBook | None = None) -> None:
        """Begin a round; ``book`` says what it begins with, such as the warnings that the pairs bring."""
        self._ledger.next_round()
        self._rulings.next_round()
        self._awards.next_round(book)

    def take_up(self, irregularities: Iterable[Past], sanctions: Iterable[Past], deal: int) -> list[str]:
        """Take up what was told before the table's restart, ``deal`` being the newest; the keys that the code lacks."""
        self._ledger.go_on(deal)
        unknown = take_up(self._ledger, irregularities)
        self._rulings.take_up()
        for past in sanctions:
            duty = sanction_of(self._catalogue, past)
            if duty is None:
                unknown.append(str(past.data.get("key")))
            else:
                self.sanctions.impose(duty)
        return unknown

    def end_round(self, t: float) -> list[Finding]:
        """End the round; if the arbitro had to be called and no call was seen, that is a fact to judge."""
        return [*self._decisions.end_round(t)]

    def counted(self, lead: int | None) -> None:
        """Record that a deal was counted and NS leads by ``lead`` in the round."""
        self._awards.counted(lead)

    def visited(self) -> None:
        """Record that the arbitro was called, or has acted at this table."""
        self._awards.visited()

    def new_deal(self, number: int, t: float) -> list[Finding]:
        """Begin a deal: heal what was open and lapses with play, drop the sanctions of the old deal."""
        healed = self._ledger.next_deal(number, t)
        self._rulings.sanctions = SanctionBook()
        self._melds = WrongMelds(self._ledger, self._rulings)
        self._decisions.next_deal()
        self._dealt, self._called = False, None
        self._awards.next_deal()
        return [*healed]

    def start_play(self) -> None:
        """Record that the cards are dealt and the arbitro has said that play may begin."""
        self._dealt = True

    # -- the arbitro -----------------------------------------------------------------------------------------------

    def order(self, order: Order, deal: Deal | None, chain: str = BEGIN) -> list[Finding]:
        """Return what the arbitro's act at the console changes; ``chain``: that of the events of the deal so far."""
        self._called = None
        return self._decisions.order(order, deal, chain)

    @property
    def liftable(self) -> tuple[Irregularity, ...]:
        """Rulings of the deal that can be lifted."""
        return self._ledger.ruled

    def earlier(self, key: str) -> tuple[int, Irregularity] | None:
        """Deal and irregularity under ``key`` if it was ruled in an earlier deal of the round."""
        return self._ledger.earlier(key)

    def is_of_another_round(self, key: str) -> bool:
        """Return True if ``key`` was given in another round than the one that is played."""
        return self._ledger.is_of_another_round(key)

    def reverse(self, key: str, t: float) -> list[Finding]:
        """Lift a ruling of an earlier deal of the round. Raises KeyError if there is none under ``key``."""
        return self._decisions.reverse(key, t)

    def leaves_cards(self, order: Order, deal: Deal | None) -> Seat | None:
        """Return who by the ruling ``order`` has cards left and thought that he had gone out; None where nobody."""
        if not isinstance(order, Rule) or deal is None or deal.begun:
            return None
        return self._rulings.leaves_cards(order, deal, *self._decisions.about(order, deal))

    def closing_stands(self, order: Order, deal: Deal | None) -> Seat | None:
        """Seat whose closing stands by the ruling ``order`` though it was wrong; None if it lets no closing stand."""
        if not isinstance(order, Rule) or deal is None or deal.begun or deal.phase is not Phase.PLAYING:
            return None
        known, row = self._decisions.about(order, deal)
        option = order.option or (None if known is None else known.option)
        return deal.last_out if row is not None and row.closes is not None and option == row.closes else None

    def corrected(self) -> None:
        """Look again at melds that were reported wrong: the arbitro has said what lies somewhere."""
        self._melds.stale()

    def report(self, fault: Irregularity) -> Irregularity:
        """Enter an irregularity that no single action shows, such as a short pack; its key is given here."""
        return self._ledger.enter(fault)

    def change(self, key: str, kind: FaultKind, t: float) -> Irregularity | None:
        """Change an open irregularity to one of ``kind``; None if ``key`` is not open, or the code knows none."""
        return self._ledger.turn_out(key, kind, t)

    # -- play ------------------------------------------------------------------------------------------------------

    def judge(self, before: Deal, action: act.Action, faults: tuple[ActFault, ...], after: Deal) -> list[Finding]:
        """Return what ``action`` tells; ``faults`` as the deal saw them before it."""
        said: list[Finding] = []
        remedy, owed = self.sanctions.carries_out(action), self.sanctions.in_force
        said += self._rulings.sanctions.watch(before, action, after)
        broken = tuple(one.sanction for one in said if isinstance(one, SanctionSaid) and one.what == "broken")
        if not remedy:
            said += self._age_or_heal(before, action)
            for one in judge_action(self._facts(before, action, faults, after, owed, broken)):
                known = self._ruled_before(one, after)
                said += known or self._entered(one, before, action)
        if isinstance(action, act.TakeBack):
            said += self._melds.off_theirs(action, after)
        self._melds.note(action, after)
        if isinstance(action, act.Call):
            self._called = action.committed_t
        return said

    def _entered(self, one: Irregularity, before: Deal, action: act.Action) -> list[Irregularity]:
        """``one`` entered; cards laid after the own discard, told only once the opponent has drawn, it has healed."""
        entered = self._ledger.enter(one)
        lapses = entered.state == "open" and entered.row.heals != "never"
        late = isinstance(action, act.Open | act.Extend) and before.is_between(entered.offender, action.committed_t)
        return [entered, self._ledger.change(entered, action.t, state="healed")] if lapses and late else [entered]

    def _ruled_before(self, one: Irregularity, deal: Deal) -> list[Finding]:
        """``one`` as the arbitro has ruled it already, before the table could see the meld: it is frozen from now on.

        Nothing where he has not: one fact is one irregularity.
        """
        if one.key or not one.melds or not one.row.freezes:
            return []
        for ruled in self._ledger:
            if not _is_the_same(ruled, one):
                continue
            about = self._ledger.change(
                ruled,
                one.t,
                melds=one.melds,
                cards=one.cards,
                committed_t=one.committed_t,
                found=one.found,
                seen=True,
                basis=one.basis,
                frames=one.frames,
                movements=one.movements,
            )
            return [about, *self._rulings.sanctions.freezes.freeze(about, None, deal, one.t)]
        return []

    def _facts(
        self,
        before: Deal,
        action: act.Action,
        faults: tuple[ActFault, ...],
        after: Deal,
        owed: tuple[Sanction, ...],
        broken: tuple[Sanction, ...],
    ) -> Facts:
        freezes = self._rulings.sanctions.freezes
        wrong = (one for one in self._melds.known if one.kind != FaultKind.LAID_BESIDE)
        return Facts(
            self._catalogue,
            before,
            action,
            faults,
            after,
            open=self.open,
            sanctions=self.sanctions.in_force,
            thawed=freezes.thawed,
            thaws=freezes.thaws,
            wrong=frozenset(row for one in wrong for row in one.melds),
            owed=owed,
            broken=broken,
            called=self._called,
            told=self.irregularities,
            dealt=self._dealt,
        )

    def late(
        self,
        t: float,
        deal: Deal | None,
        history: Callable[[], History],
        *,
        called: bool = False,
        unseen: Callable[[MeldRow], bool] | None = None,
    ) -> list[Finding]:
        """Return what has shown itself by ``t`` without a further act; see ``WrongMelds.late``."""
        return [*self._melds.late(t, deal, history, called=called, unseen=unseen)]

    def ended(self, deal: Deal, t: float) -> list[Finding]:
        """End the deal: open facts are found at its end now; find what follows for melds frozen for a missed draw."""
        said: list[Finding] = [*self._ledger.end_deal(t)]
        for one in self._ledger:
            cards = tuple(card for row in one.melds for card in frozen_cards(one, deal, row))
            turned = turned_out(one, FaultKind.CLOSED_WHILE_FROZEN, self._catalogue) if cards else []
            said += [self._ledger.change(it, t, found="hand_end", cards=cards, seen=True) for it in turned]
        return said

    def reopened(self, t: float) -> list[Finding]:
        """Take back the end of the deal, and what followed from it."""
        ended, before = FaultKind.CLOSED_WHILE_FROZEN, FaultKind.LAID_WITHOUT_DRAWING
        frozen = [one for one in self._ledger if one.kind == ended and one.state == "ruled"]
        thawed = [self._ledger.change(it, t) for one in frozen for it in turned_out(one, before, self._catalogue)]
        return [*self._ledger.reopen_deal(t), *thawed]

    def counts_against(self, deal: Deal) -> dict[int, tuple[str, ...]]:
        """Return the cards by row that count against the line of their meld: by a ruling, or by a closing meanwhile."""
        rows = [(one, row) for one in self._ledger for row in one.melds]
        return {
            row: cards for one, row in rows if (cards := frozen_cards(one, deal, row) or _left_there(one, deal, row))
        }

    def retract(self, movement: int, t: float) -> list[Finding]:
        """Movement ``movement`` did not happen: what rests on it alone is dismissed, what it healed is open again."""
        self._melds.stale()
        return [*self._ledger.retract(movement, t)]

    def rename(self, movement: int, cards: tuple[str, ...], t: float) -> list[Finding]:
        """Correct the cards of ``movement``, which are known better now."""
        self._melds.stale()
        alone = [one for one in self.open if one.kind not in WRONG_MELDS and one.movements == (movement,)]
        better = [one for one in alone if len(one.cards) == len(cards) and one.cards != cards]
        return [self._ledger.change(one, t, cards=cards) for one in better]

    def _age_or_heal(self, before: Deal, action: act.Action) -> list[Irregularity]:
        """Mark an open fact as found later: after the discard, or the next draw; dismiss a draw that was not missed."""
        who = before.actor(action.seat)
        match action:
            case act.Discard():
                mine = [one for one in self.open if one.offender is who]
                return self._ledger.age(mine, "discard", action.t, action.committed_t, action.id)
            case act.Draw() | act.Collect():
                none = [one for one in self.open if has_taken(one, action, before)]
                said = [self._ledger.change(one, action.t, state="dismissed") for one in none]
                theirs = [one for one in self.open if lapses_by(one, who, before)]
                return [*said, *self._ledger.age(theirs, "next-draw", action.t, action.committed_t, action.id)]
        return []


def _is_the_same(ruled: Irregularity, one: Irregularity) -> bool:
    """Return True if the arbitro has ruled ``one`` from what he saw, in any case of its article, naming no meld."""
    if ruled.state != "ruled" or ruled.basis != ("console",) or ruled.melds:
        return False
    same = ruled.row.family == one.row.family and ruled.offender is one.offender
    return same and one.committed_t <= ruled.committed_t and one.t < ruled.committed_t + SOON


def _left_there(one: Irregularity, deal: Deal, row: int) -> tuple[str, ...]:
    """Return the excess cards that were ruled out of meld ``row`` and that have not been taken out of it (art. 25)."""
    meld = deal.meld(row)
    penalises = not _PENALISES.isdisjoint(duty.do for duty in one.row.duties)
    if meld is None or one.state != "ruled" or not penalises or reading_of(deal.book, meld.cards):
        return ()
    return matching(one.cards, meld.cards)


def _is_in_hand(one: Irregularity) -> bool:
    """Return True if the cards of half a meld have been taken back: nothing lies there to be found later (art. 25)."""
    return one.kind == FaultKind.TOO_FEW_LAID and bool(one.cards) and not one.melds
