from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from weir_wasm import _engine

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT.parents[1] / "docs" / "embedding" / "python.md"]
PROVIDERS = ROOT.parents[1] / "docs" / "providers.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_first_lines_of_the_page_run_as_they_are(page: Path, tmp_path: Path, cache: Path) -> None:
    if not page.exists():
        pytest.skip(f"{page.name} is not beside this kit")
    found = re.search(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert found is not None
    printed = run(found[1], tmp_path, cache)
    assert "this is an excerpt" in printed and "4321: error: disk is full" in printed.rsplit("[weir:", 1)[1]


def test_the_page_for_providers_runs_as_it_is(tmp_path: Path, cache: Path) -> None:
    if not PROVIDERS.exists():
        pytest.skip("the page is not beside this kit")
    called = "import json, types\nblock = types.SimpleNamespace(input={'queries': ['read a file']})\n"
    lines = "\n".join(re.findall(r"```python\n(.*?)```", PROVIDERS.read_text(encoding="utf-8"), re.S))
    printed = run(called + lines + "print(content)\n", tmp_path, cache)
    assert "('files', 'read.file', {'path': '/etc/hosts'})" in printed and "'type': 'tool_reference'" in printed


def run(lines: str, tmp_path: Path, cache: Path) -> str:
    paths = os.pathsep.join(sys.path)
    settings = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "PYTHONPATH": paths}
    (tmp_path / "weir-wasm").symlink_to(cache)
    environment = {**os.environ, **settings, "WEIR_COMPONENT": os.environ.get("WEIR_COMPONENT", str(_engine.embedded()))}
    done = subprocess.run(
        [sys.executable, "-c", lines], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
