"""Times of whole faces: six cards apart, six in a row that touches, a trick of four, on three grounds.

The pack is one of 62 faces drawn at random without an index, enrolled from one photograph each; the pictures are those
of ``lab.vision.measure.faces`` (1600 x 1200). Nothing is known before a look.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any, Final

import numpy as np

from lab.vision.measure.faces import GROUNDS, SIZE, Laid, enrolled, judged, laid, scene, tarocchi
from lab.vision.train.decks import SCALE
from vision.faces.finding import find_faces

DESIGN: Final = 7
PICTURES: Final = 2
"""Pictures of each kind and ground."""
LOOKS: Final = 3
"""Looks at each picture."""


def bench_faces() -> dict[str, Any]:
    """Measure by layout and ground: processor ms of a look (median, least and most), and the cards reported."""
    faces = tarocchi(str(DESIGN))
    index = enrolled(faces, 50_001)
    wide_mm = next(iter(faces.values())).shape[1] / SCALE
    names = list(faces)
    out: dict[str, Any] = {"pack": f"drawn, {DESIGN}, {len(index.names)} faces", "size": f"{SIZE[0]}x{SIZE[1]}"}
    for layout, number in (("apart", 6), ("touching", 6), ("trick", 4)):
        for ground in GROUNDS:
            spent: list[float] = []
            count: Counter[str] = Counter()
            for k in range(PICTURES):
                rng = np.random.default_rng((7, k))
                some = [str(one) for one in rng.choice(names, number, replace=False)]
                cards = _apart(some, rng) if layout == "apart" else laid(layout, some, wide_mm, rng)
                seen = scene(cards, faces, 70 + k, ground)
                find_faces(seen.picture, index)
                for _ in range(LOOKS):
                    begun = time.process_time()
                    found = find_faces(seen.picture, index)
                    spent.append((time.process_time() - begun) * 1000)
                count.update(judged(found, cards, seen))
            times = {"median": np.median(spent), "least": min(spent), "worst": max(spent)}
            out[f"{number} {layout}, {ground}"] = {"ms": {k: round(float(v), 1) for k, v in times.items()}, **count}
    return out


def _apart(names: list[str], rng: np.random.Generator) -> list[Laid]:
    """Six cards by themselves, turned anyhow."""
    spots = [(300 + 480 * (k % 3), 320 + 560 * (k // 3)) for k in range(len(names))]
    return [
        Laid(n, x + rng.uniform(-20, 20), y + rng.uniform(-30, 30), rng.uniform(-40, 40) + 180 * rng.integers(2))
        for n, (x, y) in zip(names, spots, strict=True)
    ]
