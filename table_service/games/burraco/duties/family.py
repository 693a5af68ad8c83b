"""Interface of a kind of duty in Burraco: the shared verdicts over this game's deals and actions."""

from __future__ import annotations

from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.referee import duties
from table_service.referee.duties import Broken, Family, Kept, Lapsed, Served, Verdict

Look = duties.Look[Deal, act.Action]
"""An action with the deal before and after it."""

__all__ = ["Broken", "Family", "Kept", "Lapsed", "Look", "Served", "Verdict"]
