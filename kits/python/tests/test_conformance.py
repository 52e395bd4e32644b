from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from weir_wasm import Weir

FILE = Path(__file__).resolve().parents[2] / "conformance" / "run.py"


@pytest.mark.skipif(not FILE.exists(), reason="the conformance file is not beside this kit")
def test_the_kit_passes_the_conformance_file(cache: Path, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("conformance", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    answers = list(module.run(lambda store: Weir(store, cache=cache), str(tmp_path)))
    assert len(answers) > 150
    assert [f"{title}: {wrong}" for title, wrong in answers if wrong] == []


def test_the_types_are_those_of_the_contract() -> None:
    script = FILE.parents[1] / "generate.py"
    if not script.exists():
        pytest.skip("the generator is not beside this kit")
    spec = importlib.util.spec_from_file_location("generate", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    assert module.main(check=True) == 0
