"""`tavolo movements`: who meets whom with which boards in an evening of pairs, and what each movement costs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from table_service.commands.arguments import Json, fail, machine_language

if TYPE_CHECKING:
    from table_service.tournament import Offer


def movements(
    pairs: Annotated[int, typer.Argument(help="How many pairs there are.")],
    boards: Annotated[int, typer.Option(help="How many boards each is to play, about.")] = 24,
    show: Annotated[int, typer.Option(help="Print this movement of the list round by round.")] = 0,
    one_ranking: Annotated[bool, typer.Option(help="Exchange a Mitchell's lines in its last rounds.")] = False,
    as_json: Json = False,
) -> None:
    """Movements of pairs and boards (bridge) for a field, each with what it costs, or one of them round by round."""
    from table_service.tournament import NoSeatingError, offers

    try:
        found = offers(pairs, boards, one_ranking=one_ranking)
    except NoSeatingError as error:
        fail(str(error))
    if not 0 <= show <= len(found):
        fail(f"--show {show}: there are {len(found)} movements", 2)
    chosen = found[show - 1 : show] if show else found
    if as_json:
        typer.echo("\n".join(json.dumps(one.as_json(), ensure_ascii=False) for one in chosen))
        return
    column = 0 if machine_language() == "it" else 1
    for number, one in enumerate(chosen, start=show or 1):
        typer.echo(f"{number}. {one.name[column]}: {one.cost[column]}")
        if show:
            typer.echo("\n".join(_rounds(one, column)))


def _rounds(offer: Offer, column: int) -> list[str]:
    """Return a line for each table, by rounds: its number, its pairs, its boards."""
    lines = []
    for number, sittings in enumerate(offer.movement.rounds, start=1):
        lines.append(f"{('Turno', 'Round')[column]} {number}")
        for one in sittings:
            first, *_, last = offer.boards(one.set) * 2
            boards = str(first) if first == last else f"{first}-{last}"
            lines.append(f"  {('tavolo', 'table')[column]} {one.table:2}: {one.ns:2} - {one.ew:2}  board {boards}")
        if resting := offer.movement.resting(number):
            lines.append(f"  {('riposa', 'rests')[column]}: {', '.join(map(str, resting))}")
    return lines
