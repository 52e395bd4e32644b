#!/usr/bin/env python3
"""Weir by the hook of Claude Code: one process a result, as the host starts it, and `weir fetch` in the host's shell to read on.
`text` takes the ways to read on away; `inert` sets a threshold that nothing reaches; `rules` adds what `weir install --rules` tells the
model. WEIR names the program."""
import json, os, re, shutil, subprocess, sys, tempfile
from strategy import program, serve

MODE = sys.argv[1]
WEIR = program("WEIR", "weir")
place = tempfile.mkdtemp(prefix="bench-")
config = os.path.join(place, "config.toml")
with open(config, "w") as file:
    file.write("[transform]\nthreshold_chars = 1000000000\nturn_budget_chars = 0\n" if MODE == "inert" else "")
environment = {"PATH": os.environ["PATH"], "HOME": place, "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")),
               "XDG_DATA_HOME": place, "XDG_STATE_HOME": place, "XDG_CONFIG_HOME": place, "WEIR_CONFIG": config}
session, blob = "", ""


def weir(*arguments, given=None):
    done = subprocess.run([WEIR, *arguments], input=given, env=environment, cwd=place, capture_output=True, text=True)
    return done.stdout + (done.stderr if done.returncode > 1 else "")


def neutral(text):
    """The path of the program and the session's name are another on each machine: as many tokens everywhere."""
    text = text.replace(WEIR, "/home/user/.cargo/bin/weir").replace(os.path.realpath(WEIR), "/home/user/.cargo/bin/weir")
    return re.sub(r"claude-code-[0-9a-f]{12}", "claude-code-534f86bc73f8", text)


def hello():
    if not WEIR:
        return {"unavailable": "the program `weir` is not on the PATH, and WEIR does not name it"}
    # Until the component is compiled, once for a machine, a hook leaves every result.
    weir("inspect")
    told = []
    if MODE == "rules":
        weir("install", "claude-code", "--rules", "--yes")
        rules = open(os.path.join(place, ".claude", "CLAUDE.md")).read()
        told = [{"name": "rules", "description": rules}]  # They are sent with every request, as definitions are.
    return {"version": weir("--version").strip(), "definitions": told, "files": [WEIR, __file__]}


def result(id, text):
    global session, blob
    event = {"session_id": "bench", "hook_event_name": "PostToolUse", "cwd": place, "tool_name": "Bash", "tool_input": {"command": "report"},
             "tool_response": {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}}
    answer = weir("hook", "claude-code", given=json.dumps(event))
    if not answer.strip():
        return {"shown": text, "ran": True}
    shown = json.loads(answer)["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    session = re.search(r"claude-code-[0-9a-f]{12}", shown)[0]
    blob = re.search(r"; id=([0-9a-f]+)", shown)[1]
    return {"shown": neutral(shown), "notice": "this is an excerpt, NOT the full output", "ran": True}


def read(id, want, pattern="", context=0, start=1, count=1, next=None):
    if MODE not in ("hook", "rules") or want == "next":
        return {"unsupported": True}
    flags = {"find": ["--grep", pattern, "-C", str(context)] if context else ["--grep", pattern], "count": ["--grep", pattern, "--count"],
             "lines": ["--lines", f"{start}..{start + count - 1}"], "all": ["--all"]}[want]
    shown = weir("fetch", "--session", session, blob, *flags)
    call = " ".join(["/home/user/.cargo/bin/weir fetch --session claude-code-534f86bc73f8", blob, *flags])
    if want == "find" and not shown.strip():
        return {"call": call, "shown": "(no output)", "none": True}
    return {"call": call, "shown": neutral(shown)}


serve(hello=hello, result=result, read=read, end=lambda: shutil.rmtree(place))
