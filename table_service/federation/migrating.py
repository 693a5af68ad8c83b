"""Migrations of the archive's tables, forward and back (Alembic over SQLAlchemy), one program at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from table_service.federation.archive_address import ArchiveAddress
from table_service.federation.errors import ArchiveAwayError, FederationError, FederationUseError

_LOCK: Final = 0x7461766F01
"""The advisory lock that one who migrates holds."""
_STEPS: Final = Path(__file__).parent / "migrations"


def newest_revision() -> str:
    """Return the revision of the tables that this version of the program writes."""
    found: str | None = ScriptDirectory.from_config(_config()).get_current_head()
    return found or ""


def migrate(address: ArchiveAddress, revision: str = "head") -> str:
    """Bring the archive's tables to ``revision`` (``head``: the newest, ``base``: none) and return where they are.

    Raises FederationError if PostgreSQL refuses, ArchiveAwayError if it is not reached, FederationUseError for a
    revision that does not exist.
    """
    return asyncio.run(_migrate(address, revision))


async def _migrate(address: ArchiveAddress, revision: str) -> str:
    url = URL.create("postgresql+asyncpg", address.user, address.password, address.host, address.port, address.database)
    engine = create_async_engine(url, connect_args={"ssl": address.tls or False, "timeout": 10})
    try:
        async with engine.begin() as connection:
            await connection.execute(text(f"select pg_advisory_xact_lock({_LOCK})"))
            await connection.run_sync(_step, revision)
            found = await connection.execute(text("select coalesce(max(version_num), '') from alembic_version"))
            reached: str = found.scalar_one()
            return reached
    except OSError as error:
        raise ArchiveAwayError(f"{address.place} is not reached: {error}") from None
    except DBAPIError as error:
        raise FederationError(f"{address.place} refuses: {str(error.orig).splitlines()[0]}") from None
    except CommandError as error:
        raise FederationUseError(f"no revision '{revision}' of the archive: {error}") from None
    finally:
        await engine.dispose()


def _step(connection: Any, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    current = connection.execute(text("select to_regclass('alembic_version')")).scalar()
    reached = current and connection.execute(text("select max(version_num) from alembic_version")).scalar()
    goal = {"head": script.get_current_head(), "base": ""}.get(revision, revision)
    if (reached or "") > (goal or ""):
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_STEPS).replace("%", "%%"))
    return config
