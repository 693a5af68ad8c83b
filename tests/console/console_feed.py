"""A plausible evening at a table as contract messages: for the tests, and to look at the pages while they are made.

Run it to serve the pages without a table:  python tests/console/console_feed.py [--port N]
"""

from __future__ import annotations

import copy
import hashlib
import json
from functools import cache
from typing import Any

PREFIX = "tavolo/v1/sala/"


def state(**changes: Any) -> dict[str, Any]:
    """A table in the middle of a deal, North on turn, as ``TableFold.state`` tells it."""
    document: dict[str, Any] = {
        "table": "T12",
        "rules": "fibur2024",
        "seats": {},
        "round": {"running": True, "deals": 4},
        "deal": 2,
        "dealer": "S",
        "phase": "play",
        "manner": None,
        "turn": {"n": 17, "seat": "N", "begun": True, "drawn": True},
        "melds": {
            "NS": [
                meld(0, "NS", "run", "5H 6H 7H 8H JK TH JH", "semi-clean", 210, ("JK", "9H")),
                meld(1, "NS", "set", "4C 4D 4S", "none", 15),
                meld(2, "NS", "run", "9S TS JS QS", "none", 40),
                meld(3, "NS", "set", "KD KH KS 2C", "none", 50, ("2C", "K")),
            ],
            "EW": [
                meld(4, "EW", "run", "3D 4D 5D 6D 7D 8D 9D", "clean", 250),
                meld(5, "EW", "set", "QD QH QC", "none", 30),
                meld(6, "EW", "set", "AS AH AC", "none", 45, frozen="definitive"),
            ],
        },
        "pile": ["TD", "3C", "JH", "8S", "QS", "5C", "AD"],
        "stock": 31,
        "hands": {"N": 6, "E": 9, "S": 12, "W": None},
        "pots": {"left": 1, "taken": {"EW": "W"}},
        "sides": {},
        "score": {"running": {"NS": 505, "EW": 320}, "deals": {"1": {"NS": 505, "EW": 320}}},
        "warnings": {},
        "irregularities": [],
        "sanctions": [],
        "unverified": {},
    }
    document.update(copy.deepcopy(changes))
    return document


def meld(
    number: int,
    line: str,
    kind: str,
    cards: str,
    burraco: str,
    points: int,
    wild: tuple[str, str] | None = None,
    frozen: str = "none",
) -> dict[str, Any]:
    return {
        "id": number,
        "line": line,
        "kind": kind,
        "cards": cards.split(),
        "wild": None if wild is None else {"card": wild[0], "stands_for": wild[1]},
        "burraco": burraco,
        "points": points,
        "frozen": frozen,
        "valid": True,
    }


def event(seq: int, kind: str, seat: str | None = None, boot: str = "000a3f", **data: Any) -> dict[str, Any]:
    return {
        "v": 1,
        "id": f"T12-{boot}-{seq:06d}",
        "table": "T12",
        "boot": boot,
        "seq": seq,
        "t": 100.0 + seq,
        "time": f"2026-11-20T21:{10 + seq // 60:02d}:{seq % 60:02d}.520Z",
        "deal": 2,
        "turn": 17,
        "type": kind,
        "seat": seat,
        "line": None if seat is None else ("NS" if seat in "NS" else "EW"),
        "data": data,
        "confidence": 0.99,
        "basis": ["sight"],
        "late": False,
    }


ITEMS = ("burraco", "closing", "melds", "pot", "hand", "penalised", "bonus")


def figures(hand: int | None = -35, **more: int) -> dict[str, Any]:
    """One line of a count."""
    items: dict[str, int | None] = dict.fromkeys(ITEMS, 0)
    items |= {"burraco": 200, "melds": 310, "hand": hand, **more}
    values = list(items.values())
    return {"items": items, "total": None if None in values else sum(v or 0 for v in values)}


def score(seq: int, deal: int, ns: Any = None, ew: Any = None, **more: Any) -> dict[str, Any]:
    """A count as a table tells it; camera and ledger agree where nothing else is said."""
    lines = {"NS": ns or figures(), "EW": ew or figures(-60)}
    told = {"lines": lines, "camera": lines, "ledger": lines, "agrees": True, "doubtful": [], "differences": []}
    return {**event(seq, "score.counted", **{**told, **more}), "deal": deal}


