"""Change notices for open pages: at once if urgent, else gathered."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Watch:
    """Notice of changes for one open page: ``changed`` at every change, ``urgent`` if it cannot wait."""

    __slots__ = ("changed", "hurried", "urgent")

    def __init__(self) -> None:
        self.hurried = False
        self.changed = asyncio.Event()
        self.urgent = asyncio.Event()

    async def wait(self, quiet: float, gather: float, slow: float) -> bool:
        """Wait for a change, at most ``quiet`` seconds; False where there was none.

        What comes within ``gather`` seconds is shown together; what is not urgent may wait ``slow`` seconds. Afterwards
        ``hurried`` says whether something urgent was among it.
        """
        try:
            await asyncio.wait_for(self.changed.wait(), quiet)
        except TimeoutError:
            return False
        if slow > gather and not self.urgent.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.urgent.wait(), slow)
        await asyncio.sleep(gather)
        self.hurried = self.urgent.is_set()
        self.changed.clear()
        self.urgent.clear()
        return True
