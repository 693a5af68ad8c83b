"""Logs of a generator that knows only the contract: the program reads them as the twin's."""

from __future__ import annotations

import pytest

from tests.independent.game import KINDS
from tests.independent.run import main, one
from tests.sweeps import rest_in_proof

NUMBERED = [(kind, 49 + n) for n, kind in enumerate((*KINDS, "clean", "plain"))]
PLAYED = ("clean", "plain", "F-25a", "F-34")
"""What `make test` plays in whole deals of this generator; ``test_cases.py`` has every row in a log of its own."""
FIRST = [one for one in NUMBERED if one[0] in PLAYED]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "seed"), rest_in_proof([*FIRST, *(one for one in NUMBERED if one not in FIRST)], len(FIRST))
)
def test_a_log_written_from_the_contract_alone_is_read_right(kind, seed, tmp_path):
    assert one(kind, seed, tmp_path) == []


def test_the_command_says_what_it_was_used_wrongly_for(capsys):
    assert main(["--kinds", "F-99"]) == 2
    assert main(["--seeds", "x"]) == 2
    assert "seeds are written as 0-9" in capsys.readouterr().err
