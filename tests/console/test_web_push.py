"""Web push by its standards: the example of RFC 8291, a token that a push service verifies, subscriptions refused."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from table_service.console.remote import web_push
from table_service.console.remote.web_push import PushError, b64, unb64

reader: Any = sys.modules["push_reader"]
# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
ENDPOINT = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"


def test_the_example_of_rfc_8291_is_made_octet_for_octet() -> None:
    to = web_push.subscription(ENDPOINT, RECEIVER_PUBLIC, AUTH)
    made = web_push.encrypt(PLAIN, to, salt=unb64(SALT), key=web_push.private_key(unb64(SENDER)), padded=0)
    assert b64(made) == BODY
    assert reader.opened(made, web_push.private_key(unb64(RECEIVER)), unb64(AUTH)) == PLAIN


def test_every_message_has_one_length_its_own_key_and_is_read_by_its_browser() -> None:
    to = web_push.subscription(ENDPOINT, RECEIVER_PUBLIC, AUTH)
    short, long = web_push.encrypt(b"a", to), web_push.encrypt(b"b" * 900, to)
    assert len(short) == len(long)
    assert short[:16] != long[:16]
    assert short[21:86] != long[21:86]
    assert reader.opened(long, web_push.private_key(unb64(RECEIVER)), unb64(AUTH)) == b"b" * 900
    with pytest.raises(PushError):
        web_push.encrypt(bytes(3994), to)


def test_the_token_is_signed_for_that_push_service_and_ends_within_a_day() -> None:
    key = web_push.private_key(web_push.new_seed())
    header = web_push.voucher(ENDPOINT, key, now=1_800_000_000.0, contact="mailto:arbitro@example.org")
    scheme, _, rest = header.partition(" ")
    token, _, public = rest.partition(", k=")
    head, claims, signature = token.removeprefix("t=").split(".")
    assert scheme == "vapid"
    assert json.loads(unb64(head)) == {"typ": "JWT", "alg": "ES256"}
    said = json.loads(unb64(claims))
    assert said["aud"] == "https://push.example.net"
    assert said["sub"] == "mailto:arbitro@example.org"
    assert 0 < said["exp"] - 1_800_000_000 <= 24 * 3600
    raw = unb64(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    who = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(public))
    who.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    ("endpoint", "key", "auth"),
    [
        ("http://push.example.net/x", RECEIVER_PUBLIC, AUTH),
        ("https://user@push.example.net/x", RECEIVER_PUBLIC, AUTH),
        ("https://[::1/x", RECEIVER_PUBLIC, AUTH),
        ("https://push.example.net/x\r\nX: y", RECEIVER_PUBLIC, AUTH),
        (ENDPOINT, b64(bytes(65)), AUTH),
        (ENDPOINT, "no base64!", AUTH),
        (ENDPOINT, RECEIVER_PUBLIC, b64(bytes(15))),
        (ENDPOINT, "\ud83d", AUTH),
    ],
)
def test_what_is_no_subscription_is_refused(endpoint: str, key: str, auth: str) -> None:
    with pytest.raises(PushError):
        web_push.subscription(endpoint, key, auth)
