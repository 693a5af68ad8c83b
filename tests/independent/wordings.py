"""The same physics in other words that the contract allows: each wording changes a log's header and lines."""

from __future__ import annotations

import copy
import random

SLOW, QUICK = 1.0, 0.1


def _nothing(header, lines, rng):
    pass


def no_confidence(header, lines, rng):
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            card.pop("confidence", None)


def no_frame(header, lines, rng):
    for line in lines:
        line.pop("frame", None) if line["kind"] == "sight" else None


def tags_without_copies(header, lines, rng):
    header["tags"] = {uid: card.split("#")[0] for uid, card in header["tags"].items()}


def no_grams(header, lines, rng):
    header.pop("card_grams", None)


def other_grams(header, lines, rng):
    """A pack of heavier cards."""
    header["card_grams"] = 2.1
    for line in lines:
        if line["kind"] == "scale":
            line["grams"] = round(line["grams"] / 1.8 * 2.1, 2)


def settled_only(header, lines, rng):
    """The node holds readings back until its plate has settled."""
    lines[:] = [line for line in lines if line["kind"] != "scale" or line["settled"]]


def never_settled(header, lines, rng):
    """A node that never calls a reading settled."""
    for line in lines:
        if line["kind"] == "scale":
            line["settled"] = False


def always_settled(header, lines, rng):
    """A node that calls every reading settled."""
    for line in lines:
        if line["kind"] == "scale":
            line["settled"] = True


def half_grams(header, lines, rng):
    """A scale that tells half grams."""
    for line in lines:
        if line["kind"] == "scale":
            line["grams"] = round(line["grams"] * 2) / 2


def whole_numbers(header, lines, rng):
    """Positions and angles to the millimetre and degree."""
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            for name in ("x", "y", "angle"):
                card[name] = round(card[name])
            card["angle"] %= 180


def faces_down(header, lines, rng):
    """Stock and pots are listed as cards face down."""
    for line in lines:
        if line["kind"] == "sight":
            for zone, x in (("stock", 0.0), ("pots", 120.0)):
                if zone not in line["hidden"]:
                    line["cards"].append(
                        {
                            "card": "??",
                            "zone": zone,
                            "x": x,
                            "y": 0.0,
                            "angle": 0.0,
                            "face": "down",
                            "confidence": 0.98,
                            "row": 0,
                            "order": 0,
                        }
                    )


def hands_hidden(header, lines, rng):
    """Areas of hands are always named as hidden until hands are laid out."""
    for line in lines:
        if line["kind"] == "sight":
            shown = {card["zone"] for card in line["cards"]}
            line["hidden"] = [*line["hidden"], *(z for s in "NESW" if (z := f"hand-{s}") not in shown)]


def rows_by_line(header, lines, rng):
    """Rows are numbered apart for each line's melds: equal numbers, other zones."""
    new = {}
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            if card["zone"].startswith("melds-"):
                key = (card["zone"], card["row"])
                new.setdefault(key, sum(zone == card["zone"] for zone, _ in new))
                card["row"] = new[key]


def rows_from_a_counter(header, lines, rng):
    """Rows are numbered by a counter that does not begin at 0 and leaves some out."""
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            if card["zone"].startswith("melds-"):
                card["row"] = 1000 + 17 * card["row"]


def no_row_on_the_pile(header, lines, rng):
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            if card["zone"] in ("discard", "table"):
                card["row"] = None


def absent_rows(header, lines, rng):
    """Fields that say nothing are left out."""
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            for name in ("row", "order"):
                if card[name] is None:
                    del card[name]


def late_start(header, lines, rng):
    """The clock ran for an hour before."""
    _shift(lines, 3600.25)


def _shift(lines, by):
    for line in lines:
        line["t"] = round(line["t"] + by, 6)


def disorder(header, lines, rng):
    """Nodes are up to 0.3 s late, the camera up to 1.6 s; what one of them says stays in its order."""
    arrivals, latest = [], {}
    for number, line in enumerate(lines):
        source = "camera" if line["kind"] == "sight" else line.get("zone") or line["kind"]
        arrival = line["t"] + rng.uniform(0, 1.6 if source == "camera" else 0.3)
        latest[source] = max(latest.get(source, 0.0), arrival)
        arrivals.append((latest[source], number))
    lines[:] = [lines[number] for _, number in sorted(arrivals)]