def split(seq: int, deal: int = 1) -> dict[str, Any]:
    """A count in which camera and ledger differ about East's hand."""
    differs = {"line": "EW", "item": "hand", "seat": "E", "cards": ["7H", "KS"], "camera": -60, "ledger": -75}
    differs["counts"] = {"camera": 6, "ledger": 8}
    return score(
        seq, deal, ew=figures(None), camera={"NS": figures(), "EW": figures(-60)},
        ledger={"NS": figures(), "EW": figures(-75)}, agrees=False, doubtful=["EW.hand"], differences=[differs],
    )  # fmt: skip


def sheet_event(seq: int, kind: str, deal: int = 2, **data: Any) -> dict[str, Any]:
    """What was done with a deal's sheet."""
    return {**event(seq, kind, **data), "deal": deal}


def counted() -> list[dict[str, Any]]:
    """A round of two deals: the first sheet confirmed by both lines, the second to be settled."""
    begun = {**event(500, "round.started", deals=2), "deal": None}
    confirmed = [
        sheet_event(seq, "sheet.confirmed", 1, line=line, how="display") for seq, line in ((502, "NS"), (503, "EW"))
    ]
    return [begun, score(501, 1), *confirmed, split(504, 2)]


def settled() -> list[dict[str, Any]]:
    """The arbitro has settled the second sheet of ``counted``."""
    change = {"line": "EW", "item": "hand", "old": None, "new": -75}
    return [
        sheet_event(510, "sheet.corrected", changes=[change], by="demo", reason="ledger: -75", agreed=[]),
        score(511, 2, ew=figures(-75), supersedes="T12-000a3f-000504"),
    ]


