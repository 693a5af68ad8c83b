"""The history of one deal: its dated acts in order, the deal that they make, and what is reported of it.

Evidence comes late: a card is named, a movement turns out false, an act is seen after a later one. Each of these
edits the list of acts, and the deal is folded again from there. A game gives one pure function, ``after(deal, act)``:
the deal after an act, and the facts that the act makes true, each under a key by which it is one and the same fact.
``History`` holds the acts and gives the facts that hold now; ``Reported`` compares them with those that were reported,
and has a game's writer report the difference: new facts, changed ones, and retractions. Nothing here knows a game, and
nothing here keeps time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Final, Generic, Protocol, TypeVar

EVERY: Final = 16
"""Acts from one snapshot to the next; at most this many are folded again for an act that is earlier by one."""


DealT = TypeVar("DealT")
ActT = TypeVar("ActT")
FactT = TypeVar("FactT")
FactT_contra = TypeVar("FactT_contra", contravariant=True)
NameT = TypeVar("NameT")
Facts = Mapping[Hashable, FactT]
"""By key what holds, in the order in which each came to be as it is."""


def committed_t(act: Any) -> float:
    """Return the date of an act that has it under this name."""
    when: float = act.committed_t
    return when


class History(Generic[DealT, ActT, FactT]):
    """The acts of one deal in the order of their dates; of one date, in the order in which they were heard.

    An edit costs nothing until ``deal`` or ``facts`` is asked for: then the acts from the snapshot before the first
    edit on are folded.

    >>> def after(total, act):
    ...     return total + act.real, {act: total + act.real}
    >>> class Number(int):
    ...     committed_t = property(float)
    >>> history = History(0, after)
    >>> for number in (1, 3, 2):
    ...     history.insert(Number(number))
    >>> history.deal, dict(history.facts)
    (6, {1: 1, 2: 3, 3: 6})
    >>> history.remove(Number(1))
    >>> history.deal, dict(history.facts)
    (5, {2: 2, 3: 5})
    """

    def __init__(
        self,
        start: DealT,
        after: Callable[[DealT, ActT], tuple[DealT, Facts[FactT]]],
        every: int = EVERY,
        date: Callable[[ActT], float] = committed_t,
    ) -> None:
        """``start``: the deal before the first act. ``after``: pure; a fact under a known key takes its place.

        ``every``: acts from one snapshot to the next. ``date``: when an act happened, in seconds of the log.
        """
        self._after = after
        self._every = every
        self._date = date
        self._acts: list[ActT] = []
        nothing: dict[Hashable, FactT] = {}
        self._folds: list[tuple[DealT, Facts[FactT]]] = [(start, nothing)]
        """The deal and the facts before every ``every``-th act."""
        self._newest = self._folds[0]
        self._folded = 0
        """Acts that ``_newest`` holds."""

    def __iter__(self) -> Iterator[ActT]:
        """Iterate over the acts in order."""
        return iter(self._acts)

    @property
    def last(self) -> ActT | None:
        """The last act; None where there is none."""
        return self._acts[-1] if self._acts else None

    @property
    def deal(self) -> DealT:
        """The deal that the acts make."""
        return self._fold()[0]

    @property
    def facts(self) -> Facts[FactT]:
        """The facts that hold now; the same mapping as long as none changes."""
        return self._fold()[1]

    def insert(self, act: ActT) -> None:
        """Take ``act`` at its date, behind those of the same date."""
        place = bisect_right(self._acts, self._date(act), key=self._date)
        self._acts.insert(place, act)
        self._forget_from(place)

    def replace(self, old: ActT, new: ActT) -> None:
        """``old`` was ``new``. Raises ValueError if ``old`` is not among the acts."""
        place = self._acts.index(old)
        if self._date(old) == self._date(new):
            self._acts[place] = new
            self._forget_from(place)
        else:
            self.remove(old)
            self.insert(new)

    def remove(self, act: ActT) -> None:
        """``act`` did not happen. Raises ValueError if it is not among the acts."""
        place = self._acts.index(act)
        del self._acts[place]
        self._forget_from(place)

    def _forget_from(self, place: int) -> None:
        """Drop the folds of the act at ``place`` and of later ones."""
        if place < self._folded:
            kept = place // self._every
            del self._folds[kept + 1 :]
            self._newest, self._folded = self._folds[kept], kept * self._every

    def _fold(self) -> tuple[DealT, Facts[FactT]]:
        if self._folded == len(self._acts):
            return self._newest
        deal, facts = self._newest
        for act in self._acts[self._folded :]:
            deal, more = self._after(deal, act)
            if more:
                facts = {key: fact for key, fact in facts.items() if key not in more} | dict(more)
            self._folded += 1
            if self._folded % self._every == 0:
                self._folds.append((deal, facts))
        self._newest = deal, facts
        return self._newest


class Writer(Protocol[FactT_contra, NameT]):
    """Writes down what is reported of facts, under names that it gives (of an event, of an irregularity)."""

    def report(self, fact: FactT_contra, /) -> NameT | None:
        """Report ``fact``, which is new; return the name of the report, None if there is nothing to report of it."""
        ...

    def correct(self, name: NameT, was: FactT_contra, fact: FactT_contra, /) -> NameT | None:
        """``fact`` is known otherwise than it ``was`` reported under ``name``.

        Return the name of the report that holds from now on, None if the one before does, with the fact as it was.
        """
        ...

    def retract(self, name: NameT, fact: FactT_contra, /) -> None:
        """Retract ``fact``, which was reported under ``name`` and is not true."""
        ...


class Reported(Generic[FactT, NameT]):
    """Reports of one deal: after each ``compare`` exactly the facts that it was given."""

    def __init__(self, writer: Writer[FactT, NameT]) -> None:
        self._writer = writer
        self._reports: dict[Hashable, tuple[NameT, FactT]] = {}

    def __contains__(self, key: Hashable) -> bool:
        """Return True if the fact under ``key`` is reported."""
        return key in self._reports

    def name_of(self, key: Hashable) -> NameT | None:
        """Return the name of the report of the fact under ``key``; None: it is not reported."""
        return self._reports[key][0] if key in self._reports else None

    def clear(self) -> None:
        """Begin another deal; the reports of this one remain valid."""
        self._reports.clear()

    def compare(self, facts: Facts[FactT]) -> None:
        """Report the difference of ``facts`` from those reported: first retractions, then the rest in their order."""
        for key in [key for key in self._reports if key not in facts]:
            self._writer.retract(*self._reports.pop(key))
        for key, fact in facts.items():
            name = self._name_of(key, fact)
            if name is not None:
                self._reports[key] = name, fact

    def _name_of(self, key: Hashable, fact: FactT) -> NameT | None:
        """Report ``fact`` if new or changed; return the name of its new report, None if the old one is still valid."""
        known = self._reports.get(key)
        if known is None:
            return self._writer.report(fact)
        return None if known[1] is fact or known[1] == fact else self._writer.correct(*known, fact)
