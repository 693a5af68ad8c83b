"""The arbitro's console: pages that show what the tables of one hall publish, and nothing else.

Its parts are loaded when they are asked for: a table reads a hall's settings and starts without the rest.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from table_service.console.app import create_app
    from table_service.console.console_server import ConsoleError, RunningConsole, serving
    from table_service.console.live_tables import ConsoleStore
    from table_service.console.settings import ConsoleSettings

__all__ = ["ConsoleError", "ConsoleSettings", "ConsoleStore", "RunningConsole", "create_app", "serving"]
_PLACES: Final = {
    "ConsoleError": "console_server",
    "ConsoleSettings": "settings",
    "ConsoleStore": "live_tables",
    "RunningConsole": "console_server",
    "create_app": "app",
    "serving": "console_server",
}
"""The module of each."""


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
