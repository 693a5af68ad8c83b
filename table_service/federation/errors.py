"""Errors of a federation's folder, its broker, its archive, or a request about them."""

from __future__ import annotations

from hw.errors import TavoloError


class FederationError(TavoloError):
    """A part of the federation that is not as it must be; the message is one sentence."""


class FederationUseError(FederationError, ValueError):
    """Something that was asked for wrongly, such as a name that no hall can have."""


class ArchiveAwayError(FederationError):
    """PostgreSQL is not reached, or went away: what was under way is tried again."""


class RowRefusedError(FederationError):
    """PostgreSQL takes a row at no time: of a batch it is looked for, left out, and counted."""
