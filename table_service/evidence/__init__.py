"""Pictures of what happened: a ring of recent ones in memory, and those before, at and after a fact, kept as files."""

from table_service.evidence.choice import MOMENTS, Moment, Want
from table_service.evidence.collector import EvidenceDesk
from table_service.evidence.picture import Picture
from table_service.evidence.ring import Ring

__all__ = ["MOMENTS", "EvidenceDesk", "Moment", "Picture", "Ring", "Want"]
