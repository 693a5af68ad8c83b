"""A fault of ``faults.py``: a clock that jumps while the table plays, and that is wrong when it begins again."""

from __future__ import annotations

import argparse
import mmap
import shutil
import sqlite3
import struct
import subprocess
from contextlib import closing
from typing import Final

from hall_faults import NotRunError, fault
from living_hall import TABLE, Hall

SHIFTED_CLOCK: Final = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static volatile int64_t *shift;
static int (*real)(clockid_t, struct timespec *);
__attribute__((constructor)) static void begin(void) {
    real = dlsym(RTLD_NEXT, "clock_gettime");
    int file = open(getenv("TAVOLO_SHIFT"), O_RDONLY);
    void *found = mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) shift = found;
}
int clock_gettime(clockid_t clock, struct timespec *at) {
    int said = real(clock, at);
    if (said == 0 && clock == CLOCK_REALTIME && shift) at->tv_sec += *shift;
    return said;
}
int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec; at->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""
"""A wall clock that is the machine's, and so many seconds as a file says; the monotonic clock is left alone."""
DAY: Final = 86_400


@fault("clock-jumps")
def clock_jumps(hall: Hall, _asked: argparse.Namespace) -> str:
    """Let the table's wall clock jump while it plays; kill it and begin it again with a wrong one."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise NotRunError("a clock of the table's own is made with a C compiler, and there is none")
    source, library, told = (hall.folder / name for name in ("clock.c", "clock.so", "shift"))
    source.write_text(SHIFTED_CLOCK, encoding="ascii")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)  # noqa: S603
    told.write_bytes(bytes(8))
    assert hall.table is not None  # noqa: S101 - it plays
    hall.table.kill()
    hall.env = {"LD_PRELOAD": str(library), "TAVOLO_SHIFT": str(told)}
    with told.open("r+b") as file, mmap.mmap(file.fileno(), 8) as shift:
        hall.begin_table()
        for by in (3600, -3600, 2 * DAY, -400 * DAY, -20_000 * DAY, 0):  # the last but one: before 1972
            hall.let_play(2)
            shift[:] = struct.pack("<q", by)
            hall.let_play(2)
            if by not in (3600, -3600):
                hall.table.kill()
                hall.begin_table()
        hall.let_play(2)
    hall.table.kill()
    hall.env = {}
    hall.begin_table()
    hall.let_play(1)
    began = "SELECT substr(json_extract(body, '$.opened'), 1, 4) FROM entries WHERE kind = 'boot'"
    with closing(sqlite3.connect(hall.table_folder / f"{TABLE}.sqlite")) as db:
        years = {int(year) for (year,) in db.execute(began)}
    if min(years) > 1972 or len(years) < 3:
        raise NotRunError(f"the table's clock is not shifted on this machine: it began in {sorted(years)}")
    return (
        "1 h to and fro; 2 days forward, 400 days back, before 1972, and right: killed and begun again at each of these"
    )
