"""Write `docs/schema/`: what other programs may rely on, made from the code that reads and writes it.

`python tools/make_schemas.py` writes the files, `--check` only says which are not up to date (exit code 1).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from table_service.console.app import create_app  # noqa: E402
from table_service.console.settings import ConsoleSettings  # noqa: E402
from table_service.events import event_schema  # noqa: E402
from table_service.rulesets import PAYLOADS  # noqa: E402
from tools.schemas.log import log_schema  # noqa: E402
from tools.schemas.parts import Json  # noqa: E402
from tools.schemas.topics import asyncapi, state_schema  # noqa: E402

FOLDER: Final = ROOT / "docs" / "schema"


def openapi() -> Json:
    """Return the OpenAPI document of the arbitro's console."""
    return create_app(ConsoleSettings(), listen=False).openapi()


FILES: Final[dict[str, Callable[[], Json]]] = {
    "observation-log.schema.json": log_schema,
    "events.schema.json": lambda: event_schema(PAYLOADS),
    "state.schema.json": state_schema,
    "asyncapi.json": asyncapi,
    "openapi.json": openapi,
}


def text_of(document: Json) -> str:
    """``document`` as the file has it."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` compare them. Returns the exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: python tools/make_schemas.py [--check]", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    stale = []
    for name, make in FILES.items():
        path, text = FOLDER / name, text_of(make())
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not arguments:
            path.write_text(text, encoding="utf-8")
    told = "is not up to date: run python tools/make_schemas.py" if arguments else "written"
    for name in stale:
        print(f"docs/schema/{name} {told}")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
