"""Address of the archive, and a connection to it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from typing import Any, Final

import asyncpg

from table_service.federation.errors import ArchiveAwayError

PATIENCE_S: Final = 10.0
"""Seconds within which PostgreSQL must take a connection."""
GONE: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.QueryCanceledError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DiskFullError,
)
"""Errors after which the same statement may succeed on a later connection."""


@dataclass(frozen=True, slots=True)
class ArchiveAddress:
    """A PostgreSQL database and how to sign in. ``tls`` None: nothing is encrypted."""

    host: str
    port: int
    database: str
    user: str
    password: str | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = None

    @property
    def place(self) -> str:
        """The database as a sentence names it."""
        return f"PostgreSQL {self.host}:{self.port}/{self.database}"

    async def connect(self) -> Any:
        """Return an open connection. Raises ArchiveAwayError."""
        try:
            return await asyncpg.connect(
                host=self.host, port=self.port, database=self.database, user=self.user, password=self.password,
                ssl=self.tls or False, timeout=PATIENCE_S, command_timeout=60.0,
            )  # fmt: skip
        except (*GONE, asyncpg.PostgresError) as error:
            raise ArchiveAwayError(f"{self.place} is not reached: {error or type(error).__name__}") from None
