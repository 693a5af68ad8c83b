"""The archive's first tables: boots, events by month, what is gone for good, who was heard, workers, refusals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables.

    The month of an event is its boot's, so that the key (month, boot, number) admits an event once and never a second
    time in another month.
    """
    op.create_table(
        "boot",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("hall", sa.Text, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("boot", sa.Text, nullable=False),
        sa.Column("month", sa.Date, nullable=False),
        sa.Column("told_last", sa.Integer, nullable=False, server_default="0"),
        sa.Column("whole_through", sa.Integer, nullable=False, server_default="0"),
        sa.UniqueConstraint("hall", "table_name", "boot"),
    )
    op.create_index("boot_lacking", "boot", ["id"], postgresql_where=sa.text("told_last > whole_through"))
    op.create_table(
        "event",
        sa.Column("month", sa.Date, nullable=False),
        sa.Column("boot_id", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("deal", sa.Integer),
        sa.Column("t", sa.Double),
        sa.Column("time", sa.DateTime(timezone=True)),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("month", "boot_id", "seq"),
        postgresql_partition_by="RANGE (month)",
    )
    # Of ten events nine are cards that nobody looks for by date: only the others are in this index.
    op.create_index(
        "event_searched",
        "event",
        ["type", "time"],
        postgresql_where=sa.text(
            "type in ('irregularity', 'score.counted', 'deal.ended', 'round.ended', 'referee.called',"
            " 'sanction.imposed', 'warning.given')"
        ),
    )
    op.create_table(
        "gone",
        sa.Column("boot_id", sa.BigInteger, sa.ForeignKey("boot.id", ondelete="CASCADE"), nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("boot_id", "first", "last"),
    )
    op.create_table(
        "heard",
        sa.Column("hall", sa.Text, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hall", "table_name"),
    )
    op.create_table(
        "refusal",
        sa.Column("hall", sa.Text, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("times", sa.BigInteger, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hall", "table_name", "reason"),
    )
    op.create_table(
        "worker",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken", sa.BigInteger, nullable=False),
        sa.Column("archived", sa.BigInteger, nullable=False),
        sa.Column("repeated", sa.BigInteger, nullable=False),
        sa.Column("refused", sa.BigInteger, nullable=False),
        sa.Column("leads", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    """Take all tables away, with what is in them."""
    for name in ("worker", "refusal", "heard", "gone", "event", "boot"):
        op.drop_table(name)
