"""`tavolo calibrate`: marker sheets, camera to table from one frame or from cards, and whether it still holds."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Final

import typer

from hw.camera_address import shown_address
from hw.layout import DEFAULT_LAYOUT, Layout
from hw.tablemap import TableMap
from hw.whole_files import write_whole
from vision.calibration import DRIFT_MM, Calibration, calibrate
from vision.card_calibration import calibrate_by_cards
from vision.drift import DriftWatch
from vision.errors import CalibrationError, PictureError, SourceError
from vision.marker_sheets import marker_sheets
from vision.pictures import open_picture
from vision.source import PictureFiles

SETTLES_S: Final = 2.0
"""Seconds for which a camera settles its exposure before its picture is taken."""


def calibrate_command(
    *,
    sheets: Path | None,
    image: Path | None,
    out: Path | None,
    against: Path | None,
    config: Path | None,
    cards: bool,
    as_json: bool,
) -> int:
    """Do what was asked and say it; answers the exit code."""
    from hw.config_text import ConfigError

    try:
        table = _table(config)
        layout = DEFAULT_LAYOUT if table is None else table.layout()
        if sheets is not None:
            sheets.write_bytes(marker_sheets(layout))
            typer.echo(f"{sheets}: {len(layout.markers)} markers; print at 100 % and check the rulers", err=as_json)
        if image is None and sheets is not None:
            return 0
        frame, name = _frame(image, table)
        if against is not None:
            return _compare(frame, layout, Calibration.load(against), as_json=as_json)
        if cards and out is None and table is not None:
            out = table.camera.calibration
        return _measure(frame, name, layout, out, cards=cards, as_json=as_json)
    except (PictureError, CalibrationError, ConfigError, SourceError) as error:
        typer.echo(f"tavolo: {error}", err=True)
    except OSError as error:
        file = error.filename or sheets or out  # a full disk is reported without its file's name
        typer.echo(f"tavolo: cannot write {file}: {error.strerror or error}", err=True)
    return 1


def _table(config: Path | None) -> TableMap | None:
    if config is None:
        return None
    from table_service.rulesets import load_table

    return load_table(config)


def _frame(image: Path | None, table: TableMap | None) -> tuple[Any, str]:
    """Return the picture to measure and its name: the file's, or one from the table's own camera once it is settled."""
    if image is not None:
        return open_picture(image), str(image)
    from table_service.camera.camera_loop import open_camera

    if table is None:
        raise CalibrationError("name a picture with --image, or the table whose camera takes one with --config")
    source = open_camera(table, time.monotonic)
    try:
        began = None
        for one in source.frames():
            began = one.t if began is None else began
            if one.t - began >= SETTLES_S or isinstance(source, PictureFiles):
                return one.picture, shown_address(table.camera.source)
    finally:
        source.close()
    raise SourceError(f"{shown_address(table.camera.source)} gives no picture")


def _measure(frame: Any, name: str, layout: Layout, out: Path | None, *, cards: bool, as_json: bool) -> int:
    found = calibrate_by_cards(frame, layout) if cards else calibrate(frame, layout)
    document = {"image": name, **found.to_dict(), "px_per_mm": round(found.px_per_mm(), 3)}
    if out is not None:
        write_whole(out, (json.dumps(document, indent=1) + "\n").encode(), mode=0o644)
    if as_json:
        typer.echo(json.dumps(document))
    elif cards:
        typer.echo(
            f"{name}: five cards, within {found.error_mm:.1f} mm as a rule, {found.px_per_mm():.2f} px per mm"
            + (f"; kept in {out}" if out is not None else "; --out FILE keeps it")
        )
        if not found.rim:
            typer.echo("the table's edge does not show in the picture: a camera that is pushed is not noticed")
    else:
        typer.echo(
            f"{name}: {len(found.markers)} of {len(layout.markers)} markers, residual {found.residual_mm:.2f} mm, "
            f"{found.px_per_mm():.2f} px per mm"
        )
    return 0


def _compare(frame: Any, layout: Layout, kept: Calibration, *, as_json: bool) -> int:
    kept.check_size(frame)
    watch = DriftWatch(layout, kept)
    apart = watch.measure(frame)
    drift = kept.drift(frame, layout) if kept.markers else None
    worst = max(apart.values(), default=drift.worst_mm if drift is not None else None)
    seen = "markers" if kept.markers else "edges"
    if worst is None:
        raise CalibrationError(f"none of the table's {seen} can be seen")
    moved = drift is None or drift.moved or worst > DRIFT_MM if kept.markers else bool(watch.off(apart))
    if as_json:
        typer.echo(json.dumps({"worst_mm": round(worst, 2), "moved": moved, seen: sorted(apart)}))
    else:
        word = "moved: calibrate again" if moved else "still right"
        typer.echo(f"{seen} lie up to {worst:.2f} mm from their places: {word}")
    return 1 if moved else 0
