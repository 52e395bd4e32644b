#!/usr/bin/env python3
"""Events that no host's hook may answer: broken, cut off, foreign, nested without end, huge, or small.

    campaign.py --weir FILE [--events N] [--seed N]

Each goes to a process `weir hook HOST` of its own. All must end with exit code 0, print nothing, say nothing on
standard error, and store nothing. The events are made from the golden ones in crates/agents/tests/events, with a text
that is large enough to be replaced. 10,000 of them take a release build a few minutes. Exit code 1 for any
that is answered; it is printed, with the seed that makes it again.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HOSTS = ["claude-code", "codex", "copilot", "gemini", "mistral-vibe", "qwen-code", "cursor", "qoder", "codebuddy",
         "grok-build", "docker-agent", "docker-mcp", "opencode", "kilo", "pi", "cline", "openclaw", "amp", "hermes", "none-such"]
# These take each other's events.
KIN = {"claude-code", "qoder", "codebuddy"}
LARGE = "".join(f"{n}\n" for n in range(1, 20_001))


def goldens():
    events = []
    for file in sorted(glob.glob(os.path.join(HERE, "../../crates/agents/tests/events/*.json"))):
        golden = json.load(open(file, encoding="utf-8"))
        for case in golden["cases"]:
            if "answer" in case and "file" not in case:
                small = json.dumps(case["event"])
                text = json.dumps(case["texts"][0])[1:-1]
                large = small.replace(text, json.dumps(LARGE)[1:-1])
                events.append((golden["host"], small, large))
    return events


def others(host, rng):
    foreign = [name for name in HOSTS if name != host and not (name in KIN and host in KIN)]
    return rng.choice(foreign)


def made(rng, events):
    """A host, and what it is sent."""
    host, small, large = rng.choice(events)
    kind = rng.randrange(8)
    if kind == 0:
        return host, large[:rng.randrange(len(large))].encode()
    if kind == 1:
        return others(host, rng), large.encode()
    if kind == 2:
        return host, small.encode()
    if kind == 3:
        return rng.choice(HOSTS), rng.randbytes(rng.randrange(5_000))
    if kind == 4:
        opening = rng.choice(["[", "{\"tool_response\":", "{\"a\":[", "\"", "{\"text\":{"])
        return rng.choice(HOSTS), (opening * rng.randrange(1, 60_000)).encode()
    if kind == 5:
        return rng.choice(HOSTS), rng.choice(
            [b"", b"{}", b"null", b"[]", b"0", b"\"x\"", b"\xef\xbb\xbf{}", b"{}{}", b"\n\n", b"\xff\xfe{\x00}\x00"])
    if kind == 6:
        # A quote too many, somewhere in what stands around the text.
        at = rng.randrange(min(60, len(large)))
        return host, (large[:at] + "\"\x00" + large[at:]).encode()
    size = rng.choice([30_000, 300_000, 3_000_000])
    return rng.choice(HOSTS), b"{\"hook_event_name\":\"PostToolUse\",\"tool_response\":\"" + b"x" * size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", default="target/release/weir", help="the program")
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.weir)
    events = goldens()
    place = tempfile.mkdtemp(prefix="weir-campaign-")
    environment = {"HOME": place, "PATH": os.environ["PATH"]}

    def one(number):
        host, event = made(random.Random(options.seed * 1_000_003 + number), events)
        done = subprocess.run([program, "hook", host], input=event, env=environment, cwd=place,
                              capture_output=True)
        good = done.returncode == 0 and not done.stdout and not done.stderr
        return None if good else f"event {number} for {host}: {done.returncode} {done.stdout[:300]} {done.stderr[:300]}"

    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            bad = [said for said in pool.map(one, range(options.events)) if said]
        stored = [name for _, _, names in os.walk(f"{place}/.local/share/weir") for name in names]
        failures = os.path.exists(f"{place}/.local/state/weir/hook-failure.txt")
    finally:
        shutil.rmtree(place, ignore_errors=True)
    for said in bad[:20]:
        print(said)
    print(f"{options.events:,} events, seed {options.seed}: {len(bad)} answered, {len(stored)} files stored, "
          f"{'a failure was kept' if failures else 'no failure'}")
    return 1 if bad or stored else 0


if __name__ == "__main__":
    sys.exit(main())
