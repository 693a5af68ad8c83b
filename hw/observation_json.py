"""One observation as JSON and back (interfaces, section 2): a value that cannot be is refused by its name."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from hw.observations import (
    BEYOND,
    Button,
    Console,
    Health,
    Knock,
    Observation,
    Other,
    Reach,
    Said,
    Scale,
    Screen,
    Shield,
    Sight,
    SightedCard,
    Tags,
    Tray,
)
from hw.seats import SEATS, Seat, seat_or_none


def _number(value: Any, name: str) -> float:
    if type(value) is float and -BEYOND < value < BEYOND:
        return value
    number = float(value)
    if isinstance(value, bool) or not abs(number) < BEYOND:
        raise ValueError(f"'{name}' must be a number, not {value!r}")
    return number


def finite(value: Any) -> Any:
    """``value`` if every number in it is one that JSON can say. Raises ValueError."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"a number must be finite, not {value!r}")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        finite(part)
    return value


def _words(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"'{name}' must be a list, not {value!r}")
    return tuple(map(str, value))


def _frame(value: Any) -> int | str | None:
    return value if value is None or (isinstance(value, int) and not isinstance(value, bool)) else str(value)


def _sighted(data: dict[str, Any]) -> SightedCard:
    card, zone, given = data["card"], data["zone"], data.get  # a log has more of these than of anything else
    x, y, angle, sure = given("x", 0.0), given("y", 0.0), given("angle", 0.0), given("confidence", 1.0)
    are_floats = type(x) is type(y) is type(angle) is type(sure) is float
    if not are_floats or not abs(x) + abs(y) + abs(angle) + abs(sure) < BEYOND:
        x, y, angle, sure = _number(x, "x"), _number(y, "y"), _number(angle, "angle"), _number(sure, "confidence")
    row, order, seat = given("row"), given("order"), given("seat")
    return SightedCard(
        card if type(card) is str else str(card),
        zone if type(zone) is str else str(zone),
        x,
        y,
        angle,
        "down" if given("face") == "down" else "up",
        sure,
        row if row is None or type(row) is int else int(row),
        order if order is None or type(order) is int else int(order),
        None if seat is None else seat_or_none(seat),
    )


def _word(data: dict[str, Any], name: str, *words: str) -> Any:
    if data.get(name) not in words:
        raise ValueError(f"'{name}' must be one of {', '.join(words)}, not {data.get(name)!r}")
    return data[name]


def _optional(value: object) -> str | None:
    return None if value is None else str(value)


def _seat(data: dict[str, Any]) -> Seat:
    return Seat(_word(data, "seat", *SEATS))


_ENVELOPE = ("t", "kind")
_READERS: dict[str, Callable[[float, dict[str, Any]], Observation]] = {
    "tags": lambda t, d: Tags(t, str(d["zone"]), _words(d["tags"], "tags")),
    "scale": lambda t, d: Scale(t, str(d["zone"]), _number(d["grams"], "grams"), bool(d.get("settled", True))),
    "sight": lambda t, d: Sight(
        t, tuple(_sighted(c) for c in d["cards"]), _words(d.get("hidden") or (), "hidden"), _frame(d.get("frame"))
    ),
    "reach": lambda t, d: Reach(
        t, seat_or_none(d.get("seat")), _optional(d.get("zone")), _word(d, "phase", "in", "out")
    ),
    "shield": lambda t, d: Shield(t, _seat(d), _word(d, "pose", "up", "over")),
    "screen": lambda t, d: Screen(
        t,
        _word(d, "part", "panel", "aperture"),
        _word(d, "pose", "up", "down", "open", "closed"),
        seat_or_none(d.get("seat")),
    ),
    "tray": lambda t, d: Tray(t, _word(d, "side", "NE", "SW", "moving"), seat_or_none(d.get("seat"))),
    "knock": lambda t, d: Knock(t, seat_or_none(d.get("seat"))),
    "button": lambda t, d: Button(t, _seat(d), str(d["button"])),
    "said": lambda t, d: Said(t, seat_or_none(d.get("seat")), str(d["what"])),
    "console": lambda t, d: Console(
        t,
        str(d.get("by", "")),
        str(d["do"]),
        {k: finite(v) for k, v in d.items() if k not in (*_ENVELOPE, "by", "do")},
    ),
    "health": lambda t, d: Health(
        t, str(d["node"]), _word(d, "state", "ok", "lost", "reset"), str(d.get("note") or "")
    ),
}


