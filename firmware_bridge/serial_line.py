"""A serial port as a line of bytes that may be missing, busy or pulled out at any moment."""

from __future__ import annotations

import contextlib
import errno
import os
import select
from typing import Final

import serial

from hw.errors import TavoloError

READ_SECONDS: Final = 0.04
WRITE_SECONDS: Final = 1.0
BAUD: Final = 115_200
"""Without meaning on USB and on a pseudo-terminal; a UART states its own."""


class LineError(TavoloError, OSError):
    """The line cannot be opened or has gone; the text is one sentence for a person."""


class SerialLine:
    """One open serial port, held for us alone."""

    def __init__(self, port: str, baud: int = BAUD) -> None:
        """Open ``port``. Raises LineError."""
        self.port = port
        try:
            self._serial = serial.Serial(port, baud, timeout=READ_SECONDS, exclusive=True)
            self._serial.reset_output_buffer()  # unread data of an earlier reader is not meant for this one
        except (OSError, ValueError) as error:
            raise LineError(_why(port, error)) from None

    def read(self) -> bytes:
        """Return what has arrived, after at most READ_SECONDS. Raises LineError if the port has gone."""
        try:
            return self._serial.read(max(1, self._serial.in_waiting))
        except (OSError, TypeError) as error:  # SerialException is an OSError; TypeError: closed under our hands
            raise LineError(f"The serial device {self.port} has gone ({_word(error)}).") from None

    def write(self, data: bytes) -> None:
        """Write all of ``data``. Raises LineError if the port has gone or takes nothing for WRITE_SECONDS.

        Not pyserial's ``write``: that one calls it a failure, too, when this machine was halted for as long after the
        port had taken everything, and what follows a failure (the port opened anew) loses what was on its way.
        """
        rest = memoryview(data)
        try:
            port = self._serial.fileno()
            while rest and select.select([], [port], [], WRITE_SECONDS)[1]:
                with contextlib.suppress(BlockingIOError):
                    rest = rest[os.write(port, rest) :]
        except (OSError, TypeError, ValueError) as error:  # ValueError, TypeError: closed under our hands
            raise LineError(f"The serial device {self.port} has gone ({_word(error)}).") from None
        if rest:
            raise LineError(f"The serial device {self.port} takes no more bytes.")

    def close(self) -> None:
        """Give the port back; never raises."""
        try:
            self._serial.close()
        except OSError:
            return


def _word(error: Exception) -> str:
    return (error.strerror or "no answer") if isinstance(error, OSError) and error.errno else "unplugged"


def _why(port: str, error: OSError | ValueError) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT:
        return f"There is no serial device {port}: is the node plugged in?"
    if number in (errno.EACCES, errno.EPERM):
        return f"The serial device {port} may not be opened: is this user in its group (dialout)?"
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"The serial device {port} is in use by another program."
    return f"The serial device {port} cannot be opened ({_word(error)})."
