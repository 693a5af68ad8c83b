"""Addresses of network cameras: what may be said of them."""

from __future__ import annotations

from typing import Final

NETWORK: Final = ("http", "https", "rtsp", "rtsps")
"""Schemes of cameras in the network."""


def shown_address(source: str) -> str:
    """``source`` as it may stand in a sentence or a log: without user and password, and without what follows a ``?``.

    >>> shown_address("http://ada:s3cret@10.0.0.7:8080/video?key=abc")
    'http://10.0.0.7:8080/video'
    >>> shown_address("v4l2:/dev/video0")
    'v4l2:/dev/video0'
    """
    scheme, mark, rest = source.partition("://")
    if not mark:
        return source.partition("@")[2] or source
    host, slash, path = rest.partition("?")[0].partition("/")
    if "@" in path:  # a password with a slash in it
        host, _, path = rest.rpartition("@")[2].partition("?")[0].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
