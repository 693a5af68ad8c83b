"""Connections to the archive for who reads it and keeps its people and cases: a few, shared, with plain errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Self

import asyncpg

from table_service.federation.archive_address import GONE, PATIENCE_S, ArchiveAddress
from table_service.federation.errors import ArchiveAwayError, FederationError

_MOST: Final = 8
"""Connections at most: a page waits rather than take all that PostgreSQL has."""
_STATEMENT_S: Final = 30.0


class ArchivePool:
    """Statements on the archive, in the event loop that calls first. Every method raises ArchiveAwayError.

    FederationError is raised where there are no tables.
    """

    def __init__(self, address: ArchiveAddress) -> None:
        self.address = address
        self._pool: Any = None

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        """Lend a connection; its errors become one sentence."""
        db, place = await self._acquired(), self.address.place
        try:
            yield db
        except asyncpg.UndefinedTableError:
            raise FederationError("the archive has no such tables yet: run 'tavolo federation migrate'") from None
        except GONE as error:
            raise ArchiveAwayError(f"{place} went away: {error or type(error).__name__}") from None
        finally:
            with suppress(*GONE):
                await self._pool.release(db)

    async def _acquired(self) -> Any:
        at = self.address
        try:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    host=at.host, port=at.port, database=at.database, user=at.user, password=at.password,
                    ssl=at.tls or False, timeout=PATIENCE_S, command_timeout=_STATEMENT_S, min_size=0, max_size=_MOST,
                )  # fmt: skip
            return await self._pool.acquire(timeout=PATIENCE_S)
        except (*GONE, asyncpg.PostgresError) as error:
            raise ArchiveAwayError(f"{at.place} is not reached: {error or type(error).__name__}") from None

    @asynccontextmanager
    async def together(self) -> AsyncIterator[Any]:
        """Lend a connection in a transaction: all or nothing."""
        async with self.connection() as db, db.transaction():
            yield db

    async def rows(self, statement: str, *values: object) -> list[Any]:
        """Return the rows of a question."""
        async with self.connection() as db:
            found: list[Any] = await db.fetch(statement, *values)
            return found

    async def one(self, statement: str, *values: object) -> Any:
        """Return the first row, or None."""
        async with self.connection() as db:
            return await db.fetchrow(statement, *values)

    async def value(self, statement: str, *values: object) -> Any:
        """Return the first value of the first row."""
        async with self.connection() as db:
            return await db.fetchval(statement, *values)

    async def do(self, statement: str, *values: object) -> int:
        """Change something and return how many rows."""
        async with self.connection() as db:
            done = str(await db.execute(statement, *values)).rpartition(" ")[2]
            return int(done) if done.isdigit() else 0

    async def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Change something once for each of ``values``, all or nothing."""
        async with self.together() as db:
            await db.executemany(statement, list(values))

    async def close(self) -> None:
        """End all connections."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
