"""The link to the table's microcontrollers: frames, sessions, several nodes → observations."""

from __future__ import annotations

from firmware_bridge.bridge import Bridge
from firmware_bridge.frames import Lights

__all__ = ["Bridge", "Lights"]
