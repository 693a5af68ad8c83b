"""The arbitro's console: pages that show what the tables of one hall publish, and nothing else."""

from table_service.console.app import create_app
from table_service.console.live_tables import ConsoleStore
from table_service.console.serving import ConsoleError, RunningConsole, serving
from table_service.console.settings import ConsoleSettings

__all__ = ["ConsoleError", "ConsoleSettings", "ConsoleStore", "RunningConsole", "create_app", "serving"]
