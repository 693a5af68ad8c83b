"""What the contract and the text want of a case, compared with what the program told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.independent.cards import SEATS, line_of
from tests.independent.code import CODE
from tests.independent.scoring import scores

STEPS = {
    *("stop-play", "draw", "collect", "discard", "take-back", "return-to-stock", "return-to-pile", "show", "freeze"),
    *("penalise", "expose", "limit-turn", "bar-closing", "complete-or-penalise", "correct-count", "redeal"),
    *("replace-pack", "warn", "score", "nothing", "referee"),
}
SEVERITIES = ("note", "warning", "play-stops", "score")
STATES = ("open", "healed", "ruled", "dismissed")
FOUND = {"before_play", "during_turn", "after_discard_before_next_draw", "later", "hand_end", "any"}
FIELDS = "key row article title severity offender pair cards committed_t found state remedy options needs_referee warn"
ENVELOPE = "v id table boot seq t time deal turn type seat line data confidence basis late"


def write(header, lines, path):
    """The log as a file of its owner's alone."""
    with Path(path).open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in [header, *lines])
    Path(path).chmod(0o600)


def replayed(path):
    """``tavolo replay LOG --events -`` as anyone would call it; ValueError with what it said where it failed."""
    command = [str(Path(sys.executable).parent / "tavolo"), "replay", str(path), "--events", "-", "--secret"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def folded(path):
    """The same events without another process: ten times as fast."""
    from hw.observation_log import read_log
    from table_service.events import event_to_json
    from table_service.games.burraco.fold import TableFold

    header, observations = read_log(path)
    fold, events = TableFold(header), []
    for observation in observations:
        events += fold.feed(observation)
    return [event_to_json(event, secret=True) for event in [*events, *fold.close()]]


def shape(events):
    """What of the contract's envelope and of the irregularity's fields is missing or wrong."""
    wrong, ids = [], Counter(event["id"] for event in events)
    wrong += [f"id {name} twice" for name, many in ids.items() if many > 1]
    for event in events:
        missing = [name for name in ENVELOPE.split() if name not in event]
        if missing:
            wrong.append(f"{event['type']} lacks {missing}")
    for key, life in lived(events).items():
        first = life[0]["data"]
        doubtful = first.get("needs_referee") and first.get("severity") == "note"
        for event in life:
            wrong += _irregularity(event["data"], doubtful)
            if first["offender"] not in (None, event["data"]["offender"]):
                wrong.append(f"{key}: offender {first['offender']} then {event['data']['offender']}")
    return sorted(set(wrong))


def _irregularity(data, doubtful):
    row, entry = data.get("row"), CODE.get(data.get("row"))
    missing = [name for name in FIELDS.split() if name not in data]
    if missing:
        return [f"irregularity {row} lacks {missing}"]
    if entry is None:
        return [f"row {row} is in no catalogue"]
    wrong = [f"{row}: step {step['do']}" for step in data["remedy"] if step["do"] not in STEPS]
    numbers = set(_numbers(entry.article))
    faults = {
        f"is a {entry.kind} and was told as an irregularity": entry.kind != "irregularity" and data["state"] != "ruled",
        f"severity {data['severity']}": data["severity"] not in SEVERITIES,
        f"found {data['found']}": data["found"] not in FOUND,
        f"state {data['state']}": data["state"] not in STATES,
        f"title in {set(data['title'])}": not {"it", "en"} <= set(data["title"]),
        f"article {data['article']}, the text {entry.article}": bool(numbers)
        and not numbers & set(_numbers(data["article"])),
        f"offender {data['offender']} of {data['pair']}": bool(data["offender"] and data["pair"])
        and line_of(data["offender"]) != data["pair"],
        f"severity {data['severity']}, wanted {'/'.join(entry.severity)}": bool(entry.severity)
        and data["severity"] not in entry.severity
        and not doubtful,
    }
    return [*wrong, *(f"{row}: {what}" for what, so in faults.items() if so)]


def _numbers(article):
    word = ""
    for letter in str(article):
        word += letter if letter.isdigit() else " "
    return word.split()


def lived(events):
    """By key, its events in order."""
    cases = {}
    for event in events:
        if event["type"] == "irregularity":
            cases.setdefault(event["data"]["key"], []).append(event)
    return cases


def compare(stage, events, shift=0.0, stretch=1.0, known_seats=True):
    """What is wrong, one line each. ``shift``: seconds added to the clock; ``known_seats``: beams were there."""
    cases, mine, wrong, used = lived(events), [], [], set()
    for number, want in enumerate(stage.expected):
        key, said = _one(stage, want, cases, mine, shift)
        mine.append(key)
        if said:
            wrong.append(f"{number}: {'/'.join(want['rows'])} of {want['seat']} at {want['committed']}: {said}")
        used |= {key}
    for key, life in cases.items():
        last = life[-1]["data"]
        rows = {event["data"]["row"] for event in life}
        if key not in used and not rows & set(stage.extras):
            short = [(e["data"]["row"], e["data"]["state"]) for e in life][:3]
            wrong.append(f"false {last['row']} {last['offender']} {last['severity']} at {last['committed_t']} {short}")
    for kinds, seat, data in stage.told:
        fit = [
            event
            for event in events
            if event["type"] in kinds.split()
            and (seat is None or event["seat"] == seat)
            and all(_holds(event, name, value) for name, value in data.items())
        ]
        if not fit:
            wrong.append(f"never told: {kinds} {seat or ''} {data or ''}")
    wrong += [f"told: {event['type']} {event['line']}" for event in events if event["type"] in stage.never]
    if stage.manner and not any(event["type"] == "deal.ended" for event in events):
        wrong.append(f"the end ({stage.manner}) was not told")
    wrong += _breaches(stage, events)
    return wrong


def only_true(stage, events):
    """What is false though sensors fail: stops and scores alleged of others than the script's offender, silent sums."""
    guilty = {want["seat"] for want in stage.expected} | (set(SEATS) if stage.extras else set())
    wrong = [
        f"false {data['row']} {data['offender']} {data['severity']} at {data['committed_t']}"
        for life in lived(events).values()
        if (data := life[-1]["data"])["severity"] in ("play-stops", "score")
        and data["state"] not in ("ruled", "dismissed")
        and data["offender"] not in guilty
    ]
    return wrong + [line for line in scores(stage, events) if "told" in line and "never" not in line]


def _breaches(stage, events):
    """What is said to be broken against the script. A ruling that was not carried out may be, by its line."""
    if any(kind == "sanction.broken" for kind, _, _ in stage.told):
        return []
    return [
        f"said to be broken: {event['seat']} {event['data']['row']} {event['data']['do']} {event['data']['cards']}"
        for event in events
        if event["type"] == "sanction.broken" and not (stage.lax and line_of(event["seat"]) == stage.lax)
    ]


def _holds(event, name, value):
    data = event["data"] | {"line": event["line"] or event["data"].get("line")}
    found = data.get(name, data.get("meld", {}).get(name) if isinstance(data.get("meld"), dict) else None)
    return found == value


def _one(stage, want, cases, mine, shift):
    """The key that fits and what is wrong about it."""
    by = want["by"] + shift + 2.5
    seats = {"any": None, "line": None}.get(want["seat"], [want["seat"]])
    if want["same"] is not None:
        key = mine[want["same"]]
        life = cases.get(key, [])
        states = [event["data"] for event in life if event["t"] <= by - 2.5]
        later = [event["data"] for event in life if by - 2.5 < event["t"] <= by]
        if not states:
            return key, "its first form was never told"
        data = states[-1]
        if data["row"] not in want["rows"] or _details(want, data):  # a picture may take its time
            data = next((one for one in later if one["row"] in want["rows"] and not _details(want, one)), data)
        if data["row"] not in want["rows"]:
            return key, f"has become {data['row']} ({data['state']})"
        return key, _details(want, data)
    best = None
    for key, life in cases.items():
        if key in mine:
            continue
        for event in life:
            data = event["data"]
            if data["row"] not in want["rows"] or event["t"] > by:
                continue
            if seats is not None and data["offender"] not in seats:
                continue
            if want["committed"] is not None and abs(data["committed_t"] - shift - want["committed"]) > 15:
                continue
            said = _details(want, data)
            if best is None or (best[1] and not said):
                best = (key, said)
    if best:
        return best
    told = [(life[0]["t"], life[-1]["data"]["row"], life[-1]["data"]["offender"]) for life in cases.values()]
    return None, f"not told; told {told[:6]}"


def _details(want, data):
    steps = [step["do"] for step in data["remedy"]]
    missing = [do for do in want["do"] if do not in steps]
    if missing:
        return f"remedy lacks {missing}: {steps}"
    extra = [do for do in want.get("not", ()) if do in steps]
    if extra:
        return f"remedy holds {extra}"
    if want["state"] and data["state"] != want["state"]:
        return f"state {data['state']}, not {want['state']}"
    for name, value in want["data"].items():
        if data.get(name) != value:
            return f"{name} is {data.get(name)}, not {value}"
    return ""
