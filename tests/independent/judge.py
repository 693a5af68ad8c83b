"""A log of this generator through the program under test, and what the program made of it."""

from __future__ import annotations

import json
import random
from difflib import SequenceMatcher

from tests.independent.cards import face, pack
from tests.independent.game_faults import FaultyGame
from tests.independent.sensing import Traits, lines_of
from tests.independent.wordings import SOFT, TRAITS, WORDINGS, worded

TYPES = {
    "card.drawn": "draw",
    "pile.collected": "collect",
    "meld.opened": "open",
    "meld.extended": "extend",
    "card.discarded": "discard",
    "pot.taken": "take-pot",
}


def make(kind, seed, path, wording="as it is"):
    """Write a log of ``kind``; its truth. Seeds that cannot stage the fault are played on until one can.

    ``wording``: other words for the same physics, or other sensors (``tests.independent.wordings``).
    """
    for again in range(1500):
        rng = random.Random(f"independent/{kind}/{seed}/{again}")
        without = rng.choice(["gates", "beams"]) if kind == "plain" else ""
        without = {"no gates": "gates", "no beams": "beams"}.get(wording, without)
        sensors = {"gates": without != "gates", "beams": without != "beams"} | TRAITS.get(wording, {})
        traits = Traits(holes=rng.random() < 0.5, **sensors)
        uids = rng.sample(range(1 << 40), 108)
        cards = pack()
        rng.shuffle(cards)
        tags = {f"E00401{uid:010X}": card for uid, card in zip(uids, cards, strict=True)}
        keepers = {"NS": rng.choice("NS"), "EW": rng.choice("EW")}
        game = FaultyGame(rng, kind, traits, tags, keepers)
        game.play()
        if (game.fault is not None and game.fault["evident_t"]) or kind in ("clean", "plain"):
            break
    else:
        raise ValueError(f"seed {seed} stages no {kind}")
    header = {
        "kind": "header",
        "version": 1,
        "table": "I1",
        "rules": "fibur2024",
        "options": {"deals": 1, "screens": True, "event": "pairs", "keepers": keepers},
        "seats": dict.fromkeys("NESW", "x"),
        "tags": tags,
        "card_grams": 1.8,
        "started": "2026-11-20T15:00:00Z",
    }
    lines = lines_of(game.course, rng, traits)
    if game.fault:
        game.fault["report_by"] = _sensed(game.fault, lines)
    for action in game.actions:
        action["sensed"] = any(_names(line, action["seat"]) and abs(line["t"] - action["t"]) < 1.6 for line in lines)
    if wording in WORDINGS or wording in SOFT:
        header, lines = worded(wording, header, lines, seed)
    path.write_text("\n".join(json.dumps(line) for line in [header, *lines]) + "\n")
    path.chmod(0o600)
    return {
        "actions": game.actions,
        "fault": game.fault,
        "manner": game.manner,
        "score": game.score() if game.scored and game.manner else None,
        "without": without,
        "holes": traits.holes,
    }


def _names(line, seat):
    """Whether a beam or a gate gives ``seat`` away in ``line``."""
    return line.get("seat") == seat if line["kind"] == "reach" else line.get("zone") == f"gate-{seat}"


def _sensed(fault, lines):
    """When the fault must be told: it is evident, and two pictures since it happened have shown all melds."""
    clear, arrived = 0, 0.0
    for line in lines:
        arrived = max(arrived, line["t"])
        if line["kind"] == "sight" and line["t"] > fault["committed_t"] and len(line["hidden"]) == 0:
            clear += 1
            if clear == 3:
                return max(fault["report_by"], line["t"] + 5.0)
    return max(fault["report_by"], arrived)


def replay(path):
    """The program's events, with what was secret."""
    from hw.observation_log import read_log
    from table_service.events import event_to_json
    from table_service.games.burraco.fold import TableFold

    header, observations = read_log(path)
    fold, events, now = TableFold(header), [], 0.0
    for observation in observations:
        now = max(now, observation.t)
        events += [event_to_json(event, secret=True) | {"arrived": now} for event in fold.feed(observation)]
    return events + [event_to_json(event, secret=True) | {"arrived": now} for event in fold.close()]


def judge(truth, events, soft=False):
    """What is wrong, one line each; nothing where all is right. ``soft``: sensors failed, so much may go untold."""
    if soft:
        false = [line for line in _faults(truth, events) if line.startswith("false") and " note " not in line]
        return false + [line for line in _score(truth, events) if line != "no score"]
    real, told = _real(truth), _told(events)
    wrong = []
    if truth["without"] == "beams":  # gates name the seat only of single cards: seats may stay open
        real = [(kind, None, cards, row) for kind, _, cards, row in real]
        told = [(kind, None, cards, row) for kind, _, cards, row in told]
    real, told = _by_turn(real), _by_turn(told)
    for tag, a, b, c, d in SequenceMatcher(a=real, b=told, autojunk=False).get_opcodes():
        if tag != "equal":
            wrong += [f"missed {step}" for step in real[a:b]] + [f"made up {step}" for step in told[c:d]]
    wrong += _faults(truth, events) + _score(truth, events)
    ended = [event["data"]["manner"] for event in events if event["type"] == "deal.ended"]
    if truth["score"] and ended != [truth["manner"]]:
        wrong.append(f"ended {truth['manner']}, told {ended}")
    return wrong


