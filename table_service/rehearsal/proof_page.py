"""The report of a proof as a page of Markdown: conditions, requirements, measurements, confidence."""

from __future__ import annotations

import math
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from table_service.rehearsal.proof_report import false_beside, seconds, told_of
from table_service.rehearsal.sensing_steps import WHOLE

Object = dict[str, Any]
_Z: Final = 1.959964
"""Two-sided 95 %."""
TOLD_OF_ALL: Final = 0.99
TOLD_OF_FIFTY: Final = 46
NOTES_OF_THOUSAND: Final = 5
STOPS_OF_HUNDRED: Final = 1
"""Requirement of issue 5: faults reported over all rows, and of 50 of each; notes in 1 000 clean deals; false stops in
100 clean deals at noise ``rough``."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which a proof was made."""

    noise: str
    habits: str
    seed: int
    clean: int
    each: int
    deals: int
    code: str
    """A digest of the code (``prove.fingerprint``)."""
    commit: str = ""
    gaps: str = ""
    """Gaps in sensing, as ``sensing_gaps.choose`` takes them; empty if there are none."""
    ruled: int = 0
    rules: str = ""
    step: int = WHOLE
    """The step of sensors that the table has (``sensing_steps``)."""

    @property
    def mark(self) -> str:
        """Heading of these figures on a page."""
        mark = f"gaps {self.gaps}" if self.gaps else self.noise
        return mark if self.step == WHOLE else f"step {self.step} {mark}"

    def sentence(self) -> str:
        """One paragraph of Markdown."""
        commit = f"commit `{self.commit}`, " if self.commit else ""
        gaps = f", one or two `{self.gaps}` gaps of 3 to 30 s in each deal" if self.gaps else ""
        if ":" in self.gaps:
            gaps = f", one gap `{self.gaps}` (seconds) in each deal"
        return (
            f"Conditions: rules `{self.rules}`, noise `{self.noise}`, habits `{self.habits}`{gaps}, "
            f"{f'sensors of step {self.step}, ' * (self.step != WHOLE)}"
            f"seeds from {self.seed} on, "
            f"{self.clean} clean rounds of {self.deals} deal{'s' * (self.deals > 1)}, {self.each} of each row, "
            f"{f'{self.ruled} of each row and end ruled, ' * (self.ruled > 0)}"
            f"{commit}code `{self.code}`, Python {platform.python_version()}. In brackets: 95 % Wilson intervals."
        )