def pictures_on_change(header, lines, rng):
    """A camera that logs a picture only where something differs from its last one, and every five seconds."""
    last, since, kept = None, -9.0, []
    sights = [line["t"] for line in lines if line["kind"] == "sight"][1:]
    for line in lines:
        if line["kind"] == "sight":
            coming = sights.pop(0) if sights else line["t"]
            cards = sorted((c["zone"], str(c["row"]), str(c["order"]), c["card"]) for c in line["cards"])
            shown = (cards, sorted(line["hidden"]))
            if shown == last and coming - since < 5.0:
                continue
            last, since = shown, line["t"]
        kept.append(line)
    lines[:] = kept


def strangers(header, lines, rng):
    """Kinds and fields that nobody has heard of, heartbeats of nodes, an arm that nobody has."""
    last = lines[-1]["t"]
    t = lines[0]["t"]
    more = []
    while t < last:
        more.append({"t": round(t, 6), "kind": "health", "node": rng.choice(["gates", "scales"]), "state": "ok"})
        more.append({"t": round(t + 0.5, 6), "kind": "temperature", "node": "gates", "celsius": 21.5})
        t += 20.0
    for line in lines:
        line["node"] = "x1" if line["kind"] != "sight" else "cam"
    header["vendor"] = "someone"
    lines[:] = sorted([*lines, *more], key=lambda line: line["t"])


def words(header, lines, rng):
    """Players' declarations stand in the log as well."""
    more = [
        {"t": line["t"], "kind": "said", "seat": line["seat"], "what": "pot"}
        for line in lines
        if line["kind"] == "shield" and line["pose"] == "over"
    ]
    lines[:] = sorted([*lines, *more], key=lambda line: line["t"])


def ghosts(header, lines, rng):
    """A coil reads a card that lies at its neighbour's, once in a while, and twice what it has read."""
    more = [
        {**line, "t": round(line["t"] + 0.023, 6)}
        for line in lines
        if line["kind"] == "tags" and line["tags"] and rng.random() < 0.25
    ]
    lines[:] = sorted([*lines, *more], key=lambda line: line["t"])


def smaller_table(header, lines, rng):
    _stretch(lines, 0.8)


def larger_table(header, lines, rng):
    _stretch(lines, 1.35)


def _stretch(lines, by):
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            card["x"], card["y"] = round(card["x"] * by, 1), round(card["y"] * by, 1)


def no_out_of_reach(header, lines, rng):
    """A beam that names the seat and not the place, half of the time."""
    for line in lines:
        if line["kind"] == "reach" and int(line["t"] * 7) % 5 == 0 and line["zone"] == "table":
            line["zone"] = None


def no_shields(header, lines, rng):
    """A table without screens."""
    header["options"]["screens"] = False
    lines[:] = [line for line in lines if line["kind"] != "shield"]


def bare_header(header, lines, rng):
    """Options say only who keeps the melds."""
    header["options"] = {"keepers": header["options"]["keepers"]}


def no_places(header, lines, rng):
    """Beams at the seats' edges alone: whose arm it is, not where it goes."""
    for line in lines:
        if line["kind"] == "reach":
            line["zone"] = None


def no_seats(header, lines, rng):
    """Beams over the places alone: where an arm is, not whose."""
    for line in lines:
        if line["kind"] == "reach":
            line["seat"] = None


# What is no longer the same physics: sensors that fail. Nothing need be told then, but nothing false either.


def a_node_starts_anew(header, lines, rng):
    last = lines[-1]["t"]
    for node in ("gates", "scales"):
        t = rng.uniform(0.3, 0.8) * last
        lines.append({"t": round(t, 6), "kind": "health", "node": node, "state": "lost", "note": "silent"})
        lines.append({"t": round(t + 2.0, 6), "kind": "health", "node": node, "state": "reset", "note": "watchdog"})
    lines.sort(key=lambda line: line["t"])


def _dies(lines, rng, fits, after=(0.2, 0.7), back=None):
    last = lines[-1]["t"]
    start = rng.uniform(*after) * last
    end = start + (back or last)
    lines[:] = [line for line in lines if not (fits(line) and start <= line["t"] < end)]


def the_stocks_scale_dies(header, lines, rng):
    _dies(lines, rng, lambda line: line["kind"] == "scale" and line["zone"] == "stock")


def the_piles_scale_dies(header, lines, rng):
    _dies(lines, rng, lambda line: line["kind"] == "scale" and line["zone"] == "discard")


def the_camera_dies(header, lines, rng):
    _dies(lines, rng, lambda line: line["kind"] == "sight")


def the_camera_stops_for_twenty_seconds(header, lines, rng):
    _dies(lines, rng, lambda line: line["kind"] == "sight", back=20.0)


def all_sensors_stop_for_ten_seconds(header, lines, rng):
    _dies(lines, rng, lambda line: line["kind"] not in ("console", "button", "said"), back=10.0)


