"""What sensors show without proving it is said to be likely where the arbitro reads of it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

feed: Any = sys.modules["console_feed"]
SAID = "È probabile, non provato"


@pytest.mark.parametrize("likely", [True, False])
async def test_a_likely_irregularity_is_said_to_be_no_proof(house: Any, *, likely: bool) -> None:
    house.hear()
    house.say(f"T12/alert/{feed.ALERT['key']}", {**feed.ALERT, "severity": "note", "likely": likely})
    assert (SAID in await house.page("/table/T12", "arbitro")) is likely
    assert (SAID in await house.page(f"/table/T12/alert/{feed.ALERT['key']}", "arbitro")) is likely
