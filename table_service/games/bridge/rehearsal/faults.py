"""The faults that rehearsed players commit, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_service.games.bridge.rehearsal.call_faults import CALL_KINDS
from table_service.games.bridge.rehearsal.fault_kinds import BoardFault, BoardFaultKind, BoardMoment, rules
from table_service.games.bridge.rehearsal.lead_faults import LEAD_KINDS
from table_service.games.bridge.rehearsal.play_faults import PLAY_KINDS

KINDS: Final[Mapping[str, BoardFaultKind]] = {kind.name: kind for kind in (*CALL_KINDS, *LEAD_KINDS, *PLAY_KINDS)}
"""Every fault that can be staged, by name."""

__all__ = ["KINDS", "BoardFault", "BoardFaultKind", "BoardMoment", "rules"]
