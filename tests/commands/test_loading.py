"""What a long-running command loads, and the collector meanwhile."""

import gc
import subprocess
import sys

import pytest

from table_service.commands.loading import collector_asleep

_LOADED = """
import sys
import table_service.commands.console_process
print(*(name for name in sys.modules if name.endswith((".fold.game", ".tracker", ".running_table"))))
"""


def test_the_collector_sleeps_while_modules_load_and_wakes_after_an_error():
    def load() -> None:
        with collector_asleep():
            asleep.append(not gc.isenabled())
            raise ImportError

    asleep: list[bool] = []
    with pytest.raises(ImportError):
        load()
    assert asleep == [True]
    assert gc.isenabled()


def test_the_collector_passes_over_what_was_loaded():
    before = gc.get_freeze_count()
    try:
        with collector_asleep():
            kept = [[] for _ in range(1000)]
        assert gc.get_freeze_count() >= before + len(kept)
        assert gc.isenabled()
    finally:
        gc.unfreeze()


def test_a_console_loads_the_rules_of_every_game_and_no_table():
    told = subprocess.run([sys.executable, "-c", _LOADED], check=True, capture_output=True, text=True).stdout
    assert told.split() == []
