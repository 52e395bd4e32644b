"""Many hosts on one store: `python kits/contention.py [SECONDS]` (default 120).

Eight threads of one process and four more processes put, read, search, forget and sweep in one directory. Each reads
back all that it stored, byte for byte, again and again; in the end every blob is checked. The four are Python, Node,
Go and Ruby; Python stands in for what is not there. Node needs a built `kits/javascript`; Go the program of
`kits/go/contention`, which WEIR_CONTENTION_GO names; Ruby needs WEIR_LIBRARY, and both WEIR_COMPONENT.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE / "python" / "src"))  # unless the package is installed

from weir_wasm import Weir  # noqa: E402


def text(seed: str, turn: int) -> str:
    """A text that its reader can make again; every third is the same for all workers."""
    name = "all" if turn % 3 == 0 else seed
    return "".join(f"{name} {turn} line {n}: {'x' * (n % 50)}\n" for n in range(400 + turn % 7 * 300))


def work(weir: Weir, seed: str, until: float) -> int:
    """How many results one worker stored and read back whole."""
    session, kept, turn, choice = f"session {seed}", dict[str, int](), 0, random.Random(seed)
    while time.monotonic() < until:
        turn += 1
        transformed = weir.transform(session, "tool", text(seed, turn))
        assert transformed.replaced and transformed.store_failure is None, transformed
        kept[transformed.handles[0].id] = turn
        id, of = choice.choice(list(kept.items()))
        whole = "".join(page.content for page in weir.pages(session, id))
        assert whole == text(seed, of), f"{seed}: {id} is not what was stored"
        if turn % 4 == 0:
            assert weir.grep(session, id, f"{of} line 399:").matches == 1
        if turn % 5 == 0:
            weir.forget(session, id)
            del kept[id]
        if turn % 10 == 0:
            swept = weir.sweep()
            assert swept.foreign == 0 and swept.expired == 0, swept
    for id, of in kept.items():
        assert "".join(page.content for page in weir.pages(session, id)) == text(seed, of), f"{seed}: {id} is lost"
    return turn


def others(store: str, seconds: str, cache: str) -> tuple[list[list[str]], list[str]]:
    """The commands of the four processes, and their languages."""
    component, go, ruby = (os.environ.get(name) for name in ("WEIR_COMPONENT", "WEIR_CONTENTION_GO", "WEIR_LIBRARY"))
    found: dict[str, list[str]] = {"Python": [sys.executable, __file__, "--worker", store, "p0", seconds, cache]}
    if (node := shutil.which("node")) and (HERE / "javascript" / "component" / "weir.js").exists():
        found["Node"] = [node, str(HERE / "javascript" / "contention.mjs"), store, "n0", seconds]
    if component and go:
        found["Go"] = [go, component, store, "g0", seconds, cache]
    if component and ruby and (program := shutil.which("ruby")):
        found["Ruby"] = [program, str(HERE / "ruby" / "contention.rb"), component, store, "r0", seconds, cache]
    commands, languages = list(found.values()), list(found)
    for n in range(len(commands), 4):
        commands.append([sys.executable, __file__, "--worker", store, f"p{n}", seconds, cache])
        languages.append("Python")
    return commands, languages


def main(seconds: float, cache: str | None = None) -> int:
    """Runs them all; the number of results stored."""
    with tempfile.TemporaryDirectory(prefix="weir-contention-") as folder:
        store = os.path.join(folder, "store")
        weir = Weir(store, cache=cache or True)
        commands, languages = others(store, str(seconds), cache or "")
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
        counts: list[int] = []
        failures: list[BaseException] = []

        def thread(n: int) -> None:
            try:
                counts.append(work(weir, f"t{n}", time.monotonic() + seconds))
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=thread, args=(n,)) for n in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        for process in processes:
            out, _ = process.communicate()
            if process.returncode != 0:
                failures.append(RuntimeError(f"{process.args} ended with {process.returncode}: {out}"))
            else:
                counts.append(json.loads(out)["turns"])
        if failures:
            raise failures[0]
        checked = weir.check()
        assert (checked.corrupt, checked.dead_references, checked.foreign, checked.failed) == (0, 0, 0, 0), checked
        print(f"8 threads and 4 processes ({', '.join(languages)}), {seconds:g} s: {sum(counts)} results stored and "
              f"read back, {checked.blobs} blobs whole")
        return sum(counts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        store, seed, seconds, cache = sys.argv[2:]
        turns = work(Weir(store, cache=cache or True), seed, time.monotonic() + float(seconds))
        print(json.dumps({"turns": turns}))
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 120.0)
