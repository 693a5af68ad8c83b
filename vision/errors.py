"""Errors that people meet: each message is one sentence."""

from __future__ import annotations

from hw.errors import TavoloError


class VisionError(TavoloError):
    """Anything of this room that a person can put right; the message is one sentence."""


class PictureError(VisionError):
    """A file that cannot be read as a picture."""


class CalibrationError(VisionError):
    """A frame from which camera and table cannot be brought together."""


class SourceError(VisionError):
    """A camera or recording that cannot be opened, or gives no more frames."""


class ModelError(VisionError):
    """Weights that are missing or do not fit."""
