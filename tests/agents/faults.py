#!/usr/bin/env python3
"""Breaks the hook's program in nine ways under every agent host found on this machine, and prints what the model gets.

    faults.py --weir FILE [--path DIR]... [--keep DIR] [--wrap] [--json] [HOST...]

Each host first runs without Weir, which shows what "whole" is in it. Then `weir install` puts the hook in place and its
program is replaced. As in agents.py nothing of yours is touched. In a cell stand "whole", "excerpt" or "LOST", and the
characters that the model got of `seq 1 20000`. Exit code 1 when a result is lost.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from agents import HOSTS, TRIES, drive, shows  # noqa: E402

# Longer than any host waits for a hook.
PATIENCE = 240
# An answer that some host would take, were it not that of a program that failed.
SAID = json.dumps({"continue": False, "stopReason": "boom", "decision": "deny", "reason": "boom", "text": "boom",
                   "modifiedResult": {"resultType": "success", "textResultForLlm": "boom"}})
WORDS = f"cat >/dev/null; echo '{SAID}'; echo boom >&2; "
# What stands in the program's place: a script for hooks; whatever else it is started for, it does.
SCRIPTS = {
    "killed": f"echo '{SAID}'; kill -9 $$",
    "garbage": "cat >/dev/null; echo thread main panicked; echo boom >&2",
    "exit 1": WORDS + "exit 1",
    "exit 2": WORDS + "exit 2",
    "exit 101": WORDS + "exit 101",
    "sleeps": "exec sleep 200",
}
WITHOUT, WORKS = "without Weir", "works"
FAULTS = ["missing", "not executable", *SCRIPTS, "disk full"]


def in_place(weir, fault):
    """Puts the fault in the program's place."""
    if fault == "missing":
        os.remove(weir)
    elif fault == "not executable":
        os.chmod(weir, 0o644)
    elif fault in SCRIPTS:
        os.rename(weir, f"{weir}.real")
        with open(weir, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nif [ "$1" = hook ]; then\n: >"$0.called"\n{SCRIPTS[fault]}\nfi\nexec "$0.real" "$@"\n')
        os.chmod(weir, 0o755)


def fill(data):
    """A file system without a free byte where results are stored."""
    shutil.rmtree(data, ignore_errors=True)
    os.makedirs(data)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "weir-faults", data], check=True, capture_output=True)
    try:
        with open(f"{data}/filler", "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
    except OSError:
        pass


def words(text):
    """The words of a result, without what differs from run to run: paths and numbers."""
    return re.sub(r"\S*/\S*|[0-9a-f]*\d[0-9a-f]*", "", text.replace("\\n", "\n")).split()


def verdict(text, whole):
    """What the model has got, beside what the host shows without Weir."""
    if shows(text):
        return "LOST" if "NOT be stored" in text else "excerpt"
    # `weir run` says why it has stored nothing.
    text = re.sub(r"(?m)^weir: .*\n?", "", text)
    # Qwen Code keeps another part of the numbers each time.
    return "whole" if words(text) == words(whole) and len(text) > 0.9 * len(whole) else "LOST"


def first_result(host, program, options, place, fault):
    """What the model gets of the command, and whether the program was called in place of its hook."""
    weir = f"{place}/bin/weir" if fault != WITHOUT else None
    data = f"{place}/home/.local/share/weir"
    prepare = (lambda _: fill(data)) if fault == "disk full" else (lambda _: in_place(weir, fault))
    for _ in range(TRIES):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(f"{place}/bin")
        if weir:
            shutil.copy2(options.weir, weir)
        try:
            stub = drive(host, program, options, place, weir, prepare)
        finally:
            called = fault not in SCRIPTS or os.path.exists(f"{weir}.called")
            shutil.rmtree(f"{place}/bin")
            if os.path.ismount(data):
                subprocess.run(["umount", "-l", data], check=False)
        text = stub.seen[0] if stub.seen else ""
        # Qwen Code sometimes loses the output of a quick command, with a hook or without one.
        if "Output: (empty)" not in text:
            break
    with open(f"{place}/result.txt", "w", encoding="utf-8") as file:
        file.write(text)
    return text, called


def row_of(host, program, options, root):
    """What the model gets in a host: a word, characters and seconds for each fault. The first two runs have none, and
    show that the host runs, and that its hook does."""
    whole, row = "", {}
    for fault in [WITHOUT, WORKS, *(options.fault or FAULTS)]:
        start = time.monotonic()
        try:
            text, called = first_result(host, program, options, f"{root}/{host.name}/{fault.replace(' ', '-')}", fault)
        except subprocess.CalledProcessError as error:
            row[fault] = (f"skipped: {error.stderr.decode().strip()}", 0, 0)
            continue
        whole = text if fault == WITHOUT else whole
        word = verdict(text, whole) if called else "not called"
        if fault == WITHOUT and "\n100" not in text.replace("\\n", "\n"):
            word = "LOST"
        if fault == WORKS and word != "excerpt":
            word = "no excerpt"
        row[fault] = (word, len(text), round(time.monotonic() - start, 1))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", required=True, help="the program")
    parser.add_argument("--path", action="append", default=[], help="look for hosts here too")
    parser.add_argument("--keep", help="leave the homes and what the hosts said in this directory")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds for each run")
    parser.add_argument("--wrap", action="store_true", help="install with --wrap")
    parser.add_argument("--fault", action="append", choices=FAULTS, help="only this one")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("host", nargs="*", help="only these")
    options = parser.parse_args()
    options.weir = os.path.abspath(options.weir)
    found = os.pathsep.join([*options.path, os.environ.get("PATH", "")])
    root = os.path.abspath(options.keep or tempfile.mkdtemp(prefix="weir-faults-"))
    options.cache = f"{root}/cache"
    rows = {}
    for host in HOSTS:
        program = shutil.which(host.program, path=found)
        if options.host and host.name not in options.host:
            continue
        if not program:
            print(f"{host.name:<14} skipped: no {host.program}", file=sys.stderr)
            continue
        rows[host.name] = row_of(host, program, options, root)
        if not options.json:
            print(host.name)
            for fault, (word, count, seconds) in rows[host.name].items():
                print(f"  {fault:<16} {word:<8} {count:>7,} characters {seconds:>6} s", flush=True)
    if not options.keep:
        shutil.rmtree(root, ignore_errors=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    bad = ("LOST", "not called", "no excerpt")
    return int(any(word in bad for row in rows.values() for word, *_ in row.values()))


if __name__ == "__main__":
    sys.exit(main())
