"""A fold as bytes and back again: the state of a running table in the middle of a deal.

The bytes are a pickle that names parts of this program and holds no code. Only what the program and a few types of the
standard library define is made from it, and functions that a game defines inside another are found in that one again.
Whoever stores the bytes must store them so that no one else can alter them (``deal_file``).
"""

from __future__ import annotations

import importlib
import inspect
import io
import pickle
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any, Final

from hw.errors import TavoloError
from table_service.rulesets import RULE_SETS

_OWN: Final = frozenset({"hw", "table_service"})
"""Packages whose classes and functions may be named."""
_KNOWN: Final = frozenset(
    {("builtins", name) for name in ("set", "frozenset", "slice", "range", "complex", "bytearray", "object")}
    | {("collections", name) for name in ("deque", "OrderedDict", "defaultdict", "Counter")}
    | {("functools", "partial"), ("copyreg", "_reconstructor"), ("re", "_compile")}
    | {("datetime", name) for name in ("datetime", "timedelta", "timezone")}
    | {("_operator", name) for name in ("attrgetter", "itemgetter", "getitem", "eq", "ne", "lt", "le", "gt", "ge")}
)


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


def unpacked(data: bytes) -> Any:
    """Return what ``packed`` was given. Raises SnapshotError."""
    try:
        return _Unpickler(io.BytesIO(data)).load()
    except SnapshotError:
        raise
    except Exception as error:
        raise SnapshotError(f"the state of the deal cannot be read: {type(error).__name__}") from error


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Write views of mappings by their content, and functions without a name of their own by where they are."""
        if isinstance(value, MappingProxyType):
            return _proxy, (dict(value),)
        if isinstance(value, FunctionType) and "<" in value.__qualname__:
            return _inner_function, _place_of(value)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return what a pickle names, where it is the program's own. Raises SnapshotError."""
        if (module, name) == ("builtins", "getattr"):
            return _method
        package = module.partition(".")[0]
        if package in _OWN or package in _games() or (module, name) in _KNOWN:
            return super().find_class(module, name)
        raise SnapshotError(f"the state of the deal names {module}.{name}, which has no place in it")


def _games() -> set[str]:
    """Packages of installed games."""
    return {str(getattr(one.open_fold, "__module__", "")).partition(".")[0] for one in RULE_SETS.values()}


def _method(owner: Any, name: str) -> Any:
    """Return a method as ``pickle`` names it, never what the language keeps behind two underscores."""
    if name.startswith("__"):
        raise SnapshotError(f"the state of the deal names {name}, which has no place in it")
    return getattr(owner, name)


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


def _inner_function(
    module: str, outer: str, place: tuple[int, ...], cells: tuple[Any, ...], defaults: tuple[Any, ...] | None
) -> Callable[..., Any]:
    """Return the function that is defined at ``place`` in another one of the program."""
    if module.partition(".")[0] not in _OWN | _games():
        raise SnapshotError(f"the state of the deal names {module}, which has no place in it")
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