def one_beam_dies(header, lines, rng):
    seat = rng.choice("NESW")
    _dies(lines, rng, lambda line: line["kind"] == "reach" and line["seat"] == seat)


def one_gate_dies(header, lines, rng):
    seat = rng.choice("NESW")
    _dies(lines, rng, lambda line: line["kind"] == "tags" and line["zone"] == f"gate-{seat}")


def a_line_in_fifty_is_lost(header, lines, rng):
    lines[:] = [line for line in lines if line["kind"] == "console" or rng.random() > 0.02]


def every_line_twice(header, lines, rng):
    lines[:] = [line for line in lines for _ in range(1 if line["kind"] in ("console", "button") else 2)]


def few_readings(header, lines, rng):
    """Five readings a second."""
    last = {}
    kept = []
    for line in lines:
        if line["kind"] == "scale":
            if line["t"] - last.get(line["zone"], -1.0) < 0.2:
                continue
            last[line["zone"]] = line["t"]
        kept.append(line)
    lines[:] = kept


def one_reading_a_second(header, lines, rng):
    """One reading a second and only at rest: no plate is ever heard to swing."""
    last, kept = {}, []
    for line in lines:
        if line["kind"] == "scale":
            if not line["settled"] or line["t"] - last.get(line["zone"], -9.0) < 1.0:
                continue
            last[line["zone"]] = line["t"]
        kept.append(line)
    lines[:] = kept


def a_clock_runs_late(header, lines, rng):
    """The scales' node is 0.8 s behind the others."""
    for line in lines:
        if line["kind"] == "scale":
            line["t"] = round(max(0.0, line["t"] - 0.8), 6)


def strange_tags(header, lines, rng):
    """Cards that the header does not name."""
    for uid in rng.sample(sorted(header["tags"]), 40):
        del header["tags"][uid]


def tags_mixed_up(header, lines, rng):
    """Two cards of the pack carry each other's tag."""
    for _ in range(3):
        a, b = rng.sample(sorted(header["tags"]), 2)
        header["tags"][a], header["tags"][b] = header["tags"][b], header["tags"][a]


def a_doubtful_camera(header, lines, rng):
    """Every card is read with a confidence of one half."""
    for line in lines:
        for card in line.get("cards", ()) if line["kind"] == "sight" else ():
            card["confidence"] = round(rng.uniform(0.35, 0.6), 3)


WORDINGS = {
    "as it is": _nothing,
    **{
        change.__name__.replace("_", " "): change
        for change in (
            no_confidence,
            no_frame,
            tags_without_copies,
            no_grams,
            other_grams,
            settled_only,
            half_grams,
            whole_numbers,
            faces_down,
            hands_hidden,
            rows_by_line,
            rows_from_a_counter,
            no_row_on_the_pile,
            absent_rows,
            late_start,
            disorder,
            pictures_on_change,
            strangers,
            words,
            ghosts,
            smaller_table,
            larger_table,
            no_out_of_reach,
            no_shields,
            bare_header,
            no_places,
            no_seats,
        )
    },
}
SOFT = {
    change.__name__.replace("_", " "): change
    for change in (
        never_settled,
        always_settled,
        a_node_starts_anew,
        the_stocks_scale_dies,
        the_piles_scale_dies,
        the_camera_dies,
        the_camera_stops_for_twenty_seconds,
        all_sensors_stop_for_ten_seconds,
        one_beam_dies,
        one_gate_dies,
        a_line_in_fifty_is_lost,
        every_line_twice,
        few_readings,
        one_reading_a_second,
        a_clock_runs_late,
        strange_tags,
        tags_mixed_up,
        a_doubtful_camera,
    )
}
"""Sensors that fail: what is told must be true, and nothing must be told."""
TRAITS = {
    "camera 1": {"fps": 1.0},
    "camera 2": {"fps": 2.0},
    "camera 10": {"fps": 10.0},
    "no beams": {"beams": False},
    "no gates": {"gates": False},
    "no errors": {
        "sigma": 0.02,
        "gate_miss": 0,
        "beam_miss": 0,
        "bounce": 0,
        "sight_miss": 0,
        "misread": 0,
        "sleeves": 0,
    },
    "rare heartbeats": {"beat": 30.0},
    "fast scales": {"tick": 0.0125},
    "slow scales": {"tick": 0.05},
    "copies seen": {"copies": True},
}
"""How the sensors themselves differ."""


def worded(name, header, lines, seed):
    """Header and lines in that wording; the lines may be in another order."""
    header, lines = copy.deepcopy(header), copy.deepcopy(lines)
    (WORDINGS | SOFT)[name](header, lines, random.Random(f"wording/{name}/{seed}"))
    return header, lines
