"""What the kits cost beside each other: `python kits/timing.py [--catalogs FOLDER]`.

Each host runs alone and counts its own CPU time, not that of the clock: medians of several calls, after twenty that
warm up (three of 10 MB), as engines of JavaScript make the code better while it runs; the very first call has a row of
its own. The compiled code is in a cache. The first host is the measure for the others: the Rust host, which is the
program WEIR_TIMING_RUST (`cargo bench --package weir-host --bench timing --no-default-features --no-run` names it), or else
C over libwasmtime, which is WEIR_TIMING_C (`make build/timing` in kits/c). A host that is missing is left out; Node
needs a built `kits/javascript`. WEIR_COMPONENT is the component. FOLDER has a JSON file a server, with `tools`;
without it the tools are made up. Memory is the most that the whole process held, its 66 MB of texts included.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).resolve().parent
CASES = {
    "small": "leave 100 bytes as they are",
    "transform 1 MB": "transform 1 MB of log",
    "transform 1 MB first": "the first such call",
    "transform 10 MB": "transform 10 MB of log",
    "grep 10 MB": "grep in 10 MB, by the model's tool",
    "grep 10 MB first": "the first such call",
    "catalog": "build a catalog",
    "search": "search it",
    "import": "import the package",
    "first": "open a store and make the first call",
    "instance": "make an instance",
    "memory": "memory at its peak, MB",
}
GOALS = {"Python": 1.5, "Node": 2.0}


def measure(found: dict[str, float], name: str, work: Callable[[int], object], warm: int, times: int) -> None:
    """Milliseconds of CPU: the first, and the median of some after so many that warm up."""
    first = time.process_time()
    work(-1)
    found[f"{name} first"] = (time.process_time() - first) * 1000
    for _ in range(1, warm):
        work(-1)
    took = []
    for n in range(times):
        start = time.process_time()
        work(n)
        took.append((time.process_time() - start) * 1000)
    found[name] = statistics.median(took)


def log_text(size: int, turn: int) -> str:
    line = f"2026-01-02T03:04:05Z worker-{turn % 7} INFO request served in 12 ms, all is well\n"
    return f"turn {turn}\n" + line * (size // len(line))


def python(component: str, snapshot: str, store: str, cache: str) -> dict[str, float]:
    sys.path.append(str(HERE / "python" / "src"))
    from weir_wasm import Weir

    weir = Weir(store, component=component, cache=cache)
    servers = json.loads(Path(snapshot).read_text(encoding="utf-8"))["servers"]
    text = {mb: [log_text(mb * 1_000_000, n) for n in range(-1, 5)] for mb in (1, 10)}
    found: dict[str, float] = {}
    measure(found, "small", lambda n: weir.show("s", "t", "all is well " * 8), 1, 100)
    measure(found, "transform 1 MB", lambda n: weir.show("s", "t", text[1][n + 1]), 20, 5)
    measure(found, "transform 10 MB", lambda n: weir.show("s", "t", text[10][n + 1]), 3, 5)
    id = weir.transform("s", "t", text[10][0]).handles[0].id
    call = {"id": id, "mode": "grep", "pattern": "nowhere"}
    measure(found, "grep 10 MB", lambda n: weir.invoke("s", "weir_fetch", call), 20, 5)
    made: list[Any] = []
    measure(found, "catalog", lambda n: made.append(weir.catalog(servers)), 1, 3)
    measure(found, "search", lambda n: made[0].search("open a pull request"), 20, 20)
    return found


def snapshot_of(folder: str | None) -> dict[str, Any]:
    if folder:
        files = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(Path(folder).glob("*.json"))]
        return {"servers": [{"name": one["server"], "tools": one["tools"]} for one in files if "server" in one and one.get("tools")]}
    words = "issue branch commit file user invoice page message alarm build ticket record bucket table".split()
    properties = {f"{word}_id": {"type": "string", "description": f"The {word} to work on, by its id. " * 4} for word in words}
    tools = [
        {"name": f"{verb}_{word}_{n}", "description": f"{verb.title()} a {word} of project {n}. " * 6,
         "inputSchema": {"type": "object", "properties": properties}}
        for n in range(20) for verb in "list get create update delete search".split() for word in words
    ]
    return {"servers": [{"name": "made-up", "tools": tools[:1787]}]}


def run(command: list[str]) -> dict[str, float]:
    """What a host prints, with its peak of memory. A first run fills the cache of compiled code."""
    found: dict[str, float] = {}
    for _ in range(2):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{command[0]} ended with {process.returncode}: {out}")
        found = json.loads(out.splitlines()[-1])
        found["memory"] = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return found


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--catalogs")
    options.add_argument("--run", nargs=4, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.run:
        print(json.dumps(python(*given.run)))
        return 0
    component = os.environ["WEIR_COMPONENT"]
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="weir-timing-") as folder:
        snapshot = os.path.join(folder, "snapshot.json")
        whole = snapshot_of(given.catalogs)
        Path(snapshot).write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        cache = os.path.join(folder, "cache")
        hosts: dict[str, list[str]] = {}
        for name in ("Rust", "C"):
            if program := os.environ.get(f"WEIR_TIMING_{name.upper()}"):
                hosts[name] = [program]
        hosts["Python"] = [sys.executable, __file__, "--run"]
        if (node := shutil.which("node")) and (HERE / "javascript" / "component" / "weir.js").exists():
            hosts["Node"] = [node, str(HERE / "javascript" / "timing.mjs")]
        for name, command in hosts.items():
            figures[name] = run([*command, component, snapshot, os.path.join(folder, name), cache])
    tools = sum(len(one["tools"]) for one in whole["servers"])
    print(f"Milliseconds of CPU; the catalog has {tools:,} tools of {len(json.dumps(whole)) / 1e6:.1f} MB.\n")
    print(f"| what | {' | '.join(figures)} |\n| --- |{' --- |' * len(figures)}")
    for case, what in CASES.items():
        cells = [f"{one[case]:.2f}" if case in one else "" for one in figures.values()]
        if any(cells):
            print(f"| {what} | " + " | ".join(cells) + " |")
    base = next(iter(figures))
    missed = [
        f"{name}: {case} takes {one[case] / figures[base][case]:.2f} times as long as in {base}, not {GOALS[name]}"
        for name, one in figures.items() if name in GOALS
        for case in ("transform 1 MB", "transform 10 MB", "grep 10 MB") if one[case] > GOALS[name] * figures[base][case]
    ]
    missed += [f"{name}: a small call takes {one['small']:.1f} ms" for name, one in figures.items() if one["small"] > 2]
    missed += [f"{name}: a catalog takes {one['catalog']:.0f} ms" for name, one in figures.items() if one["catalog"] > 1500]
    missed += [f"{name}: the first call takes {one['first']:.0f} ms" for name, one in figures.items() if one.get("first", 0) > 50]
    missed += [f"{name}: an instance takes {one['instance']:.1f} ms" for name, one in figures.items() if one.get("instance", 0) > 5]
    for one in missed:
        print(f"goal missed: {one}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
