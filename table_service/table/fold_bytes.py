"""A fold as bytes, and a second one like it: the state of a table in the middle of a deal.

The bytes are a pickle that names parts of this program and holds no code. Functions that a game defines inside another
are found in that one again. Bytes that were stored are read by ``service.fold_snapshot``, which trusts none.
"""

from __future__ import annotations

import importlib
import inspect
import io
import pickle
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any, TypeVar

from hw.errors import TavoloError

T = TypeVar("T")


class SnapshotError(TavoloError, ValueError):
    """A fold that cannot be written as bytes, or bytes that hold none; the message is one sentence."""


def packed(state: object) -> bytes:
    """Return ``state`` (a fold and what belongs to it) as bytes. Raises SnapshotError."""
    into = io.BytesIO()
    try:
        _Pickler(into, protocol=5).dump(state)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise SnapshotError(f"the state of the deal cannot be written: {error}") from error
    return into.getvalue()


def copied(fold: T) -> T:
    """Return a second fold in the state of ``fold``, which shares nothing with it that changes. Raises SnapshotError.

    It takes some 50 ms.
    """
    same: T = pickle.loads(packed(fold))  # noqa: S301 - bytes that were made here
    return same


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Write views of mappings by their content, and functions without a name of their own by their place."""
        if isinstance(value, MappingProxyType):
            return _proxy, (dict(value),)
        if isinstance(value, FunctionType) and "<" in value.__qualname__:
            return inner_function, _place_of(value)
        return NotImplemented


def _proxy(content: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(content)


_Place = tuple[str, str, tuple[int, ...], tuple[Any, ...], tuple[Any, ...] | None]
"""Module and name of the function around it, its place there, what it has enclosed, its defaults."""


def _place_of(function: FunctionType) -> _Place:
    outer = function.__qualname__.partition(".<")[0]
    if outer.startswith("<"):
        raise SnapshotError(f"a function of {function.__module__} has no name")
    for place, code in _codes(_code_of(function.__module__, outer)):
        if code is function.__code__:
            cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
            return function.__module__, outer, place, cells, function.__defaults__
    raise SnapshotError(f"{function.__module__}.{function.__qualname__} is not found again")


def inner_function(
    module: str, outer: str, place: tuple[int, ...], cells: tuple[Any, ...], defaults: tuple[Any, ...] | None
) -> Callable[..., Any]:
    """Return the function that is defined at ``place`` in another one of the program."""
    code = dict(_codes(_code_of(module, outer)))[place]
    names = importlib.import_module(module).__dict__
    return FunctionType(code, names, code.co_name, defaults, tuple(CellType(one) for one in cells))


def _code_of(module: str, outer: str) -> CodeType:
    found: Any = importlib.import_module(module)
    for name in outer.split("."):
        found = inspect.getattr_static(found, name)
    found = getattr(found, "fget", None) or getattr(found, "__func__", None) or found
    code = getattr(inspect.unwrap(found), "__code__", None)
    if not isinstance(code, CodeType):
        raise SnapshotError(f"{module}.{outer} is no function")
    return code


def _codes(code: CodeType, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], CodeType]]:
    """Every function that is defined inside one, with its place."""
    for n, one in enumerate(code.co_consts):
        if isinstance(one, CodeType):
            yield (*at, n), one
            yield from _codes(one, (*at, n))
