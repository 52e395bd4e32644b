#!/usr/bin/env python3
"""Tool search without a product. `plain`: one search tool, hits with whole schemas. `bridge`: search, describe and call, as
Hermes Agent published it in May 2026 (BM25 with k1 1.5 and b 0.75 over name, description and names of parameters, five hits
with 400 characters of description; active above 10 % of the window)."""
import json, math, re, sys
from strategy import serve

MODE = sys.argv[1]
QUERY = {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}
SEARCH = {"name": "tool_search", "description": "Search the tools that are not listed. Returns the best matches.", "inputSchema": QUERY}
NAMED = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
CALLED = {"type": "object", "required": ["name", "arguments"], "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}}
BRIDGE = [SEARCH,
          {"name": "tool_describe", "description": "Load the full schema of a tool that tool_search found, before calling it.", "inputSchema": NAMED},
          {"name": "tool_call", "description": "Call a tool that tool_search found, with arguments that match its schema.", "inputSchema": CALLED}]
ours, counts, lengths, often = [], [], [], {}


def split(text):
    return [word.lower() for word in re.findall(r"[A-Za-z0-9]+", text)]


def catalog(tools):
    ours[:], counts[:], lengths[:] = tools, [], []
    often.clear()
    for tool in tools:
        found = split(f"{re.sub('[_.:-]', ' ', tool['name'])} {tool['description']} {' '.join(tool['inputSchema'].get('properties', {}))}")
        counts.append({word: found.count(word) for word in set(found)})
        lengths.append(len(found))
        for word in set(found):
            often[word] = often.get(word, 0) + 1
    size = sum(len(json.dumps(tool, separators=(",", ":"))) for tool in tools) // 4
    if MODE == "bridge" and size < 20_000:
        return {"definitions": tools}
    return {"definitions": [SEARCH, BRIDGE[2]] if MODE == "plain" else BRIDGE, "deferred": True}


def search(query):
    mean = sum(lengths) / len(lengths)
    scores = []
    for at, has in enumerate(counts):
        score = 0.0
        for word in split(query):
            if word in has:
                idf = math.log(1 + (len(ours) - often[word] + 0.5) / (often[word] + 0.5))
                score += idf * has[word] * 2.5 / (has[word] + 1.5 * (0.25 + 0.75 * lengths[at] / mean))
        if score > 0:
            scores.append((-score, at))
    best = [ours[at] for _, at in sorted(scores)[:5]]
    shown = best if MODE == "plain" else [{"name": tool["name"], "description": tool["description"][:400]} for tool in best]
    return {"call": json.dumps({"query": query}), "shown": json.dumps({"matches": shown}, separators=(",", ":"), ensure_ascii=False),
            "names": [tool["name"] for tool in best], "callable": MODE == "plain"}


def describe(name):
    tool = next(tool for tool in ours if tool["name"] == name)
    return {"call": json.dumps({"name": name}), "shown": json.dumps(tool, separators=(",", ":"), ensure_ascii=False)}


serve(hello=lambda: {"version": "1", "definitions": [], "files": [__file__]}, catalog=catalog, search=search, describe=describe)
