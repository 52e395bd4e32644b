from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "contention.py"


@pytest.mark.skipif(not FILE.exists(), reason="kits/contention.py is not beside this kit")
def test_threads_and_processes_of_two_languages_lose_nothing_on_one_store(cache: Path) -> None:
    spec = importlib.util.spec_from_file_location("contention", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.main(float(os.environ.get("WEIR_CONTENTION_SECONDS", "10")), str(cache)) >= 12
