"""The whole camera chain of a running table over a phone's stream: calibrated on its first picture, cards are told."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from hw.observations import Sight
from hw.table_sections import CameraSection as CameraSection
from hw.table_sections import TableSection
from hw.tablemap import TableMap
from hw.twin.camera import Camera
from hw.twin.scene import PlacedCard, Scene
from table_service.camera.camera_loop import CameraWatch
from tests.camera.mjpeg_server import Phone, serving
from tests.camera.test_camera_loop import Ear, _until


@pytest.mark.slow(seconds=3)
def test_cards_in_a_phones_stream_become_sights_of_a_running_table() -> None:
    camera = Camera(seed=5, width=1080, height=1080)
    laid = (PlacedCard("7H#1", -50.0, 50.0, 0.0, face_up=True), PlacedCard("KS#1", 300.0, -300.0, 90.0, face_up=True))
    is_laid = threading.Event()
    stop, ear = threading.Event(), Ear()

    def picture(n: int) -> Any:
        return camera.render(Scene(float(n), laid if is_laid.is_set() else ()))

    phone = Phone(picture)
    phone.every_s = 0.1
    with serving(phone):
        table = TableMap(table=TableSection(name="T1", rules="fibur2024"), camera=CameraSection(source=phone.address()))
        watch = CameraWatch(table, ear, time.monotonic, stop, boot="b", say=lambda _: None)
        thread = threading.Thread(target=watch.run, daemon=True)
        thread.start()
        _until(lambda: any(isinstance(one, Sight) for one in ear.heard))
        assert all(one.cards == () for one in ear.heard if isinstance(one, Sight))
        is_laid.set()
        _until(
            lambda: any(
                {"7H", "KS"} == {card.card for card in one.cards} for one in ear.heard if isinstance(one, Sight)
            )
        )
        stop.set()
        thread.join(20)
