"""Traces of a crash: no picture of the memory, and no values in the trace. Both could name hidden cards."""

from __future__ import annotations

import ctypes
import logging
import resource
import sys
import threading
import traceback
from types import TracebackType
from typing import Any, Final

_PR_SET_DUMPABLE: Final = 4
"""``prctl(2)``."""


def leave_no_core_dump() -> None:
    """Let the kernel write no core dump of this program, nor hand one to a program that collects them.

    The limit is inherited by what this program starts; the mark (``PR_SET_DUMPABLE``) also keeps other programs of the
    same user from reading this one's memory.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def trace_without_values() -> None:
    """Print and log of an error its kind and where it arose, in any thread, and never its text."""
    sys.excepthook = lambda kind, _error, trace: _print(kind, trace)
    threading.excepthook = lambda args: _print(args.exc_type, args.exc_traceback)
    made = logging.getLogRecordFactory()

    def record(*args: Any, **kwargs: Any) -> logging.LogRecord:
        one = made(*args, **kwargs)
        if one.exc_info and one.exc_info[0] is not None:
            one.exc_text, one.exc_info = _trace(one.exc_info[0], one.exc_info[2]), None
        return one

    logging.setLogRecordFactory(record)


def _trace(kind: type[BaseException], trace: TracebackType | None) -> str:
    return f"{''.join(traceback.format_tb(trace))}{kind.__name__} (its text is not shown: it could name a hidden card)"


def _print(kind: type[BaseException], trace: TracebackType | None) -> None:
    if not issubclass(kind, SystemExit):
        sys.stderr.write(f"{_trace(kind, trace)}\n")
        sys.stderr.flush()
