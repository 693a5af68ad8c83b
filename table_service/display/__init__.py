"""The table's own small screen: what all four may know, each line's confirmation of the score, a call to the arbitro.

It runs in the table's process and is served to the table's own browser only (this machine). It shows public facts and
no time: there are codes by which players may not know what is left of it.
"""

from table_service.display.serving import DisplayError, RunningDisplay, serving_display

__all__ = ["DisplayError", "RunningDisplay", "serving_display"]
