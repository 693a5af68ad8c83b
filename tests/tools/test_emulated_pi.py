"""What a Pi installs is read from the lock as pip would: one version of each package, none of another system's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

Tools = Callable[[str], ModuleType]
ROOT = Path(__file__).resolve().parents[2]


def test_of_a_lock_only_what_python_311_on_aarch64_linux_installs_is_fetched(tools: Tools) -> None:
    lock = (
        "colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:00\n"
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:01\n"
        "numpy==2.5.5 ; python_full_version >= '3.12' \\\n    --hash=sha256:02\n"
        "cobs==1.2.0 \\\n    --hash=sha256:03\n"
    )
    assert tools("emulated_pi").pinned(lock) == ["numpy==2.4.6", "cobs==1.2.0"]


def test_the_tables_own_lock_has_one_version_of_each_package(tools: Tools) -> None:
    names = [
        one.split("==")[0]
        for one in tools("emulated_pi").pinned((ROOT / "requirements-table.lock").read_text(encoding="utf-8"))
    ]
    assert len(names) == len(set(names)) > 40
    assert set(tools("emulated_pi").BUILT_ANYWHERE) <= set(names)


def test_answers_are_compared_by_the_names_and_confidence_of_their_cards(tools: Tools) -> None:
    def answer(*found: tuple[str, float]) -> str:
        return json.dumps({"ms": 1.0, "cards": [{"card": card, "confidence": sure} for card, sure in found]})

    cards = tools("emulated_pi").cards
    assert cards(answer(("7H", 0.9991))) == cards(answer(("7H", 0.9999)))
    assert cards(answer(("7H", 0.99))) != cards(answer(("7D", 0.99)))
    assert cards(answer(("7H", 0.99))) != cards(answer(("7H", 0.97)))
