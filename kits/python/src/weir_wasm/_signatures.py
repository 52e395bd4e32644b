"""Whether a trusted key signed the file of a component, in the form of `cosign sign-blob --key`.

ECDSA over the curve P-256 and SHA-256 (FIPS 186-5, section 6.4.2), the signature as DER in base64 in a file beside
the component, public keys in PEM. All that is handled here is public, so nothing has to take the same time always.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from pathlib import Path
from typing import Optional, Sequence

from .errors import ComponentError

# The curve P-256: NIST SP 800-186, section 3.2.1.3.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
A = P - 3
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
PUBLIC_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
"""What stands before the point in a public key's DER: ECDSA, P-256, not compressed."""
SMALL = 16 << 10
"""The most bytes that the file of a key or a signature may have."""

Key = tuple[int, int]
Point = Optional[Key]


def check(file: Path, wasm: bytes, keys: Sequence[str | os.PathLike[str]]) -> None:
    """Raises `ComponentError` unless one of the keys signed these bytes: `file.sig` holds the signature."""
    trusted = [public_key(key) for key in keys]
    beside = file.with_name(file.name + ".sig")
    try:
        text = small(beside)
    except FileNotFoundError:
        raise _untrusted(file, f"it is not signed: there is no {beside.name} beside it") from None
    except OSError as error:
        raise _untrusted(file, f"its signature cannot be read: {error}") from error
    try:
        signature = signature_of(text)
    except ValueError as error:
        raise _untrusted(file, f"its signature {beside.name} cannot be used: {error}") from error
    digest = int.from_bytes(hashlib.sha256(wasm).digest(), "big")
    if not any(verifies(key, digest, signature) for key in trusted):
        raise _untrusted(
            file,
            f"its signature is of none of the trusted keys ({len(trusted)} looked at): the file was changed after "
            "it was signed, or another key signed it",
        )


def _untrusted(file: Path, why: str) -> ComponentError:
    return ComponentError(
        f"the component {file} is not run: {why}. Get it again with its signature, name the key that signed it in "
        "trusted_keys, or leave component out for the one in this package"
    )


def small(file: Path) -> bytes:
    with open(file, "rb") as opened:
        read = opened.read(SMALL + 1)
    if len(read) > SMALL:
        raise OSError(f"{file} is larger than a key or a signature can be")
    return read


def public_key(key: str | os.PathLike[str]) -> Key:
    """A key from PEM, or from a file of it."""
    name = "the PEM text"
    try:
        if isinstance(key, str) and key.lstrip().startswith("-----BEGIN"):
            pem = key
        else:
            name = os.fspath(key)
            pem = small(Path(key)).decode("ascii")
        inner = pem.split("-----BEGIN PUBLIC KEY-----", 1)[1].split("-----END PUBLIC KEY-----", 1)[0]
        der = base64.b64decode("".join(inner.split()), validate=True)
        if len(der) != len(PUBLIC_PREFIX) + 64 or not der.startswith(PUBLIC_PREFIX):
            raise ValueError("it is not a key of ECDSA over P-256")
        x, y = int.from_bytes(der[-64:-32], "big"), int.from_bytes(der[-32:], "big")
        if x >= P or y >= P or (y * y - (x * x * x + A * x + B)) % P:
            raise ValueError("its point is not on the curve")
        return x, y
    except IndexError:
        raise ComponentError(f"the trusted key in {name} cannot be used: it has no -----BEGIN PUBLIC KEY-----") from None
    except (OSError, ValueError) as error:
        raise ComponentError(f"the trusted key in {name} cannot be used: {error}") from error


def signature_of(text: bytes) -> tuple[int, int]:
    """The two numbers of a signature: DER in base64."""
    try:
        der = base64.b64decode(b"".join(text.split()), validate=True)
    except binascii.Error as error:
        raise ValueError(f"it is not base64: {error}") from error
    if len(der) < 8 or der[0] != 0x30 or der[1] != len(der) - 2:
        raise ValueError("it is not the DER of an ECDSA signature")
    numbers, at = [], 2
    while at < len(der):
        length = der[at + 1] if at + 1 < len(der) else 0
        number = der[at + 2 : at + 2 + length]
        if der[at] != 0x02 or not number or len(number) != length or number[0] & 0x80:
            raise ValueError("it is not the DER of an ECDSA signature")
        numbers.append(int.from_bytes(number, "big"))
        at += 2 + length
    if len(numbers) != 2:
        raise ValueError("it is not the DER of an ECDSA signature")
    return numbers[0], numbers[1]


def verifies(key: Key, digest: int, signature: tuple[int, int]) -> bool:
    r, s = signature
    if not (0 < r < N and 0 < s < N):
        return False
    w = pow(s, -1, N)
    point = _add(_times(digest * w % N, G), _times(r * w % N, key))
    return point is not None and point[0] % N == r


def _add(a: Point, b: Point) -> Point:
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = (3 * a[0] * a[0] + A) * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def _times(factor: int, point: Point) -> Point:
    made: Point = None
    while factor:
        if factor & 1:
            made = _add(made, point)
        point = _add(point, point)
        factor >>= 1
    return made
