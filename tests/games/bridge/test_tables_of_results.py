"""Every cell of the tables of IMPs and victory points, typed once more from the texts, against the rules' own."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from table_service.games.bridge.rules.match_points import VP_BOUNDS, imps, victory_points

WON = (*range(15, 25), *[25] * 6)
LOST = (*range(15, -1, -1),)
PRINTED = """
8 | 0-1 2-5 6-8 9-11 12-14 15-17 18-20 21-23 24-26 27-29 30-33 34-37 38-41 42-45 46-50 51+
10 | 0-1 2-6 7-9 10-12 13-15 16-18 19-21 22-25 26-29 30-33 34-37 38-41 42-45 46-50 51-55 56+
12 | 0-1 2-6 7-9 10-12 13-16 17-20 21-24 25-28 29-32 33-36 37-40 41-45 46-50 51-55 56-61 62+
14 | 0-2 3-7 8-10 11-14 15-18 19-22 23-26 27-30 31-34 35-38 39-43 44-48 49-54 55-60 61-66 67+
16 | 0-2 3-7 8-11 12-15 16-19 20-23 24-27 28-31 32-36 37-41 42-46 47-52 53-58 59-64 65-71 72+
20 | 0-2 3-8 9-12 13-16 17-21 22-26 27-31 32-36 37-41 42-47 48-53 54-59 60-65 66-72 73-79 80+
24 | 0-3 4-9 10-14 15-19 20-24 25-29 30-34 35-39 40-45 46-51 52-57 58-64 65-71 72-79 80-87 88+
28 | 0-3 4-10 11-15 16-20 21-25 26-31 32-37 38-43 44-49 50-55 56-61 62-68 69-76 77-85 86-94 95+
32 | 0-3 4-10 11-16 17-22 23-28 29-34 35-40 41-46 47-52 53-58 59-65 66-73 74-82 83-91 92-100 101+
36 | 0-3 4-11 12-17 18-23 24-29 30-36 37-43 44-50 51-57 58-64 65-71 72-79 80-88 89-97 98-106 107+
40 | 0-3 4-11 12-18 19-25 26-32 33-39 40-46 47-53 54-60 61-68 69-76 77-84 85-93 94-102 103-112 113+
48 | 0-4 5-12 13-20 21-28 29-36 37-44 45-52 53-60 61-68 69-76 77-84 85-93 94-102 103-112 113-123 124+
"""
"""Boards, and for each result, from a draw to 25-0, from how many IMPs to how many (FIGB norms, app. 7)."""
IMPS = """
0-10 20-40 50-80 90-120 130-160 170-210 220-260 270-310 320-360 370-420 430-490 500-590 600-740 750-890 900-1090
1100-1290 1300-1490 1500-1740 1750-1990 2000-2240 2250-2490 2500-2990 3000-3490 3500-3990 4000-7600
"""
"""From how many points to how many, for 0, 1, 2 … 24 IMPs (law 78B)."""


def cells() -> Iterator[tuple[int, int, int, tuple[int, int]]]:
    """Boards, the least and the greatest difference of a cell, and its victory points."""
    for line in PRINTED.split("\n")[1:-1]:
        boards, printed = line.split(" | ")
        for interval, *points in zip(printed.split(), WON, LOST, strict=True):
            low, _, high = interval.rstrip("+").partition("-")
            yield int(boards), int(low), int(high or "999"), (points[0], points[1])


@pytest.mark.parametrize("boards", VP_BOUNDS)
def test_every_cell_of_the_victory_points_and_both_its_edges(boards: int) -> None:
    own = [cell for cell in cells() if cell[0] == boards]
    assert len(own) == 16
    for _, low, high, points in own:
        for difference in range(low, high + 1):
            assert victory_points(boards, difference) == points
            assert victory_points(boards, -difference) == points[::-1]
    assert all(before[2] + 1 == after[1] for before, after in pairwise(own))


def test_the_norms_print_no_other_column() -> None:
    assert {boards for boards, *_ in cells()} == set(VP_BOUNDS)


def test_every_cell_of_the_imps_and_both_its_edges() -> None:
    for won, interval in enumerate(IMPS.split()):
        low, high = map(int, interval.split("-"))
        for points in range(low, high + 1, 10):
            assert (imps(points), imps(-points)) == (won, -won)
    assert len(IMPS.split()) == 25
