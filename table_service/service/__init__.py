"""One table's service: observations in; events judged, kept in the journal, published; frames kept as evidence.

``TableService`` is the same for a real table (``run_table``) and for the demo: only what feeds it differs.
"""

from hw.errors import ServiceError
from table_service.service.pending_calls import calls_of, disputes
from table_service.service.running_table import TableService, lost
from table_service.service.table_files import TableFiles, first_boot_of, load_tags

__all__ = [
    "ServiceError",
    "TableFiles",
    "TableService",
    "calls_of",
    "disputes",
    "first_boot_of",
    "load_tags",
    "lost",
]
