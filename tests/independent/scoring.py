"""The text's arithmetic (arts. 15, 17 and 18) beside what the program counted."""

from __future__ import annotations

from collections import Counter

VICTORY = {
    "2": (40, 120, 200, 300, 400, 500, 620, 740, 870, 1000),
    "3": (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
    "4": (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
    "teams": (150, 350, 550, 800, 1050, 1300, 1600, 1900, 2200, 2500),
}
"""Art. 18: up to this difference the winner has 10, 11, … 19 victory points; beyond the last 20."""


def victory(table, lead):
    """Of the leading line and of the other."""
    most = 10 + sum(lead > limit for limit in VICTORY[table])
    return most, 20 - most


def scores(stage, events, strict=False):
    """Every deal's count and the round's result. ``strict``: nothing may be in doubt."""
    wrong, running = [], Counter()
    for number, truth in enumerate(stage.counted, 1):
        told = [event["data"] for event in events if event["type"] == "score.counted" and event["deal"] == number]
        if not told:
            wrong.append(f"deal {number} was never counted")
            continue
        for line, items in truth.items():
            running[line] += sum(items.values())
            wrong += [f"deal {number} {said}" for said in _line(line, items, told[-1], strict)]
    ended = [event["data"] for event in events if event["type"] == "round.ended"]
    if stage.result is not None:
        if not ended:
            return [*wrong, "the round's end was not told"]
        return wrong + [
            f"round's {name} {ended[-1].get(name)}, wanted {value}"
            for name, value in stage.result.items()
            if ended[-1].get(name) != value
        ]
    if len(stage.counted) > 1 and ended and not wrong:
        wrong += _round(stage, running["NS"] - running["EW"], ended[-1])
    return wrong


def _line(line, items, data, strict):
    wrong = []
    for item, value in items.items():
        said = data["lines"][line]["items"].get(item)
        doubted = f"{line}.{item}" in data["doubtful"]
        if said is None and not doubted:
            wrong.append(f"{line}.{item} is null and not named in doubtful")
        elif said != value and not doubted:
            wrong.append(f"{line}.{item} is {value}, told {said}")
        elif doubted and strict:
            wrong.append(f"{line}.{item} is {value}, told {said} in doubt")
    total, sure = data["lines"][line]["total"], not any(name.startswith(line) for name in data["doubtful"])
    if sure and total != sum(items.values()):
        wrong.append(f"{line} total {total}, not {sum(items.values())}")
    return wrong


def _round(stage, lead, ended):
    told = ended["match_points"]
    if None in told.values():  # a deal in doubt leaves them open
        return []
    wrong = []
    if told != {"NS": lead, "EW": -lead}:
        wrong.append(f"match points {told}, wanted {lead}")
    table = str(stage.deals) if stage.event == "pairs" else "teams"
    if table in VICTORY:
        high, low = victory(table, abs(lead))
        wanted = {"NS": high if lead >= 0 else low, "EW": high if lead < 0 else low}
        if ended["victory_points"] != wanted:
            wrong.append(f"victory points {ended['victory_points']}, wanted {wanted} for {lead}")
    return wrong
