"""Which node of the table map a node is: by what it says of itself, not by the port it came by."""

from __future__ import annotations

from collections.abc import Collection, Mapping

Expected = Mapping[str, Collection[str]]
"""By node of the table map the sensors that it names for it, as ``KIND:NAME``."""


def identity_of(name: str, sensors: Collection[str], expected: Expected) -> str:
    """Return which node of ``expected`` announces ``sensors`` and calls itself ``name``; empty where none can be told.

    The sensors decide, as a board's name is typed by hand and its wiring is what is sensed; the name decides between
    nodes that share as many of them.

    >>> table = {"west": ["scale:stock", "coil:discard"], "east": ["beam:N:stock"]}
    >>> identity_of("west", ["beam:N:stock"], table), identity_of("east", [], table), identity_of("else", [], table)
    ('east', 'east', '')
    """
    common = {one: len(set(sensors) & set(named)) for one, named in expected.items()}
    most = max(common.values(), default=0)
    best = [one for one, count in common.items() if count == most]
    if name in best:
        return name
    return best[0] if len(best) == 1 and most else ""


def differences(node: str, sensors: Collection[str], expected: Expected) -> tuple[str, ...]:
    """Return what the table map names for ``node`` and it does not announce, in one sentence; empty where it has all.

    >>> differences("west", ["scale:stock", "knock:N"], {"west": ["scale:stock", "coil:discard"]})
    ('Node west lacks what the table map names for it: coil:discard.',)
    """
    lacking = [one for one in expected.get(node, ()) if one not in sensors]
    return (f"Node {node} lacks what the table map names for it: {', '.join(lacking)}.",) if lacking else ()
