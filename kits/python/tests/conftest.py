"""The real component over a fresh store. `WEIR_COMPONENT` names the file unless the package has one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator

import pytest

from weir_wasm import Weir, _engine


def component() -> Path:
    given = os.environ.get("WEIR_COMPONENT")
    return Path(given) if given else _engine.embedded()


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = os.environ.get("WEIR_TEST_CACHE")
    return Path(given) if given else tmp_path_factory.mktemp("cache")


@pytest.fixture
def weir(tmp_path: Path, cache: Path) -> Iterator[Weir]:
    yield Weir(tmp_path / "store", cache=cache)


@pytest.fixture(scope="session")
def log() -> str:
    return "".join(f"{n}: {'error: disk is full' if n == 4321 else 'all is well'}\n" for n in range(1, 9001))
