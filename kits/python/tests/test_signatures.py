"""Which files are run where keys are trusted."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from conftest import component
from weir_wasm import ComponentError, Weir, _signatures

# Made by `openssl dgst -sha256 -sign` over the four bytes `weir`.
OPENSSL_KEY = """-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErhdUhJFMgHvo1N8n7o+WqJr7Zwim
a9G31bBxKYTzqDKwwDoSkSdQYtHJ94Z7Ef1ZudHSOwJ4KjzdZn9o2P6q6w==
-----END PUBLIC KEY-----
"""
OPENSSL_SIGNATURE = (
    "MEYCIQCkGAe3Sltyuq8I1Pdb2EpkrnrcIMsi8lzf+qCj8vutowIhAIT4Ik/H5bVUTglLr/L52mK7DBs1fzTd0uO7STnjI8DC"
)


def public(secret: int) -> str:
    x, y = _signatures._times(secret, _signatures.G) or (0, 0)
    der = _signatures.PUBLIC_PREFIX + x.to_bytes(32, "big") + y.to_bytes(32, "big")
    return f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(der).decode()}\n-----END PUBLIC KEY-----\n"


def der(numbers: tuple[int, int]) -> bytes:
    parts = b"".join(
        b"\x02" + bytes([len(one)]) + one for one in (n.to_bytes(n.bit_length() // 8 + 1, "big") for n in numbers)
    )
    return b"\x30" + bytes([len(parts)]) + parts


def sign(secret: int, data: bytes) -> str:
    """A signature with a fixed nonce: for tests alone."""
    nonce, n = 0x1234567, _signatures.N
    r = (_signatures._times(nonce, _signatures.G) or (0, 0))[0] % n
    digest = int.from_bytes(hashlib.sha256(data).digest(), "big")
    return base64.b64encode(der((r, pow(nonce, -1, n) * (digest + r * secret) % n))).decode()


def test_what_openssl_signs_is_verified(tmp_path: Path) -> None:
    file = tmp_path / "some.wasm"
    (tmp_path / "some.wasm.sig").write_text(OPENSSL_SIGNATURE + "\n")
    (tmp_path / "release.pub").write_text(OPENSSL_KEY)
    _signatures.check(file, b"weir", [tmp_path / "release.pub"])
    _signatures.check(file, b"weir", [public(7), OPENSSL_KEY])
    for data, keys in [(b"weiR", [OPENSSL_KEY]), (b"weir", [public(7)]), (b"weir", [])]:
        with pytest.raises(ComponentError, match="none of the trusted keys"):
            _signatures.check(file, data, keys)


@pytest.mark.parametrize(
    "text",
    ["", "no base64!", "AAAA", base64.b64encode(der((0, 5))).decode(), base64.b64encode(der((5, _signatures.N))).decode(),
     base64.b64encode(b"\x30\x06\x02\x01\x05\x02\x02\x05").decode(), "A" * 20_000],
)
def test_a_signature_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "some.wasm.sig").write_text(text)
    with pytest.raises(ComponentError, match="is not run"):
        _signatures.check(tmp_path / "some.wasm", b"weir", [OPENSSL_KEY])


@pytest.mark.parametrize("pem", ["-----BEGIN RSA-----", "none.pub", public(7).replace("MFkw", "MFkx"), OPENSSL_KEY.replace("6w==", "7A==")])
def test_a_key_that_is_none_is_named(tmp_path: Path, pem: str) -> None:
    (tmp_path / "some.wasm.sig").write_text(OPENSSL_SIGNATURE)
    with pytest.raises(ComponentError, match="trusted key"):
        _signatures.check(tmp_path / "some.wasm", b"weir", [pem])


def test_a_file_that_no_trusted_key_signed_is_not_run(tmp_path: Path, cache: Path) -> None:
    wasm = component().read_bytes() + bytes([0, 2, 1, 120])  # One more custom section: it is another file.
    file = tmp_path / "mine.wasm"
    file.write_bytes(wasm)

    def opened(*keys: str) -> Weir:
        return Weir(None, component=file, trusted_keys=keys, cache=cache)

    with pytest.raises(ComponentError, match="not signed"):
        opened(public(7))
    (tmp_path / "mine.wasm.sig").write_text(sign(7, wasm))
    with pytest.raises(ComponentError, match="another key signed it"):
        opened(public(8))
    assert opened(public(8), public(7)).info().contract
    file.write_bytes(wasm[:-1] + b"y")
    with pytest.raises(ComponentError, match="changed after"):
        opened(public(7))
    # Whoever names a file and no keys has said that it is to be run.
    assert Weir(None, component=file, cache=cache).info().contract
