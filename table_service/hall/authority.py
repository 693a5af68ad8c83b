"""Keys, certificates and the list of revoked ones. Elliptic curve P-256: browsers, OpenSSL and a small card take it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from table_service.hall.errors import HallError, HallUseError, shown

AUTHORITY_DAYS: Final = 3653
LEAF_DAYS: Final = 397
"""Browsers refuse a server's certificate that is good for longer."""
_BACK: Final = timedelta(days=1)
"""A certificate is good from the day before: a table's clock may be behind until it has heard the hall's."""
NETWORKS: Final = (
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "::1/128",
    "fc00::/7",
)
DOMAINS: Final = ("localhost", "local", "lan", "internal", "home.arpa")
"""Domains for which the authority may sign. A phone that trusts it does so for a hall's own machines, for no bank."""
Use = Literal["server", "client"]


@dataclass(frozen=True, slots=True)
class SignedCertificate:
    """A certificate and its private key, both PEM, with what the books need of it."""

    certificate: bytes
    key: bytes
    serial: int
    until: datetime


@dataclass(frozen=True, slots=True)
class Authority:
    """A hall's certificate and the key that signs."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def until(self) -> datetime:
        """The moment after which nothing that it signed is valid."""
        end: datetime = self.certificate.not_valid_after_utc
        return end

    @property
    def pem(self) -> bytes:
        """Its certificate, PEM."""
        return _pem(self.certificate)

    def issue(
        self, name: str, use: Use, now: datetime, hosts: Iterable[str] = (), days: int = LEAF_DAYS
    ) -> SignedCertificate:
        """Return a new key with a certificate for ``name``; a server's says at which ``hosts`` it is reached.

        Raises HallError if the authority itself has ended.
        """
        self.check(now)
        key = ec.generate_private_key(ec.SECP256R1())
        until = min(now + timedelta(days=days), self.until)
        kind = ExtendedKeyUsageOID.SERVER_AUTH if use == "server" else ExtendedKeyUsageOID.CLIENT_AUTH
        made = (
            x509.CertificateBuilder()
            .subject_name(_named(name))
            .issuer_name(self.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BACK)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([kind]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.certificate.public_key()),  # type: ignore[arg-type, unused-ignore]
                critical=False,
            )
        )
        named = [_host(host) for host in hosts]
        if named:
            made = made.add_extension(x509.SubjectAlternativeName(named), critical=False)
        certificate = made.sign(self.key, hashes.SHA256())
        return SignedCertificate(_pem(certificate), private_pem(key), certificate.serial_number, until)

    def revoked_list(self, revoked: Iterable[tuple[int, datetime]], now: datetime) -> bytes:
        """Return the list of ``revoked`` serial numbers, each with its moment, PEM.

        It holds for as long as the authority does: a list that ends makes a broker refuse everybody.
        """
        made = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(now - _BACK)
            .next_update(max(self.until, now + _BACK))
        )
        for serial, when in revoked:
            one = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(when).build()
            made = made.add_revoked_certificate(one)
        pem: bytes = made.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        return pem

    def check(self, now: datetime) -> None:
        """Raise HallError if nothing that it signs would be valid."""
        if now >= self.until:
            raise HallError(
                f"the hall's authority ended on {self.until:%d/%m/%Y}: make a new one with 'tavolo hall init' in "
                "another folder, and bring the tables in again"
            )


def new_authority(hall: str, now: datetime, days: int = AUTHORITY_DAYS, *, anywhere: bool = False) -> Authority:
    """Return a new authority for ``hall``, which signs for a hall's own networks and names only.

    ``anywhere``: for a federation's broker, which halls reach over the internet; no browser is asked to trust it.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _named(f"Tavolo {hall}")
    usage = dict.fromkeys(
        ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
         "encipher_only", "decipher_only"), False,
    )  # fmt: skip
    within: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(one)) for one in NETWORKS]
    within += [x509.DNSName(one) for one in DOMAINS]
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BACK)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if not anywhere:
        made = made.add_extension(
            x509.NameConstraints(permitted_subtrees=within, excluded_subtrees=None), critical=True
        )
    return Authority(made.sign(key, hashes.SHA256()), key)


def load_authority(certificate: bytes, key: bytes) -> Authority:
    """Return the authority of two PEM texts. Raises ValueError if they are invalid, or do not belong together."""
    loaded = serialization.load_pem_private_key(key, None)
    if not isinstance(loaded, ec.EllipticCurvePrivateKey):
        raise ValueError("no key on a curve")  # noqa: TRY004  # of the file's contents, not of an argument's type
    made = x509.load_pem_x509_certificate(certificate)
    if made.public_key() != loaded.public_key():
        raise ValueError("key and certificate do not belong together")
    return Authority(made, loaded)


def check_host(host: str) -> None:
    """Raise HallUseError if a server named ``host`` cannot be certified."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        labels = host.split(".")
        word = all(label and label.isascii() and label.replace("-", "").isalnum() for label in labels)
        if not word or len(host) > 120:
            raise HallUseError(f"'{shown(host)}' is no address of a machine") from None
        if any(host == domain or host.endswith(f".{domain}") for domain in DOMAINS):
            return
        raise HallUseError(
            f"'{shown(host)}' is no name of a hall's own network: take an address such as 192.168.1.10, or a name "
            "that ends in .local or .lan"
        ) from None
    if not any(address in ipaddress.ip_network(one) for one in NETWORKS):
        raise HallUseError(f"{host} is no address of a hall's own network (such as 192.168.1.10)")


def private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return ``key`` in the open, PEM."""
    pem: bytes = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return pem


def end_of(certificate: bytes) -> datetime:
    """Return the end of a PEM certificate. Raises ValueError if it is not one."""
    end: datetime = x509.load_pem_x509_certificate(certificate).not_valid_after_utc
    return end


def now() -> datetime:
    """Return this moment, to the second as certificates have it."""
    return datetime.now(UTC).replace(microsecond=0)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(certificate: x509.Certificate) -> bytes:
    pem: bytes = certificate.public_bytes(serialization.Encoding.PEM)
    return pem
