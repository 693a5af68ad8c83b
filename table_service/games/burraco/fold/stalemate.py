"""A stalemate, which the arbitro watches for and declares (art. 16)."""

from __future__ import annotations

from table_service.events import payloads as say
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.rules.deal import Phase
from table_service.table.voice import Voice


class Stalemate:
    """Ends a deal in which cards are only exchanged, once the arbitro has come to watch it."""

    def __init__(self, voice: Voice, course: BurracoCourse, ending: Ending) -> None:
        self._voice = voice
        self._course = course
        self._ending = ending
        self._watched_from: int | None = None

    def begin(self) -> None:
        """Begin a deal."""
        self._watched_from = None

    def watch(self, t: float, *, declared: bool = False) -> None:
        """Watch for a stalemate, which the arbitro has come to see; ``declared``: he says that it is one.

        What was before he came does not count: the deal ends when the four exchange cards in turns that he sees from
        their beginning, or as he declares it.
        """
        deal = self._course.deal
        if deal is None or deal.phase is Phase.OVER:
            self._voice.ignored("there is no deal in play that could be stopped for a stalemate", t)
            return
        if declared:
            self._ending.end("stalemate", t)
            return
        self._watched_from = deal.turn + 1
        note = f"{deal.book.stalemate_turns} turns in a row, from the next on, end the deal if cards are only exchanged"
        self._voice.say("table.health", say.TableHealth(what="order", state="ok", note=note), t)

    def discarded(self, t: float) -> None:
        """End a turn at ``t``, and the deal if cards were only exchanged in so many turns that the arbitro saw."""
        deal, since = self._course.deal, self._watched_from
        if deal is None or since is None or deal.phase is not Phase.PLAYING or deal.begun:
            return
        turns = deal.book.stalemate_turns
        if deal.swaps >= turns and deal.turn - turns + 1 >= since:
            self._ending.end("stalemate", t)
