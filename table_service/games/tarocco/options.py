"""Options of a table of tarocco: points that the texts leave open, each with the default of the facts file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hw.observation_log import Header
from hw.table_options import COMMON_OPTIONS, Option, word_of
from table_service.games.tarocco.rules.match import Form

FORMS: Final[dict[str, Form]] = {"quattro-scartate": "quattro-scartate", "ottocento": "ottocento"}
_YES_NO: Final = Option(("true", "false"))
"""By words, as the beginning of a round tells them."""
OPTIONS: Final[Mapping[str, Option]] = {
    **COMMON_OPTIONS,
    "form": Option(tuple(FORMS)),
    "must_trump": _YES_NO,
    "matto_lost_without_trick": _YES_NO,
    "last_trick_with_scartini": _YES_NO,
    "misdeals_together": _YES_NO,
}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The choices of one table.

    ``form``: how a match ends. ``must_trump``: who cannot follow plays a trump. ``matto_lost_without_trick``: a line
    without a trick loses the Matto. ``last_trick_with_scartini``: who counts his scartini only keeps the last trick.
    ``misdeals_together``: commas 7 and 8 are counted as one for the loss of the scarto.
    """

    form: Form = "quattro-scartate"
    must_trump: bool = True
    matto_lost_without_trick: bool = True
    last_trick_with_scartini: bool = False
    misdeals_together: bool = False

    def words(self) -> dict[str, str]:
        """Options as written at the beginning of a round, so that it continues by them after a restart."""
        return {name: word_of(value) for name, value in self.public().items()}

    def public(self) -> dict[str, Any]:
        """Options as the public state has them."""
        return {
            "form": self.form,
            "must_trump": self.must_trump,
            "matto_lost_without_trick": self.matto_lost_without_trick,
            "last_trick_with_scartini": self.last_trick_with_scartini,
            "misdeals_together": self.misdeals_together,
        }


def chosen(header: Header) -> TableOptions:
    """Return the options of a log; one that it does not name, or names wrongly, has its default."""
    usual, told = TableOptions(), header.options

    def yes(name: str, default: bool) -> bool:
        return {"true": True, "false": False}.get(word_of(told.get(name)), default)

    return TableOptions(
        form=FORMS.get(str(told.get("form")), usual.form),
        must_trump=yes("must_trump", usual.must_trump),
        matto_lost_without_trick=yes("matto_lost_without_trick", usual.matto_lost_without_trick),
        last_trick_with_scartini=yes("last_trick_with_scartini", usual.last_trick_with_scartini),
        misdeals_together=yes("misdeals_together", usual.misdeals_together),
    )
