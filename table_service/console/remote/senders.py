"""The two ways to servers outside, web push and mail. They block: a courier's thread calls them."""

from __future__ import annotations

import http.client
import json
import smtplib
import ssl
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec

from table_service.console.remote import web_push
from table_service.console.remote.courier import SendError
from table_service.console.remote.notice import AlertNotice, mail_text, push_message
from table_service.console.remote.sharing import MailServer, RemoteSettings
from table_service.console.storage import Away, Device
from table_service.console.vocabulary import Words

PATIENCE_S: Final = 10.0
"""So long a server out there may take for each answer."""
LIVES_S: Final = 1800
"""So long a push service keeps a message for a phone that is off."""
LONGEST_PAUSE_S: Final = 600.0
_URGENT: Final = frozenset({"call", "play-stops", "score"})


def may_reach(host: str, services: Sequence[str]) -> bool:
    """Return True if a push service of that name is one that the hall sends to."""
    return any(fnmatchcase(host.lower(), one.lower()) for one in services)


class PushSender:
    """Web push to all browsers of one person, signed with the console's own key."""

    def __init__(self, settings: RemoteSettings, away: Away, hall: str, key: ec.EllipticCurvePrivateKey,
                 words: Callable[[int], Words], clock: Callable[[], float] = time.time) -> None:  # fmt: skip
        self._settings, self._away, self._hall, self._key = settings, away, hall, key
        self._words, self._clock = words, clock
        self._tls = settings.push_tls or ssl.create_default_context()

    def __call__(self, account: int, notices: Sequence[AlertNotice]) -> None:
        """Send to each browser; it is enough that one of them took it. Raises SendError."""
        message = json.dumps(push_message(notices, self._words(account), self._hall), ensure_ascii=False).encode()
        urgency = "high" if any(one.severity in _URGENT for one in notices) else "normal"
        devices, failed, took = self._away.devices(account), list[SendError](), 0
        if not devices:
            raise SendError("away_no_browser")
        for device in devices:
            try:
                self._send(account, device, message, urgency)
                took += 1
            except SendError as error:
                failed.append(error)
        if failed and not took:
            raise next((one for one in failed if one.again), failed[0])

    def _send(self, account: int, device: Device, message: bytes, urgency: str) -> None:
        try:
            to = web_push.subscription(device.endpoint, device.p256dh, device.auth)
        except web_push.PushError:
            raise SendError("away_bad_device") from None
        if not may_reach(to.service, self._settings.push_services):
            raise SendError("away_push_foreign", where=to.service)
        voucher = web_push.voucher(to.endpoint, self._key, now=self._clock(), contact=self._settings.contact)
        headers = {
            "TTL": str(LIVES_S), "Urgency": urgency, "Authorization": voucher, "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }  # fmt: skip
        status, after = self._post(to, web_push.encrypt(message, to), headers)
        if status in (404, 410):
            self._away.drop_device(device.endpoint, account)
            raise SendError("away_push_gone")
        if status not in (200, 201, 202, 204):
            again = status == 429 or status >= 500
            raise SendError("away_answered", again=again, after=after, where=to.service, status=status)

    def _post(self, to: web_push.Subscription, body: bytes, headers: dict[str, str]) -> tuple[int, float]:
        """Post; return the answer's status, and for how long the service wants no more. No redirection is followed."""
        parts = urlsplit(to.endpoint)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        link = http.client.HTTPSConnection(to.service, parts.port or 443, timeout=PATIENCE_S, context=self._tls)
        try:
            link.request("POST", path, body, headers)
            answer = link.getresponse()
            wait = answer.headers.get("Retry-After", "")
            return answer.status, min(LONGEST_PAUSE_S, float(wait)) if wait.isdigit() else 0.0
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise SendError("away_unreached", again=True, where=to.service, why=_why(error)) from None
        finally:
            link.close()


class MailSender:
    """Mail by the configured server: one connection, one message."""

    def __init__(self, server: MailServer, away: Away, hall: str, words: Callable[[int], Words],
                 address: Callable[[int], str]) -> None:  # fmt: skip
        self._server, self._away, self._hall = server, away, hall
        self._words, self._address = words, address
        self._tls = server.tls or ssl.create_default_context()

    def __call__(self, account: int, notices: Sequence[AlertNotice]) -> None:
        """Send one mail. Raises SendError."""
        to = self._away.wishes(account).mail
        if not to:
            raise SendError("away_no_mail")
        subject, text = mail_text(notices, self._words(account), self._hall, self._address(account))
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self._server.sender, to, subject
        mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain=self._server.sender.rpartition("@")[2])
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(text)
        where = f"{self._server.host}:{self._server.port}"
        try:
            with self._open() as link:
                link.send_message(mail)
        except smtplib.SMTPAuthenticationError:
            raise SendError("away_mail_login", where=where) from None
        except smtplib.SMTPNotSupportedError:
            raise SendError("away_mail_offer", where=where) from None
        except smtplib.SMTPRecipientsRefused as error:
            code = max((code for code, _ in error.recipients.values()), default=0)
            raise SendError("away_mail_refused", again=code < 500, where=where, status=code) from None
        except smtplib.SMTPResponseException as error:
            again = error.smtp_code < 500
            raise SendError("away_answered", again=again, where=where, status=error.smtp_code) from None
        except ssl.SSLCertVerificationError:
            raise SendError("away_mail_certificate", where=where) from None
        except (OSError, smtplib.SMTPException) as error:
            raise SendError("away_unreached", again=True, where=where, why=_why(error)) from None

    def _open(self) -> smtplib.SMTP:
        server = self._server
        if server.security == "tls":
            link: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=PATIENCE_S, context=self._tls)
        else:
            link = smtplib.SMTP(server.host, server.port, timeout=PATIENCE_S)
        try:
            if server.security == "starttls":
                link.starttls(context=self._tls)
            if server.username is not None:
                link.login(server.username, server.password or "")
        except BaseException:
            link.close()
            raise
        return link


def _why(error: BaseException) -> str:
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error) or type(error).__name__