def _by_turn(steps):
    """What one seat lays and discards in a row, in a fixed order, each meld as it reads in the end.

    A sleeve may have hidden which came first, or that a meld was opened before it was added to.
    """
    done, group = [], {}
    for kind, seat, cards, row in [*steps, ("end", None, (), None)]:
        if kind not in ("open", "extend", "discard") or any(key[1] != seat for key in group):
            done += sorted(group.values(), key=str)
            group = {}
        if kind in ("open", "extend"):
            group["meld", seat, row] = ("lay", seat, cards)
        elif kind == "discard":
            group["discard", seat, None] = (kind, seat, cards)
        else:
            done.append((kind, seat, cards))
    return done


def _real(truth):
    steps = []
    for action in truth["actions"]:
        if action["type"] in TYPES.values():
            cards = tuple(map(face, action.get("row") or action["cards"]))
            if action["type"] == "draw":
                cards = ()
            elif action["type"] == "take-pot":
                cards = (action["manner"],)
            elif action["type"] == "collect":
                cards = tuple(sorted(cards))
            seat = action["seat"] if action["sensed"] or action["type"] != "draw" else None
            steps.append((action["type"], seat, cards, action.get("meld")))
    return steps


def _told(events):
    steps, fixed, times, now = [], {}, [], 0.0
    for event in events:  # a reading that was put right before the row changed again
        data = event["data"]
        while len(times) < len(steps):
            times.append(now)
        now = event["t"] if event.get("committed_t") is None else event["committed_t"]
        if event["type"] in ("meld.opened", "meld.extended"):
            steps.append((TYPES[event["type"]], event["seat"], tuple(data["meld"]["cards"]), data["meld"]["id"]))
            fixed[data["meld"]["id"]] = len(steps) - 1
        elif event["type"] == "meld.changed" and data.get("why") == "corrected" and data["meld"]["id"] in fixed:
            at = fixed[data["meld"]["id"]]
            steps[at] = (*steps[at][:2], tuple(data["meld"]["cards"]), steps[at][3])
        elif event["type"] == "card.drawn":
            steps.append(("draw", event["seat"], (), None))
        elif event["type"] == "card.discarded" and event["turn"]:
            steps.append(("discard", event["seat"], (data["card"],), None))
        elif event["type"] == "pile.collected":
            steps.append(("collect", event["seat"], tuple(sorted(data["cards"])), None))
        elif event["type"] == "pot.taken":
            steps.append(("take-pot", event["seat"], (data["manner"],), None))
    times += [now] * (len(steps) - len(times))
    steps = [(kind, seat and str(seat), tuple(map(face, cards)), row) for kind, seat, cards, row in steps]
    return [steps[n] for n in sorted(range(len(steps)), key=lambda n: times[n])]


def _faults(truth, events):
    fault, wrong = truth["fault"], []
    cases = {}
    for event in events:
        if event["type"] == "irregularity":
            cases.setdefault(event["data"]["key"], []).append(event)
    if fault:
        rows = {fault["row"], *fault["also"]}
        mine = [
            key
            for key, case in cases.items()
            for event in case
            if event["data"]["row"] in rows
            and event["data"]["offender"] == fault["seat"]
            and event["t"] <= fault["report_by"]
            and abs(event["data"]["committed_t"] - fault["committed_t"]) < 15
        ]
        if mine:
            cases.pop(mine[0])
        else:
            told = [(c[-1]["t"], c[-1]["data"]["row"], c[-1]["data"]["offender"]) for c in cases.values()]
            wrong.append(f"{fault['row']} of {fault['seat']} at {fault['committed_t']} not told; told {told}")
    for case in cases.values():
        data = case[-1]["data"]
        wrong.append(f"false {data['row']} {data['offender']} {data['severity']} at {data['committed_t']}")
    return wrong


def _score(truth, events):
    counted = [event for event in events if event["type"] == "score.counted"]
    if not truth["score"]:
        return []
    if not counted:
        return ["no score"]
    data = counted[-1]["data"]
    wrong = []
    for line, items in truth["score"].items():
        for item, value in items.items():
            said = data["lines"][line]["items"].get(item)
            if said is not None and said != value and f"{line}.{item}" not in data["doubtful"]:
                wrong.append(f"score {line}.{item} is {value}, told {said}")
    return wrong
