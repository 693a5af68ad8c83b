"""Identity of nodes: the node of the table map that a board is, by the sensors it announces and not by its port."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

Expected = Mapping[str, Collection[str]]
"""By node of the table map the sensors that it names for it, as ``KIND:NAME``."""


def identity_of(name: str, sensors: Collection[str], expected: Expected) -> str:
    """Return the node of ``expected`` that announces ``sensors`` and calls itself ``name``; empty if undecided.

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
    """Return the sensors that the table map names for ``node`` and it lacks, in one sentence; empty if it has all.

    >>> differences("west", ["scale:stock", "knock:N"], {"west": ["scale:stock", "coil:discard"]})
    ('Node west lacks what the table map names for it: coil:discard.',)
    """
    lacking = [one for one in expected.get(node, ()) if one not in sensors]
    return (f"Node {node} lacks what the table map names for it: {', '.join(lacking)}.",) if lacking else ()


class AtPort(Protocol):
    """A port: the node that the table map has there, and the one that is there, empty while that is not known."""

    configured: str
    identity: str


class Roll:
    """The identities of all ports; no node has two."""

    def __init__(self, expected: Expected) -> None:
        self.expected = expected
        self.nodes: Sequence[AtPort] = ()
        self._lock = threading.Lock()

    def enter(self, node: AtPort, identity: str) -> None:
        """Note that ``node`` is ``identity``; a port at which it was before has it no longer."""
        with self._lock:
            for one in self.nodes:
                if one is not node and one.identity == identity:
                    one.identity = ""
            node.identity = identity

    def name_for(self, node: AtPort, configured: str) -> str:
        """Return the name under which an unidentified ``node`` is reported: its port's, unless another node has it."""
        taken = {one.identity for one in self.nodes if one is not node}
        if configured not in taken:
            return configured
        held = {one.configured for one in self.nodes if one.identity}
        return next((one for one in self.expected if one not in taken and one in held), configured)
