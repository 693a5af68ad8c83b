"""Loads modules of the firmware (hw/node, written for MicroPython) into CPython, under names of their own."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Final

NODE: Final = Path(str(files("hw").joinpath("node")))
"""The folder of the firmware."""
MODULES: Final = tuple(
    path.stem for path in sorted(NODE.glob("*.py")) if path.stem not in ("board_rp2", "main", "sim_main", "wasm_main")
)


@cache
def _all() -> dict[str, ModuleType]:
    before = {name: sys.modules.pop(name) for name in MODULES if name in sys.modules}
    sys.path.insert(0, str(NODE))
    try:
        return {name: import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(NODE))
        for name in MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def firmware(module: str) -> Any:
    """The firmware's ``module``: any that needs no pins, as codec, link, node, board_sim, board_real."""
    return _all()[module]
