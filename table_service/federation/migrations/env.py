"""Alembic's entry: runs the steps on the connection that ``migrating.py`` has opened."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
with context.begin_transaction():
    context.run_migrations()
