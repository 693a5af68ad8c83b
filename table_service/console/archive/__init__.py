"""Deals that have been played: any moment of one from its public events, its line of time, the sheets to print.

Pure: lists of events in (as the console has kept them), values out. What a hidden card was is in no event, so no page
and no sheet can tell it.
"""

from table_service.console.archive.printed_sheet import PrintedDeal, deal_sheet

__all__ = ["PrintedDeal", "deal_sheet"]
