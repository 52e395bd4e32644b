#!/usr/bin/env python3
"""How long `weir hook` takes, as a whole process, on events that a host sends.

    latency.py --weir FILE [--runs N] [--check]

Each event goes to a process of its own; its time is from the start to the exit. The store, the cache and the
configuration are in a directory that is removed. With --check the exit code is 1 when a result of 2 KB that
stays as it is takes more than 15 ms at the 95th percentile, or one of 1 MB that is replaced more than 60 ms.
Build with `cargo build --release`: a debug build is several times slower.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

CASES = [("2 KB, left as it is", 2_000, 15), ("1 MB, replaced", 1_000_000, 60)]


def event(number, size, directory):
    """Of Claude Code's shell. Each is of its own content, so that each is stored anew."""
    line = f"run {number}: the quick brown fox jumps over the lazy dog, and nothing else happens here\n"
    text = (line * (size // len(line) + 1))[:size]
    return json.dumps({
        "session_id": "s", "cwd": directory, "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "make"}, "tool_use_id": "t", "tool_response": {
            "stdout": text, "stderr": "", "interrupted": False, "isImage": False}}).encode()


def cpu():
    """Milliseconds of CPU that all processes started here have taken: no matter what else runs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", default="target/release/weir", help="the program")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.weir = os.path.abspath(options.weir)
    place = tempfile.mkdtemp(prefix="weir-latency-")
    environment = {"HOME": place, "PATH": os.environ["PATH"]}
    late = False
    try:
        for name, size, limit in CASES:
            times, works = [], []
            # The first one compiles the component.
            for number in range(-2, options.runs):
                data = event(number, size, place)
                before, begun = cpu(), time.perf_counter()
                done = subprocess.run([options.weir, "hook", "claude-code"], input=data, env=environment,
                                      cwd=place, capture_output=True)
                took = (time.perf_counter() - begun) * 1000
                replaced = b"[weir: " in done.stdout
                if done.returncode != 0 or done.stderr or replaced != (size > 12_000):
                    raise SystemExit(f"{name}: {done}")
                if number >= 0:
                    times.append(took)
                    works.append(cpu() - before)
            times.sort()
            works.sort()
            p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
            late |= p95 > limit
            print(f"{name:<22} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  max {times[-1]:6.1f} ms  "
                  f"of {len(times)}; at most {limit} ms at p95; CPU p50 {works[len(works) // 2]:.1f} ms, "
                  f"p95 {works[len(works) * 95 // 100]:.1f} ms")
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return 1 if options.check and late else 0


if __name__ == "__main__":
    sys.exit(main())