@cache
def frame(seed: int = 7) -> bytes:
    """A picture such as a table keeps: felt, a few pale cards, the hand areas masked, one card marked."""
    import cv2
    import numpy as np

    picture = np.full((1080, 1080, 3), (70, 96, 18), np.uint8)
    rng = np.random.default_rng(seed)
    for i in range(14):
        x, y = 130 + 56 * (i % 7) * 2, 260 + 290 * (i // 7)
        cv2.rectangle(picture, (x, y), (x + 84, y + 118), (246, 252, 253), -1)
        cv2.circle(picture, (x + 42, y + 59), 16, (46, 16, 200) if i % 2 else (36, 32, 30), -1)
    noisy = np.clip(picture.astype(np.int16) + rng.normal(0, 5, picture.shape).astype(np.int16), 0, 255)
    marked = noisy.astype(np.uint8)
    marked[:110], marked[-110:], marked[:, :110], marked[:, -110:] = 96, 96, 96, 96
    cv2.rectangle(marked, (690, 550), (780, 676), (40, 60, 230), 5)
    return bytes(cv2.imencode(".jpg", marked, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])


MOMENTS: dict[str, tuple[str, float]] = {"before": ("f-141", -1.2), "at": ("f-142", 0.0), "after": ("f-143", 2.4)}


def pictures(*moments: str) -> list[dict[str, Any]]:
    """The entries of an alert's evidence for these moments."""
    return [
        {
            "kind": "frame",
            "ref": MOMENTS[moment][0],
            "key": "T12-000a3f-000044",
            "moment": moment,
            "dt": MOMENTS[moment][1],
            "t": 142.6 + MOMENTS[moment][1],
            "frame": "000a3f-000100",
            "covered": moment == "at",
            "frames": [
                {"kind": "card", "name": "7H", "box": [0.639, 0.509, 0.722, 0.626]},
                {"kind": "zone", "name": "discard", "box": [0.6, 0.48, 0.76, 0.66]},
            ],
            "sha256": hashlib.sha256(frame()).hexdigest(),
            "bytes": len(frame()),
        }
        for moment in moments
    ]


ALERT: dict[str, Any] = {
    "key": "T12-000a3f-000044",
    "row": "F-31a",
    "article": "31",
    "title": {"it": "Pescata fuori turno", "en": "Draw out of turn"},
    "severity": "play-stops",
    "offender": "E",
    "pair": "EW",
    "cards": ["??"],
    "committed_t": 142.6,
    "found": "during_turn",
    "state": "open",
    "remedy": [
        {
            "do": "return-to-stock",
            "who": "E",
            "cards": [],
            "until": None,
            "text": {
                "it": "Est rimette la carta in cima al tallone, senza mostrarla.",
                "en": "East puts the card back on top of the stock without showing it.",
            },
        },
        {
            "do": "warn",
            "who": "EW",
            "cards": [],
            "until": None,
            "text": {"it": "Ammonizione alla linea Est–Ovest.", "en": "Warning to the line East–West."},
        },
        {
            "do": "nothing",
            "who": "N",
            "cards": [],
            "until": None,
            "text": {"it": "Il gioco riprende da Nord.", "en": "Play goes on with North."},
        },
    ],
    "options": [],
    "needs_referee": False,
    "warn": True,
    "evidence": [*pictures("before", "at", "after"), {"kind": "log", "ref": 142.6}],
    "pictures": {"boot": "000a3f", "done": True, "missing": []},
}
EXPOSED: dict[str, Any] = {
    **ALERT,
    "key": "T12-000a3f-000047",
    "row": "F-24a",
    "article": "24",
    "title": {"it": "Carta esposta", "en": "Exposed card"},
    "severity": "warning",
    "offender": "S",
    "pair": "NS",
    "cards": ["7C"],
    "found": "any",
    "needs_referee": True,
    "warn": False,
    "evidence": [{"kind": "log", "ref": 142.6}],
    "pictures": {"boot": "000a3f", "done": True, "missing": [{"moment": "at", "why": "camera-lost"}]},
    "remedy": [
        {
            "do": "expose",
            "who": "S",
            "cards": ["7C"],
            "until": None,
            "text": {"it": "La carta resta scoperta davanti a Sud.", "en": "The card stays face up before South."},
        }
    ],
}


def evening() -> list[tuple[str, bytes]]:
    """Messages in the order in which a console hears them: a quiet table, one with two alerts, one that is away."""
    events = [
        event(1, "deal.started", dealer="S", n=2),
        event(2, "deal.checked", hands={"N": 11, "E": 11, "S": 11, "W": 11}, pots=22, stock=42, faults=[]),
        event(30, "turn.started", "W"),
        event(31, "card.drawn", "W", **{"from": "stock"}),
        event(32, "meld.extended", "W", meld=state()["melds"]["EW"][0], added=["9D"]),
        event(33, "pot.taken", "W", manner="in-flight", cards=11),
        event(34, "card.discarded", "W", card="5C"),
        event(35, "turn.started", "N"),
        event(36, "pile.collected", "N", cards=["4C", "9S"], left=0),
        event(37, "meld.opened", "N", meld=state()["melds"]["NS"][1]),
        event(38, "card.discarded", "N", card="AD"),
        event(44, "irregularity", "E", **ALERT),
        event(47, "irregularity", "S", **EXPOSED),
    ]
    messages: list[tuple[str, Any]] = [
        ("T12/status", {"state": "ready", "boot": "000a3f", "version": "0.1.0"}),
        ("T12/state", state()),
        *((f"T12/event/{e['type']}", e) for e in events),
        ("T12/alert/" + ALERT["key"], ALERT),
        ("T12/alert/" + EXPOSED["key"], EXPOSED),
        ("T7/status", {"state": "ready", "boot": "000001", "version": "0.1.0"}),
        (
            "T7/state",
            state(
                table="T7",
                deal=1,
                dealer="N",
                pile=["5D"],
                melds={},
                unverified={"discard": "covered", "hand-S": "covered"},
            ),
        ),
        ("T3/status", {"state": "lost", "boot": "000001", "version": "0.1.0"}),
    ]
    raw = [(PREFIX + topic, json.dumps(document, ensure_ascii=False).encode()) for topic, document in messages]
    return [*raw, *((PREFIX + f"T12/evidence/{ref}", frame()) for ref, _ in MOMENTS.values())]


def main() -> None:
    """Serve the pages with an evening in them."""
    import argparse
    import time

    import uvicorn

    from table_service.console import ConsoleSettings, ConsoleStore, create_app

    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    store = ConsoleStore("sala")
    store.link(connected=True)
    for topic, payload in evening():
        store.apply(topic, payload, now=time.time())
    uvicorn.run(create_app(ConsoleSettings(), store, listen=False), port=parser.parse_args().port, log_level="info")


if __name__ == "__main__":
    main()
