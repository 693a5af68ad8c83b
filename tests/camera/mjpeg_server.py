"""A small MJPEG server on this machine, as a phone's camera app is one: what it serves can be changed while it runs."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2

Picture = Callable[[int], Any]


class Phone:
    """What the server does. ``picture``: the picture of a number (BGR)."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.every_s = 0.02
        self.stop_after: int | None = None
        """Hang up after so many pictures."""
        self.hang_after: int | None = None
        """Send nothing more after so many pictures, and stay connected."""
        self.wanted = ""
        """User and password that it asks for, as USER:PASSWORD."""
        self.with_length = True
        self.opened = 0
        self.ended = threading.Event()
        self.port = 0

    def address(self, user: str = "", path: str = "/video") -> str:
        """The address to give to a camera."""
        return f"http://{user}{'@' if user else ''}127.0.0.1:{self.port}{path}"


@contextmanager
def serving(phone: Phone) -> Iterator[Phone]:
    """Serve ``phone`` on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            if self.path == "/":
                self._page()
            elif self.path != "/video":
                self.send_error(404)
            elif phone.wanted and self.headers.get("Authorization") != _basic(phone.wanted):
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="phone"')
                self.end_headers()
            else:
                self._video()

        def _page(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html>my phone</html>")

        def _video(self) -> None:
            phone.opened += 1
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
            self.end_headers()
            n = 0
            while not phone.ended.is_set() and (phone.stop_after is None or n < phone.stop_after):
                if phone.hang_after is not None and n >= phone.hang_after:
                    phone.ended.wait(0.05)
                    continue
                data = cv2.imencode(".jpg", phone.picture(n))[1].tobytes()
                length = f"Content-Length: {len(data)}\r\n" if phone.with_length else ""
                try:
                    self.wfile.write(f"--cut\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n")
                except OSError:
                    return
                n += 1
                time.sleep(phone.every_s)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    phone.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield phone
    finally:
        phone.ended.set()
        server.shutdown()
        server.server_close()


def _basic(password: str) -> str:
    return "Basic " + base64.b64encode(password.encode()).decode()
