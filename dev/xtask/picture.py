#!/usr/bin/env python3
"""Draws docs/structure.svg: the crates that ship, and the component's rooms, from the manifests and the sources.

`cargo xtask picture` runs it. With --check it writes nothing, and fails where the file is out of date.
An arrow from A to B says that A needs B. Where A reaches B by others anyway, none is drawn.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/structure.svg"
WIDTH, BOX, HIGH, ROW = 900, 96, 28, 72


def crates():
    """From `cargo metadata`: what is published, and the component, which the host's crate has inside."""
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"]
    packages = json.loads(subprocess.check_output(command, cwd=ROOT))["packages"]
    shipped = [package for package in packages if package["publish"] is None or package["name"] == "weir-component"]
    graph = {
        package["name"].removeprefix("weir-"): {
            need["name"].removeprefix("weir-") for need in package["dependencies"] if need.get("path") and need["kind"] is None
        }
        for package in shipped
    }
    graph["host"].add("component")
    return graph


def rooms(folder, prefix):
    """The files and folders right below a folder. A path that begins with the prefix leads to one of them."""
    graph = {}
    for file in sorted((ROOT / folder).rglob("*.rs")):
        parts = file.relative_to(ROOT / folder).with_suffix("").parts
        if parts == ("lib",) or any(part.endswith("tests") for part in parts):
            continue
        code = file.read_text(encoding="utf-8").split("\n#[cfg(test)]\nmod tests {")[0]
        code = "\n".join(line for line in code.splitlines() if not line.lstrip().startswith("//"))
        graph.setdefault(parts[0], set()).update(re.findall(rf"\b{prefix}(\w+)", code))
    return {name: needs & graph.keys() - {name} for name, needs in graph.items()}


def rows_of(graph):
    """Rows from below: each needs only those before it."""
    rows = []
    while len(placed := {name for row in rows for name in row}) < len(graph):
        ready = sorted(name for name in graph.keys() - placed if graph[name] <= placed)
        if not ready:
            raise SystemExit(f"a circle: {sorted(graph.keys() - placed)}")
        rows.append(ready)
    return rows[::-1]


def reached(graph, start):
    """All that a name needs, directly or by others."""
    seen, waiting = set(), list(graph[start])
    while waiting:
        if (name := waiting.pop()) not in seen:
            seen.add(name)
            waiting.extend(graph[name])
    return seen


def panel(title, graph, top):
    """One graph: boxes in rows, and arrows that pass between the boxes of the rows that they cross."""
    rows = rows_of(graph)
    level = {name: place for place, row in enumerate(rows) for name in row}
    chains = []
    for name in sorted(graph):
        for need in sorted(graph[name] - set().union(*(reached(graph, other) for other in graph[name]))):
            between = [(name, need, place) for place in range(level[name] + 1, level[need])]
            for point in between:
                rows[point[2]].append(point)
            chains.append([name, *between, need])
    links = [pair for chain in chains for pair in zip(chain, chain[1:])]
    # Whoever has neighbours in the row before stands below their middle.
    for _ in range(8):
        for ends in (links, [(below, above) for above, below in links]):
            for row in rows if ends is links else rows[::-1]:
                at = {name: place / (len(other) + 1) for other in rows for place, name in enumerate(other, 1)}
                weight = {name: [at[above] for above, below in ends if below == name] or [at[name]] for name in row}
                row.sort(key=lambda name: (sum(weight[name]) / len(weight[name]), str(name)))
    place = {}
    for down, row in enumerate(rows):
        room = [BOX + 16 if isinstance(name, str) else 40 for name in row]
        left = (WIDTH - sum(room)) / (len(row) + 1)
        for n, name in enumerate(row):
            across = left * (n + 1) + sum(room[:n]) + room[n] / 2
            place[name] = (round(across), top + 60 + down * ROW)
    out = [f'<text class="title" x="{WIDTH // 2}" y="{top + 26}">{title}</text>']
    for chain in chains:
        path = ""
        for above, below in zip(chain, chain[1:]):
            (x, y), (to_x, to_y) = place[above], place[below]
            y += HIGH // 2
            to_y -= HIGH // 2
            path += f"{'L' if path else 'M'}{x} {y}C{x} {y + 26} {to_x} {to_y - 26} {to_x} {to_y}"
        out.append(f'<path d="{path}"/>')
    for name, (x, y) in place.items():
        if isinstance(name, str):
            out.append(f'<rect x="{x - BOX // 2}" y="{y - HIGH // 2}" width="{BOX}" height="{HIGH}" rx="5"/>')
            out.append(f'<text x="{x}" y="{y + 5}">{name}</text>')
    return out, top + 60 + len(rows) * ROW


STYLE = """<title>What needs what: the crates that ship, the component's rooms, and the rooms of its tool search</title>
<style>text { font: 13px sans-serif; text-anchor: middle; fill: #1b2a38 } .title { font-weight: bold; font-size: 15px }
rect { fill: #eef3f8; stroke: #47688a } path { fill: none; stroke: #7f97b0; marker-end: url(#end) }</style>
<defs><marker id="end" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
<path d="M0 0L8 4L0 8z" style="fill: #47688a; stroke: none; marker-end: none"/></marker></defs>
<rect width="100%" height="100%" style="fill: #fff; stroke: none"/>"""


def main():
    lines, top = [], 0
    for title, graph in [
        ("The crates that ship", crates()),
        ("The component: component/src", rooms("component/src", "crate::")),
        ("Its tool search: component/src/search", rooms("component/src/search", "crate::search::")),
    ]:
        more, top = panel(title, graph, top)
        lines += more
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}">'
    drawn = "\n".join([head, STYLE, *lines, "</svg>", ""])
    if "--check" not in sys.argv:
        FILE.write_text(drawn, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != drawn:
        raise SystemExit("docs/structure.svg is out of date: run cargo xtask picture")


main()
