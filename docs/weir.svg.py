#!/usr/bin/env python3
"""Draws docs/weir.svg, the picture of the README: python3 docs/weir.svg.py > docs/weir.svg"""

W, H = 860, 300
FLOW, DAM, INK, SOFT, PAPER = "#2b7bba", "#5b6770", "#1f2933", "#52606d", "#ffffff"
out = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" font-family="sans-serif" role="img" '
    'aria-label="Weir between tools and a model">',
    f'<rect width="{W}" height="{H}" fill="{PAPER}"/>',
]


def text(x, y, words, size=14, fill=INK, anchor="middle", weight="normal"):
    out.append(
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>'
    )


def arrow(x1, x2, y, width, fill):
    head = max(10, width)
    out.append(
        f'<path d="M{x1} {y - width / 2} H{x2 - head} V{y - head} L{x2} {y} L{x2 - head} {y + head} V{y + width / 2} H{x1} Z" fill="{fill}"/>'
    )


def box(x, y, w, h, title, lines, fill):
    out.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="8" fill="{fill}"/>')
    text(x + w / 2, y + 26, title, 16, PAPER, weight="bold")
    for n, line in enumerate(lines):
        text(x + w / 2, y + 50 + 20 * n, line, 13, PAPER)


box(20, 60, 150, 180, "Tools", ["shell, files", "MCP servers", "", "1,787 definitions", "results of 10 MB"], SOFT)
box(345, 30, 170, 240, "Weir", ["stores the whole", "shows an excerpt", "finds tools", "", "one directory,", "no network", "fuel, time and", "memory limits"], DAM)
box(690, 60, 150, 180, "Model", ["reads lines,", "matches, answers", "", "calls any tool"], SOFT)
arrow(175, 340, 110, 44, FLOW)
text(240, 115, "results: 10 MB", 13, PAPER)
arrow(175, 340, 200, 30, FLOW)
text(240, 205, "definitions", 13, PAPER)
text(250, 240, "1,054k tokens", 13)
arrow(520, 685, 110, 8, FLOW)
text(602, 95, "excerpt and handle: 5 KB", 13)
arrow(520, 685, 200, 6, FLOW)
text(602, 187, "three tools: 1.4k tokens", 13)
out.append(f'<path d="M685 150 H534 V144 L520 152 L534 160 V154 H685 Z" fill="{SOFT}"/>')
text(602, 139, "weir_fetch: what it needs", 13)
out.append("</svg>")
print("\n".join(out))
