"""A fold from bytes that were stored (``table.fold_bytes``): the state of a running table in the middle of a deal.

Only what the program and a few types of the standard library define is made from them. The bytes must be stored so that
no one else can alter them (``deal_file``).
"""

from __future__ import annotations

import io
import pickle
from typing import Any, Final

from table_service.rulesets import outside_packages
from table_service.table.fold_bytes import SnapshotError, inner_function

_OWN: Final = frozenset({"hw", "table_service"})
"""Packages whose classes and functions may be named."""
_KNOWN: Final = frozenset(
    {("builtins", name) for name in ("set", "frozenset", "slice", "range", "complex", "bytearray", "object")}
    | {("collections", name) for name in ("deque", "OrderedDict", "defaultdict", "Counter")}
    | {("functools", "partial"), ("copyreg", "_reconstructor"), ("re", "_compile")}
    | {("datetime", name) for name in ("datetime", "timedelta", "timezone")}
    | {("_operator", name) for name in ("attrgetter", "itemgetter", "getitem", "eq", "ne", "lt", "le", "gt", "ge")}
)


def unpacked(data: bytes) -> Any:
    """Return what ``packed`` was given. Raises SnapshotError."""
    try:
        return _Unpickler(io.BytesIO(data)).load()
    except SnapshotError:
        raise
    except Exception as error:
        raise SnapshotError(f"the state of the deal cannot be read: {type(error).__name__}") from error


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return what a pickle names, if it is the program's own. Raises SnapshotError."""
        if (module, name) == ("builtins", "getattr"):
            return _method
        if (module, name) == (inner_function.__module__, inner_function.__name__):
            return _inner_function
        package = module.partition(".")[0]
        if package in _OWN or (module, name) in _KNOWN or package in outside_packages():
            return super().find_class(module, name)
        raise SnapshotError(f"the state of the deal names {module}.{name}, which has no place in it")


def _method(owner: Any, name: str) -> Any:
    """Return a method as ``pickle`` names it, never what the language keeps behind two underscores."""
    if name.startswith("__"):
        raise SnapshotError(f"the state of the deal names {name}, which has no place in it")
    return getattr(owner, name)


def _inner_function(module: str, *place: Any) -> Any:
    """Return a function that is defined inside another one of the program."""
    if module.partition(".")[0] not in _OWN | outside_packages():
        raise SnapshotError(f"the state of the deal names {module}, which has no place in it")
    return inner_function(module, *place)
