"""The bidding box that a table's configuration names: which faces were not enrolled, and what is to be done."""

from __future__ import annotations

from typing import Literal

from hw.bidding import BIDDING_BOX
from hw.tablemap import TableMap
from vision.faces.box import BiddingFaces, missing_calls
from vision.packs import PackError, PackFaces
from vision.surface import TRAY


def calls_not_enrolled(table: TableMap) -> tuple[str, ...]:
    """Return the faces that the table's enrolled bidding box lacks; none if no box is read.

    Raises PackError if the file cannot be read or is no bidding box.
    """
    if table.camera.box is None or table.camera.source == "none" or TRAY not in table.layout().zones:
        return ()
    pack = PackFaces.load(table.camera.box)
    BiddingFaces(pack)
    return missing_calls(pack)


def box_notes(table: TableMap, language: Literal["it", "en"]) -> list[str]:
    """Return the sentence that names what the table's bidding box lacks and the remedy; nothing of one that is whole.

    Nor of a file that is no box: the camera's part reports it and keeps trying.
    """
    try:
        missing = calls_not_enrolled(table)
    except PackError:
        return []
    if not missing:
        return []
    box, all_faces, names = table.camera.box, len(BIDDING_BOX.copies), ", ".join(missing)
    if language == "it":
        told = f"nel bidding box registrato ({box}) mancano {names}: nessun cartellino di licita sarà letto"
        remedy = f"fotografare tutte le {all_faces} facce e registrarle di nuovo: tavolo enrol FOTO"
    else:
        told = f"the enrolled bidding box ({box}) lacks {names}: no bidding card will be named"
        remedy = f"photograph all {all_faces} faces and enrol them again: tavolo enrol PHOTO"
    return [f"{told}; {remedy} --of bidding --out {box}"]
