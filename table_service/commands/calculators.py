"""`tavolo meld`, `count` and `vp`: questions to the rule book, answered as JSON values and as lines for people."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from hw.errors import TavoloError
from table_service.games.definition import RuleBookOnly, RuleSet, UnknownRulesError
from table_service.rulesets import DEFAULT, rule_book


class UserError(TavoloError, ValueError):
    """Something asked wrongly or badly; the message is one sentence for the person."""


class RulesNamedWronglyError(UserError):
    """An unknown code is asked for."""


def known_rules(rules: str) -> RuleSet | RuleBookOnly:
    """Return the code called ``rules``. Raises RulesNamedWronglyError if it is unknown."""
    try:
        return rule_book(rules)
    except UnknownRulesError as error:
        raise RulesNamedWronglyError(str(error)) from None


def meld_line(line: str, rules: str) -> dict[str, Any]:
    """Return what a meld of the cards on ``line`` (separated by blanks or commas) is by ``rules``. Raises UserError."""
    played = known_rules(rules)
    if played.calculators.meld is None:
        raise UserError(f"{played.title}: the game has no melds")
    words = [word for word in re.split(r"[\s,;]+", line.strip()) if word]
    if not words:
        raise UserError("name at least one card, such as 7H 8H 9H")
    if len(words) > played.pack.size:
        raise UserError(f"{len(words)} cards are more than the pack has")
    try:
        return played.calculators.meld(played.pack.parse_all(words))
    except TavoloError as error:
        raise UserError(str(error)) from None


def describe_meld(answer: dict[str, Any], rules: str) -> str:
    """Return the answer of ``meld_line`` by ``rules`` as one line for a person."""
    if "error" in answer:
        return f"{answer['cards']}: not read ({answer['error']})"
    describe = known_rules(rules).calculators.describe_meld
    return json.dumps(answer, ensure_ascii=False) if describe is None else describe(answer)


def count_file(path: Path) -> dict[str, Any]:
    """Return the score of the deal in the JSON file at ``path`` (``-``: standard input). Raises UserError."""
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        document = json.loads(text.removeprefix("\ufeff"))
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path} is no deal: a number in it is too long, or it is too deeply nested") from None
    if not isinstance(document, dict):
        raise UserError(f'{path}: write an object {{"rules":"{DEFAULT}","deal":{{…}}}}')
    if "rules" not in document:
        raise UserError(f'{path}: \'rules\' is missing: write for example "rules":"{DEFAULT}"')
    try:
        played = known_rules(str(document["rules"]))
    except RulesNamedWronglyError as error:
        raise RulesNamedWronglyError(f"{path}: {error}") from None
    if played.calculators.count is None:
        raise UserError(f"{path}: {played.title}: the game has no count of a deal from a file")
    try:
        answer = played.calculators.count(document)
        answer["lines"] = {str(line): dict(own) for line, own in answer["lines"].items()}
    except TavoloError as error:
        raise UserError(f"{path}: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise UserError(f"{path}: {played.title} cannot count this deal ({type(error).__name__}: {error})") from None
    return answer


def describe_count(answer: dict[str, Any]) -> str:
    """Return the answer of ``count_file`` as a table for a person."""
    lines = answer["lines"]
    items = list(dict.fromkeys(item for line in lines.values() for item in line.get("items", ())))
    rows = [f"{'':12}" + "".join(f"{name:>8}" for name in lines)]
    rows.extend(
        f"{item:12}" + "".join(f"{_number(line.get('items', {}).get(item)):>8}" for line in lines.values())
        for item in items
    )
    rows.append(f"{'total':12}" + "".join(f"{_number(line.get('total')):>8}" for line in lines.values()))
    for name, line in lines.items():
        rows.extend(f"{name}: {_because(one)}" for one in line.get("why", ()))
        if line.get("missed"):
            rows.append(f"{name}: an unknown card may be {', '.join(line['missed'])}")
    rows.extend(f"! {warning}" for warning in answer.get("warnings", ()))
    return "\n".join(rows)


def _because(why: dict[str, Any]) -> str:
    """Return one line on the value of an item: the cards, what stands for what, why it ends, what doubles."""
    stands_for = why.get("stands_for") or {}
    named = why.get("cards")
    cards = (
        [f"{card} (for {stands_for[card]})" if card in stands_for else card for card in named or ()]
        if (isinstance(named, list))
        else []
    )
    parts = [
        " ".join(str(why[key]) for key in ("item", "family") if why.get(key)),
        f"of {why['of']}" if why.get("of") else "",
        " ".join(cards),
        f"missing for nothing {', '.join(why['missing'])}" if why.get("missing") else "",
        f"ends: {why['ends']}" if why.get("ends") else "",
        f"{_number(why['points'])}{', doubled' if why.get('doubled') else ''}",
    ]
    return ", ".join(part for part in parts[:-1] if part) + f": {parts[-1]}"


def _number(value: object) -> str:
    return "?" if value is None else str(value)


def victory_points(rules: str, deals: int, diff: int, *, teams: bool) -> dict[str, Any]:
    """Victory points for a difference in match points (art. 18). Raises UserError."""
    played = known_rules(rules)
    if played.calculators.victory_points is None:
        raise UserError(f"{played.title} has no victory points")
    try:
        return played.calculators.victory_points(deals, diff, teams)
    except TavoloError as error:
        raise UserError(str(error)) from None


def describe_vp(answer: dict[str, Any]) -> str:
    """Return the answer of ``victory_points`` as one line for a person."""
    first, second = answer["vp"]
    return f"{first} - {second}"
