"""Places, people, results, cases and rights of a federation; certificates, so that old events can be verified."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
_NOW = sa.text("now()")
_MOMENT = sa.DateTime(timezone=True)
_SEARCHED = sa.text(
    "type in ('irregularity', 'score.counted', 'deal.ended', 'round.ended', 'referee.called',"
    " 'sanction.imposed', 'warning.given')"
)


def upgrade() -> None:
    """Make the tables, and the indexes by which a hall's findings and a catalogue row's are found."""
    op.create_index("event_of_boot", "event", ["boot_id", "type", "time"], postgresql_where=_SEARCHED)
    op.execute(
        'create index event_of_row on event (substring(body from \'"row":"([^"]{1,12})"\'), time)'
        " where type = 'irregularity'"
    )
    op.create_table(
        "certificate",
        sa.Column("hall", sa.Text, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("serial", sa.Text, nullable=False),
        sa.Column("pem", sa.Text, nullable=False),
        sa.Column("authority", sa.Text, nullable=False),
        sa.Column("seen", _MOMENT, nullable=False, server_default=_NOW),
        sa.PrimaryKeyConstraint("hall", "table_name", "serial"),
    )
    op.create_table(
        "place",
        sa.Column("hall", sa.Text, primary_key=True),
        sa.Column("club", sa.Text, nullable=False, server_default=""),
        sa.Column("region", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "reach",
        sa.Column("reader", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("reader", "kind", "name"),
        sa.CheckConstraint("kind in ('federation', 'region', 'club', 'hall')"),
    )
    op.create_table(
        "member",
        sa.Column("number", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("club", sa.Text, nullable=False, server_default=""),
        sa.Column("category", sa.Text, nullable=False, server_default=""),
        sa.Column("at", _MOMENT, nullable=False, server_default=_NOW),
        sa.Column("erased", sa.Date),
    )
    op.create_index("member_name", "member", [sa.text("lower(name)")])
    op.create_index("member_club", "member", ["club"])
    _results()
    op.create_table(
        "filed_case",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("hall", sa.Text, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("boot", sa.Text, nullable=False),
        sa.Column("deal", sa.Integer),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("rule_row", sa.Text, nullable=False, server_default=""),
        sa.Column("note", sa.Text, nullable=False, server_default=""),
        sa.Column("sent_by", sa.Text, nullable=False),
        sa.Column("sent", _MOMENT, nullable=False, server_default=_NOW),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
        sa.Column("answered", _MOMENT),
        sa.Column("zip", sa.LargeBinary),
        sa.CheckConstraint("kind in ('opinion', 'appeal')"),
    )
    op.create_index("filed_case_open", "filed_case", ["answered", "sent"])
    op.create_table(
        "hook",
        sa.Column("url", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("done_through", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("trouble", sa.Text, nullable=False, server_default=""),
    )


def _results() -> None:
    """Make the tables of tournaments: circuits with their rules of points, results by entry, people, seats."""
    op.create_table(
        "circuit",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("at", _MOMENT, nullable=False, server_default=_NOW),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("hall", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("began", _MOMENT, nullable=False),
        sa.Column("circuit", sa.Text, sa.ForeignKey("circuit.name", ondelete="SET NULL")),
        sa.Column("level", sa.Text, nullable=False, server_default=""),
        sa.Column("sent_by", sa.Text, nullable=False),
        sa.Column("at", _MOMENT, nullable=False, server_default=_NOW),
        sa.UniqueConstraint("hall", "name", "began"),
    )
    op.create_index("tournament_began", "tournament", ["began"])
    op.create_table(
        "ranked_entry",
        sa.Column("tournament", sa.BigInteger, sa.ForeignKey("tournament.id", ondelete="CASCADE"), nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer),
        sa.PrimaryKeyConstraint("tournament", "entry"),
    )
    op.create_table(
        "player",
        sa.Column("tournament", sa.BigInteger, nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("nth", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("member", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("tournament", "entry", "nth"),
        sa.ForeignKeyConstraint(
            ["tournament", "entry"], ["ranked_entry.tournament", "ranked_entry.entry"], ondelete="CASCADE"
        ),
    )
    op.create_index("player_member", "player", ["member"])
    op.create_table(
        "seated",
        sa.Column("tournament", sa.BigInteger, nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("began", _MOMENT, nullable=False),
        sa.Column("ended", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "entry", "began"),
        sa.ForeignKeyConstraint(
            ["tournament", "entry"], ["ranked_entry.tournament", "ranked_entry.entry"], ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """Take these tables and indexes away, with what is in them; the archive of events stays."""
    for name in (
        "hook", "filed_case", "seated", "player", "ranked_entry", "tournament", "circuit", "member", "reach", "place",
        "certificate",
    ):  # fmt: skip
        op.drop_table(name)
    op.execute("drop index event_of_row")
    op.drop_index("event_of_boot", "event")
