"""`tavolo calibrate`: marker sheets to print, camera to table from one frame, and whether a calibration still holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from hw.layout import DEFAULT_LAYOUT, Layout
from hw.whole_files import write_whole
from vision.calibration import Calibration, calibrate
from vision.drift import DriftWatch
from vision.errors import CalibrationError, PictureError
from vision.marker_sheets import marker_sheets
from vision.pictures import open_picture


def calibrate_command(
    *,
    sheets: Path | None,
    image: Path | None,
    out: Path | None,
    against: Path | None,
    config: Path | None,
    as_json: bool,
) -> int:
    """Do what was asked and say it; answers the exit code."""
    from hw.config_text import ConfigError

    try:
        layout = _layout(config)
        if sheets is not None:
            sheets.write_bytes(marker_sheets(layout))
            typer.echo(f"{sheets}: {len(layout.markers)} markers; print at 100 % and check the rulers", err=as_json)
        if image is None:
            return 0
        return _measure(image, layout, out, against, as_json=as_json)
    except (PictureError, CalibrationError, ConfigError) as error:
        typer.echo(f"tavolo: {error}", err=True)
    except OSError as error:
        name = error.filename or sheets or out  # a full disk is reported without its file's name
        typer.echo(f"tavolo: cannot write {name}: {error.strerror or error}", err=True)
    return 1


def _layout(config: Path | None) -> Layout:
    if config is None:
        return DEFAULT_LAYOUT
    from table_service.rulesets import load_table

    return load_table(config).layout()


def _measure(image: Path, layout: Layout, out: Path | None, against: Path | None, *, as_json: bool) -> int:
    frame = open_picture(image)
    if against is not None:
        return _compare(frame, layout, _load(against), as_json=as_json)
    found = calibrate(frame, layout)
    document = {"image": str(image), **found.to_dict(), "px_per_mm": round(found.px_per_mm(), 3)}
    if out is not None:
        write_whole(out, (json.dumps(document, indent=1) + "\n").encode(), mode=0o644)
    if as_json:
        typer.echo(json.dumps(document))
    else:
        typer.echo(
            f"{image}: {len(found.markers)} of {len(layout.markers)} markers, residual {found.residual_mm:.2f} mm, "
            f"{found.px_per_mm():.2f} px per mm"
        )
    return 0


def _compare(frame: Any, layout: Layout, kept: Calibration, *, as_json: bool) -> int:
    if frame.shape[:2] != (kept.height, kept.width):
        size = f"{frame.shape[1]}x{frame.shape[0]}"
        raise CalibrationError(f"the calibration is for {kept.width}x{kept.height} pixels, but this frame has {size}")
    apart = DriftWatch(layout, kept).measure(frame)
    drift = kept.drift(frame, layout)
    worst = max(apart.values(), default=drift.worst_mm if drift is not None else None)
    if worst is None:
        raise CalibrationError("none of the table's markers can be seen")
    moved = drift is None or drift.moved or worst > 2.0
    if as_json:
        typer.echo(json.dumps({"worst_mm": round(worst, 2), "moved": moved, "markers": sorted(apart)}))
    else:
        word = "moved: calibrate again" if moved else "still right"
        typer.echo(f"markers lie up to {worst:.2f} mm from their places: {word}")
    return 1 if moved else 0


def _load(path: Path) -> Calibration:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(f"{path.name}: the calibration cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise CalibrationError(f"{path.name}: this is no calibration of a camera: it is not JSON") from None
    if not isinstance(document, dict):
        raise CalibrationError(f"{path.name}: this is no calibration of a camera")
    try:
        return Calibration.from_dict(document)
    except CalibrationError as error:
        raise CalibrationError(f"{path.name}: {error}") from None
