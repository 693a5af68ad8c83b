"""The services that `console_load.py --away` sends to: they take what a console sends, and count it."""

from __future__ import annotations

import json
import smtplib
import ssl
import subprocess
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]


def test_a_mail_by_starttls_and_a_push_are_taken_and_counted(tmp_path: Path) -> None:
    """The mail server offered no encryption, the console sent it nothing, and the measurement said `mails: 0`."""
    command = [sys.executable, "tools/console_load.py", "--role", "outside", "--folder", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        port, url, cert = served.stdout.readline().strip().split(",")
        trust = ssl.create_default_context(cafile=cert)
        with smtplib.SMTP("127.0.0.1", int(port), timeout=30) as link:
            link.starttls(context=trust)
            link.sendmail("tavolo@hall.example", ["arbitro-0@hall.example"], "Subject: T1\r\n\r\nT1\r\n")
        assert httpx.post(url, content=b"x", verify=trust, timeout=30).status_code == 201
        out, _ = served.communicate(timeout=60)
    assert json.loads(out) == {"mails": 1, "pushes": 1}
