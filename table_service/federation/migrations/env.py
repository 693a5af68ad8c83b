"""Alembic's entry: runs the steps on the connection that ``migrating.py`` has opened."""

from __future__ import annotations

from typing import Any

from alembic import context

config: Any = getattr(context, "config", None)  # there is one only while Alembic runs this file
if config is not None:
    context.configure(connection=config.attributes["connection"], target_metadata=None)
    with context.begin_transaction():
        context.run_migrations()
