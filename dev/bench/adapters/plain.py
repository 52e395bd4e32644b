#!/usr/bin/env python3
"""What needs no product: everything whole, two truncations, head and tail, a file and grep, an outline."""
import json, os, re, sys
from strategy import serve

MODE = sys.argv[1]
LIMIT, ENDS, PAGE = 12_000, 3_000, 8_000
texts = {}

READ = [{"name": "read_stored", "description": "Read from a stored result: lines, or the lines that contain a text.", "inputSchema": {
    "type": "object", "required": ["id"], "properties": {
        "id": {"type": "string"}, "find": {"type": "string"}, "context": {"type": "integer"},
        "start": {"type": "integer", "description": "First line, from 1"}, "count": {"type": "integer"}}}}]


def hello():
    return {"version": "1", "definitions": READ if MODE == "outline" else [], "files": [__file__]}


def result(id, text):
    texts.clear()
    texts[id] = text
    lines = text.split("\n")
    if MODE == "whole" or len(text) <= LIMIT:
        return {"shown": text}
    if MODE == "truncate":
        return {"shown": text[:LIMIT]}
    if MODE == "truncate-told":
        notice = f"[truncated: {len(text) - LIMIT} more characters]"
        return {"shown": text[:LIMIT] + "\n" + notice, "notice": notice}
    if MODE == "outline":
        step = len(lines) // 40 + 1
        notice = f"[stored as {id}: {len(lines)} lines, {len(text)} characters; every {step}th line is shown, read_stored reads the rest]"
        shown = [f"{n + 1}: {lines[n][:150]}" for n in range(0, len(lines), step)]
        return {"shown": "\n".join([notice, *shown]), "notice": notice}
    cut = f"[... {len(text) - 2 * ENDS} characters cut ...]"
    if MODE == "file-grep":
        cut = f"[... {len(text) - 2 * ENDS} characters cut; the whole is in /tmp/out/{id}.txt ...]"
    return {"shown": f"{text[:ENDS]}\n{cut}\n{text[-ENDS:]}", "notice": cut}


def page(text, next, call):
    """A page of what a shell or a tool prints; the model asks for the next one by its offset."""
    return {"call": call, "shown": text[:PAGE], "next": next if len(text) > PAGE else None}


def read(id, want, pattern="", context=0, start=1, count=1, next=None):
    if MODE not in ("file-grep", "outline"):
        return {"unsupported": True}
    lines, file = texts[id].split("\n"), f"/tmp/out/{id}.txt"
    shell = MODE == "file-grep"
    if want in ("all", "next") and (next is None or "offset" in next):
        offset = next["offset"] if next else 0
        text = texts[id][offset:]
        call = f"tail -c +{offset + 1} {file} | head -c {PAGE}" if shell else json.dumps({"id": id, "start": offset})
        return page(text, {"offset": offset + PAGE}, call)
    if want == "lines":
        text = "\n".join(lines[start - 1:start - 1 + count])
        call = f"sed -n {start},{start + count - 1}p {file}" if shell else json.dumps({"id": id, "start": start, "count": count})
        return page(text, None, call)
    if want == "count":
        if not shell:
            return {"unsupported": True}
        return {"call": f"grep -o -- '{pattern}' {file} | wc -l", "shown": str(texts[id].count(pattern))}
    if next:
        pattern, context, start = next["pattern"], next["context"], next["from"]
    else:
        start = 0
    near = sorted({m for n, line in enumerate(lines) if pattern in line
                   for m in range(max(0, n - context), min(len(lines), n + context + 1))})
    # A long line is cut around the match, as `grep -o '.{0,200}x.{0,200}'` does.
    def show(n):
        at = lines[n].find(pattern)
        return f"{n + 1}:{lines[n] if len(lines[n]) <= 600 else lines[n][max(0, at - 200):max(at, 0) + len(pattern) + 300]}"
    text = "\n".join(map(show, near))[start:]
    call = f"grep -n -C{context} -- '{pattern}' {file}" if shell else json.dumps({"id": id, "find": pattern, "context": context})
    if not near:
        return {"call": call, "shown": "(no output)" if shell else "no line contains it", "none": True}
    return page(text, {"pattern": pattern, "context": context, "from": start + PAGE}, call)


def call(id, name, arguments):
    """A call of read_stored as a model wrote it."""
    if MODE != "outline":
        return {"unsupported": True}
    if not name:
        return {}
    if "find" in arguments:
        return read(id, "find", pattern=arguments["find"], context=arguments.get("context", 0))
    return read(id, "lines", start=arguments.get("start", 1), count=arguments.get("count", 100))


def catalog(tools):
    return {"definitions": tools}


serve(hello=hello, result=result, read=read, call=call, catalog=catalog)
