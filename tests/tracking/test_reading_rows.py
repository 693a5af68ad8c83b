"""Readings of a row put together: what one frame leaves out another one may tell."""

from __future__ import annotations

import pytest

from table_service.tracking.sequences import merge


@pytest.mark.parametrize(
    ("known", "seen", "lies"),
    [
        (("3D", "3C"), ("3D", "??", "3H"), ("3D", "3C", "3H")),
        (("3D", "3C"), ("3D", "??", "??"), ("3D", "3C", "??")),
        (("3D",), ("??", "3H"), ("3D", "3H")),
        (("5C", "6C"), ("5C", "7C"), ("5C", "6C")),
        (("5C", "6C"), ("5C", "6C", "7C"), ("5C", "6C", "7C")),
    ],
)
def test_a_card_left_out_in_its_place_is_the_one_that_was_known(known, seen, lies) -> None:
    assert merge(known, seen) == lies