def observation_from_json(data: dict[str, Any]) -> Observation:
    """Return the observation that ``data`` states; one of an unknown kind becomes Other.

    Raises ValueError, KeyError or TypeError if a field is missing or of the wrong kind.
    """
    t, kind = data["t"], data["kind"]
    if isinstance(t, bool) or not isinstance(t, int | float) or not abs(t) < BEYOND:
        raise ValueError(f"'t' must be seconds from the start, not {t!r}")
    if not isinstance(kind, str):
        raise TypeError("'kind' must be a word")
    reader = _READERS.get(kind)
    if reader is None:
        return Other(float(t), kind, {k: finite(v) for k, v in data.items() if k not in _ENVELOPE})
    return reader(float(t), data)


_DECODERS: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    kind.kind: msgspec.json.Decoder(kind) for kind in (Sight, Scale, Tags, Reach, Shield, Tray, Knock, Button)
}
_KIND: Final = re.compile(r'"kind" ?: ?"([a-z]+)"')


def plain_observation(text: str) -> Observation | None:
    """Decode one log line straight into its dataclass; None if ``observation_from_json`` has to judge it.

    Lines as sensors write them are nearly all of a log. Anything unusual is left to the other reader: a line with an
    escape or with the word "kind" twice (msgspec sees one object, and a key that comes twice could name another kind),
    a field that is missing or of another type, a number beyond all measure.
    """
    named = _KIND.search(text)
    decoder = _DECODERS.get(named.group(1)) if named else None
    if decoder is None or "\\" in text or text.count('"kind"') != 1:
        return None
    try:
        made: Observation = decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    return made


def json_line(data: dict[str, Any]) -> bytes:
    """Encode one line of a log, without its line end.

    What msgspec refuses (half a surrogate pair, an integer beyond 64 bits) is written by the standard library; what
    UTF-8 cannot say becomes JSON's own escape.
    """
    try:
        return msgspec.json.encode(data)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """``observation`` as the object of one log line."""
    data: dict[str, Any] = {"t": round(observation.t, 6), "kind": observation.kind}
    match observation:
        case Other(fields=fields):
            data |= fields
        case Console(by=by, do=do, fields=fields):
            data |= {"by": by, "do": do, **fields}
        case Sight(cards=cards, hidden=hidden, frame=frame):
            data |= {
                "frame": frame,
                "cards": [_sighted_to_json(card) for card in cards],
                "hidden": list(hidden),
            }
        case Tags(zone=zone, tags=tags):
            data |= {"zone": zone, "tags": list(tags)}
        case _:
            data |= {name: getattr(observation, name) for name in type(observation).__slots__ if name not in data}
    return data


def rounded(value: float, digits: int, per: int) -> float:
    """Return ``round(value, digits)``, in half the time where it is round already; ``per``: 10 ** ``digits``.

    A quotient of whole numbers is the float nearest to it, as the result of ``round`` is.
    """
    return value if (value * per + 0.5) // 1 / per == value else round(value, digits)


def _sighted_to_json(card: SightedCard) -> dict[str, Any]:
    data: dict[str, Any] = {
        "card": card.card,
        "zone": card.zone,
        "x": rounded(card.x, 1, 10),
        "y": rounded(card.y, 1, 10),
        "angle": rounded(card.angle, 1, 10),
        "face": card.face,
        "confidence": rounded(card.confidence, 3, 1000),
    }
    if card.row is not None:
        data["row"] = card.row
    if card.order is not None:
        data["order"] = card.order
    if card.seat is not None:
        data["seat"] = card.seat
    return data