def commit_here() -> str:
    """Return the commit of the working tree, with a ``+`` if tracked files differ; empty outside a repository."""
    git = shutil.which("git")
    if git is None:
        return ""
    here = Path(__file__).resolve().parent

    def asked(*words: str) -> str:
        done = subprocess.run([git, "-C", str(here), *words], capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
        return done.stdout.strip() if done.returncode == 0 else ""

    commit = asked("rev-parse", "--short=12", "HEAD")
    return commit + "+" * bool(commit and asked("status", "--porcelain", "--untracked-files=no"))


def wilson(right: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of which ``right`` of ``of`` were seen (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    share, zz = right / of, _Z * _Z
    middle = (share + zz / (2 * of)) / (1 + zz / of)
    half = _Z * math.sqrt(share * (1 - share) / of + zz / (4 * of * of)) / (1 + zz / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _share(right: int, of: int) -> str:
    low, high = wilson(right, of)
    return f"{right} of {of} ({100 * low:.1f}–{100 * high:.1f} %)"


def markdown(figures: Object, conditions: Conditions) -> str:
    """``summary`` as a page."""
    lines = [conditions.sentence(), ""]
    if figures["clean"]["rounds"]:
        lines += _clean(figures["clean"], conditions)
    if figures["rows"]:
        lines += _rows(figures)
    if figures["untold"]:
        lines += _untold(figures["untold"])
    return "\n".join(lines) + "\n"


def put_into(page: Path, mark: str, text: str) -> None:
    """Write ``text`` into ``page`` between ``<!-- measured MARK -->`` and ``<!-- end MARK -->`` (``Conditions.mark``).

    Raises OSError, and ValueError if the page lacks the marks.
    """
    whole = page.read_text(encoding="utf-8")
    begin, end = f"<!-- measured {mark} -->\n", f"<!-- end {mark} -->"
    head, found, rest = whole.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{page}: there are no marks '{begin.strip()}' and '{end}' between which the figures go")
    page.write_text(f"{head}{begin}\n{text}\n{end}{tail}", encoding="utf-8")


def _clean(clean: Object, conditions: Conditions) -> list[str]:
    rounds, false = clean["rounds"], clean["false"]
    stops = clean["rounds_stopped"]
    lines = [
        f"**{rounds} clean rounds**, noise `{conditions.noise}`, habits `{conditions.habits}`:",
        "",
        "| what | figure |",
        "|---|---|",
        f"| rounds without a flaw | {_share(clean['without_a_flaw'], rounds)} |",
        f"| rounds with a false irregularity that stops play or changes the score | {_share(stops, rounds)} |",
        f"| false irregularities | {told_of(false)} |",
        f"| actions that differ, of {clean['actions']} | {clean['actions_wrong']} |",
        f"| draws named, of {clean['draws']}; named wrongly | {clean['draws_named']}; {clean['draws_misnamed']} |",
        f"| ends of deals told wrongly | {clean['ends_wrong']} |",
        (
            f"| score items right / doubtful / silently wrong | {clean['items_right']} / {clean['items_doubtful']} / "
            f"{clean['items_wrong']} in {clean['deals_counted']} deals |"
        ),
        "",
    ]
    rough = conditions.noise == "rough"
    asked = (
        "no silently wrong score, at most one false stop in 100"
        if rough
        else "no false irregularity that stops play or changes the score, no silently wrong score"
        if conditions.gaps
        else "no false irregularity that stops play or changes the score, at most 5 notes in 1 000 deals, "
        "no silently wrong score"
    )
    may = STOPS_OF_HUNDRED * rounds / 100 if rough else 0
    notes = (
        rough or bool(conditions.gaps) or false["note"] + false["warning"] <= max(1, NOTES_OF_THOUSAND * rounds / 1000)
    )
    reached = stops <= may and notes and not clean["items_wrong"]
    return [*lines, f"Asked for: {asked}. {'Reached.' if reached else '**Not reached.**'}", ""]


def _rows(figures: Object) -> list[str]:
    whole, rows = figures["all_rows"], figures["rows"]
    low = [row for row, found in rows.items() if found["told"] * 50 < TOLD_OF_FIFTY * found["injected"]]
    enough = whole["told"] >= TOLD_OF_ALL * whole["injected"] and not low
    return [
        f"**{whole['injected']} faults in {len(rows)} rows**: {_share(whole['told'], whole['injected'])} told by the "
        f"table with row and seat in time, {whole['right_remedy']} of these with the remedy of the text. "
        "Asked for: 99 % over all rows, no row below 46 of 50. "
        + ("Reached." if enough else f"**Not reached**{': below are ' + ', '.join(low) if low else ''}."),
        "",
        (
            "| row | injected | found | right row | right seat | told in time (95 %) | remedy | only when ruled "
            "| delay median / worst (s) | limited turns right | false alarms beside it |"
        ),
        "|---|---|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {row} | {found['injected']} | {found['found']} | {found['right_row']} | {found['right_seat']} "
            f"| {_told(found)} | {found['right_remedy']} | {found['ruled']} | {seconds(found['delay_median'])} / "
            f"{seconds(found['delay_worst'])} | {found['limits_right']}/{found['limits']} | {false_beside(found)} |"
            for row, found in rows.items()
        ),
    ]


def _untold(rows: Object) -> list[str]:
    return [
        "",
        "Rows that no sensor tells, staged to see that nobody is accused of something else:",
        "",
        "| row | staged | named all the same | false alarms beside it |",
        "|---|---|---|---|",
        *(f"| {row} | {found['rounds']} | {found['told']} | {false_beside(found)} |" for row, found in rows.items()),
    ]


def _told(found: Object) -> str:
    low, high = wilson(found["told"], found["injected"])
    return f"{found['told']} ({100 * low:.0f}–{100 * high:.0f} %)"
