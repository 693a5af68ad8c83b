"""`tavolo meld`, `tavolo count` and `tavolo vp`: a meld, a deal and a round counted from what one writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from table_service.commands.arguments import Book, Json, Rules, fail, machine_language


def _lines_or(cards: list[str] | None) -> Iterable[str]:
    """Return the cards named as arguments, else every line of standard input as it comes."""
    return [" ".join(cards)] if cards else (line.rstrip("\r\n") for line in sys.stdin)


def meld(
    cards: Annotated[
        list[str] | None, typer.Argument(help="Cards such as 7H 8H JK; none: lines on standard input.")
    ] = None,
    rules: Book = "",
    as_json: Json = False,
) -> None:
    """Print the validity, kind, burraco and points of a meld: the best reading of its cards in any order."""
    from table_service.commands.calculators import UserError, describe_meld, meld_line

    bad = False
    for line in _lines_or(cards):
        try:
            answer = meld_line(line, rules)
        except UserError as error:
            if cards and not as_json:
                fail(str(error))
            bad = True
            answer = {"cards": line, "valid": False, "error": str(error)}
        typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else describe_meld(answer, rules))
    raise typer.Exit(1 if bad else 0)


def _answer(work: Callable[[], dict[str, Any]], as_json: bool, describe: Callable[[dict[str, Any]], str]) -> None:
    from table_service.commands.calculators import RulesNamedWronglyError, UserError

    try:
        answer = work()
    except RulesNamedWronglyError as error:
        fail(str(error), 2)
    except UserError as error:
        fail(str(error))
    typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else describe(answer))


def count(
    file: Annotated[Path, typer.Argument(help="A deal's melds, hands, pots and closing (JSON); - for standard input.")],
    as_json: Json = False,
) -> None:
    """Print the score of a deal, item by item, by the rule set it names."""
    from table_service.commands.calculators import count_file, describe_count

    _answer(lambda: count_file(file), as_json, describe_count)


def vp(
    deals: Annotated[int, typer.Option(help="Deals in the round: 2, 3 or 4.")],
    diff: Annotated[int, typer.Option(help="Match points of the first line minus those of the second.")],
    rules: Book = "",
    teams: Annotated[bool, typer.Option("--teams", help="The teams' table.")] = False,
    as_json: Json = False,
) -> None:
    """Victory points for a difference in match points."""
    from table_service.commands.calculators import describe_vp, victory_points

    _answer(lambda: victory_points(rules, deals, diff, teams=teams), as_json, describe_vp)


def score(
    images: Annotated[
        list[str] | None,
        typer.Argument(help="Pictures, each PATH or WHAT=PATH, such as NS=melds.jpg, N=hand.jpg, pile-EW=pile.jpg."),
    ] = None,
    rules: Rules = "",
    as_json: Json = False,
    as_pbn: Annotated[bool, typer.Option("--pbn", help="Bridge: print the hands as PBN.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Paint what was read onto copies of the pictures.")] = None,
    say: Annotated[
        list[str] | None,
        typer.Option(help="What no picture shows: NS.pot=taken, EW.closed=yes, N.hand=, NS.last_trick=yes, tricks=9."),
    ] = None,
    written: Annotated[
        list[str] | None,
        typer.Option(help="A figure of the sheet written by hand, as NS.melds=455; each difference is named."),
    ] = None,
    pack: Annotated[Path | None, typer.Option(help="An enrolled pack (tavolo enrol); tarocco needs one.")] = None,
    lang: Annotated[str, typer.Option(help="it or en; else the machine's language.")] = "",
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve a page for phones in this network; a QR code leads there.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --serve: the address to listen at.")] = "0.0.0.0",  # noqa: S104
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --serve: its port; 0: any free one.")] = 0,
    keep: Annotated[
        Path | None, typer.Option(help="With --serve: folder that keeps confirmed deals, and the page's address.")
    ] = None,
    cert: Annotated[
        Path | None, typer.Option(help="With --serve: certificate (PEM), so that phones can install.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="With --serve: the certificate's key (PEM).")] = None,
) -> None:
    """Print a deal's score from photographs of what lies at its end; what was not read stays unknown and is named."""
    from table_service.commands.score_photographs import score_images, serve_page

    if serve:
        if images:
            raise typer.BadParameter("takes its pictures from phones: name none", param_hint="--serve")
        if (cert is None) != (key is None):
            raise typer.BadParameter("needs both --cert and --key", param_hint="--cert")
        tls = None if cert is None or key is None else (cert, key)
        raise typer.Exit(serve_page(rules, host, port, keep, pack, tls))
    if not images:
        raise typer.BadParameter("name at least one picture", param_hint="IMAGES")
    language = lang if lang in ("it", "en") else machine_language()
    raise typer.Exit(
        score_images(
            images,
            rules,
            say or [],
            written or [],
            as_json=as_json,
            as_pbn=as_pbn,
            draw=draw,
            pack=pack,
            language=language,
        )
    )
