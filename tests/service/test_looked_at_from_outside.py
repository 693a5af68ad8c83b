"""Another program that looks into the files of a running table or console, and may write, takes nothing from them.

SQLite's locks belong to the process (POSIX): whoever opens and closes a database's file by himself while SQLite has it
open drops them, and the next program to look in deletes the write-ahead file as the last one out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from table_service.console.storage import Book
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService

LOOK = (
    "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); print(db.execute(sys.argv[2]).fetchone()[0]); db.close()"
)


def seen_from_outside(path: Path, sql: str) -> int:
    """What another process finds in the database at ``path``."""
    done = subprocess.run([sys.executable, "-c", LOOK, path, sql], check=True, capture_output=True, text=True)
    return int(done.stdout)


def test_a_table_that_plays_keeps_what_it_has_told(tmp_path: Path) -> None:
    rehearsal = prepare("fibur2024", 5, 1, table="T1")
    places = TableFiles.under(tmp_path, "T1")
    now = [0.0]
    for _ in range(2):  # a new journal, and one that is gone on with
        service = TableService(rehearsal.header, "prova", places, BrokerAddress("127.0.0.1", 1), lambda: now[0])
        for number, one in enumerate(rehearsal.observations()):
            now[0] = one.t
            service.observe(one)
            if number % 2_000 == 0:
                service.health({})
                service.journal.flush()
                at = service.journal.head()[0]
                assert seen_from_outside(places.journal, "SELECT count(*) FROM entries") == at
                assert places.journal.with_name(f"{places.journal.name}-wal").exists()
        service.close(0.0)


def test_a_console_keeps_what_it_has_heard(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    for start in (1, 2):
        book = Book(path)
        for seq in range(1, 4):
            event = {
                "v": 1,
                "id": f"T12-00000{start}-{seq}",
                "boot": f"00000{start}",
                "seq": seq,
                "type": "turn.started",
            }
            event |= {"table": "T12", "t": 1.0, "time": "2026-11-26T10:00:00Z", "deal": 1, "seat": "N", "data": {}}
            book.kept.event("T12", event, json.dumps(event), now=1.0)
            book.kept.flush()
            assert seen_from_outside(path, "select count(*) from event") == 3 * (start - 1) + seq
            assert path.with_name("console.sqlite-wal").exists()
        book.close()
