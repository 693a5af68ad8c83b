"""``python3 -m table_service.install``: the same as `tavolo install`, before there is a `tavolo`."""

from __future__ import annotations

import sys

from table_service.install.command import main

sys.exit(main(prog="python3 -m table_service.install"))
