"""Cases as text: acts at a scripted table, and what it answers when it is asked, one after the other.

``draw W; lay W 0 5H,6H,8H; rest; verdicts = F-29b:W:open; last severity=note``: an act is a method of the script, or a
helper of the test's module, with its arguments; ``,`` stands for a blank. ``=`` compares all that a question answers,
``each TYPE FIELD`` asks the events of a type, ``last`` and ``meld N`` compare fields of the newest irregularity and of
a meld. A case whose first act makes a table is played there, any other at the table of the fixture ``script``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.games.burraco.conftest import Script

_NAMED: Final[dict[str, Any]] = {"True": True, "False": False, "None": None, '""': ""}
MAKERS: Final = ("table", "make_script")


def value(text: str) -> Any:
    """Return what a word stands for: ``5H,6H`` a text with a blank, ``[a,b]`` a list, ``F-29b:W`` a tuple, a number."""
    if text in _NAMED:
        return _NAMED[text]
    if text.startswith("["):
        return [value(one) for one in text[1:-1].split(",") if one]
    if ":" in text:
        return tuple(value(one) for one in text.split(":"))
    if text.lstrip("-").replace(".", "", 1).isdecimal():
        return float(text) if "." in text else int(text)
    return text.replace(",", " ")


def act_of(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Return the name of an act, or of a question, with its arguments."""
    name, *words = text.split()
    named = dict(word.split("=", 1) for word in words if "=" in word[1:])
    return name, [value(word) for word in words if "=" not in word[1:]], {key: value(one) for key, one in named.items()}


def _each(script: Any, type_: str, *fields: str) -> list[Any]:
    """Return ``fields`` of the data of each event of a type; alone, or several together."""
    told = [tuple(getattr(event.data, field) for field in fields) for event in script.of(type_)]
    return told if len(fields) > 1 else [one for (one,) in told]


def _dos(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


def _compare(script: Any, name: str, words: list[Any], named: dict[str, Any]) -> bool:
    """Compare fields of the newest irregularity, or of the meld named; False where ``name`` asks for neither."""
    if name == "last":
        last = script.last()
        assert {field: last[field] for field in named} == named, last
    elif name == "meld":
        lies = script.fold.deal.meld(*words)
        assert {field: getattr(lies, field) for field in named} == named, lies
    return name in ("last", "meld")


def play(case: str, *helpers: Callable[..., Any]) -> None:
    """Act ``case`` with these ``helpers``; each thing asked must be answered as it says."""
    known: dict[str, Callable[..., Any]] = {"each": _each, "dos": _dos, "make_script": Script}
    known |= {one.__name__: one for one in helpers}
    acts = case.split("; ")
    name, words, named = act_of(acts[0])
    script = known[name](*words, **named) if name in MAKERS else Script()
    if name in MAKERS:
        del acts[0]
    else:
        script.turn_up()
    for text in acts:
        asked, is_question, answer = text.partition(" =")
        name, words, named = act_of(asked)
        if _compare(script, name, words, named):
            continue
        said = getattr(script, name)(*words, **named) if hasattr(script, name) else known[name](script, *words, **named)
        if is_question:
            assert list(said) == [value(one) for one in answer.split()], f"{text}: {said}"
