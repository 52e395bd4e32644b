#!/usr/bin/env python3
"""What it costs that gateways share results: beside a gateway with its directory alone, and beside the calls to the object server.

    cargo build --release -p weir-cli && cargo build --release -p weir-tier --example calls
    tests/tier.py --weed WEED
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from replicas import BUCKET, Campaign, Engine, Replica, HERE

MB = 80 * 13_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weed", required=True)
    parser.add_argument("--weir", default=os.path.join(HERE, "target/release/weir"))
    parser.add_argument("--calls", default=os.path.join(HERE, "target/release/examples/calls"))
    parser.add_argument("--times", type=int, default=40)
    args = parser.parse_args()
    args.moto, args.clients, args.lines = False, 1, 0
    folder = tempfile.mkdtemp(prefix="weir-tier-")
    engine = Engine(args, folder)
    alone = shared = cold = None
    try:
        engine.start()
        engine.client().create_bucket(Bucket=BUCKET)
        endpoint = f"http://127.0.0.1:{engine.port}"
        alone, shared, cold = Replica(0, args, folder, None), Replica(1, args, folder, endpoint), Replica(2, args, folder, endpoint)
        for replica in (alone, shared, cold):
            replica.start()
        campaign = Campaign(args, [alone, shared, cold])
        number = 0

        def timed(replica, tool, given):
            started = time.perf_counter()
            answer = campaign.call(replica, "anna", tool, given)
            spent = (time.perf_counter() - started) * 1000
            assert answer and not answer.get("isError"), answer
            return spent, answer

        def put(replica, lines):
            nonlocal number
            number += 1
            spent, answer = timed(replica, "s__make", {"n": number, "lines": lines})
            return spent, answer["_meta"]["weir/blob"]["id"]

        def row(name, *values):
            print(f"| {name} | " + " | ".join(values) + " |", flush=True)

        def shown(values):
            values = sorted(values)
            return f"{statistics.median(values):.1f} ({values[int(len(values) * 0.95)]:.1f})"

        row("milliseconds: median (p95)", "directory alone", "with the tier", "from another gateway, cold")
        row("---", "---", "---", "---")
        for name, lines, times in [("20 KB", 260, args.times), ("1 MB", 13_000, args.times // 2)]:
            puts, firsts, seconds = {alone: [], shared: []}, {alone: [], cold: []}, {alone: [], cold: []}
            for _ in range(times):
                for replica in (alone, shared):
                    spent, handle = put(replica, lines)
                    puts[replica].append(spent)
                    reader = alone if replica is alone else cold
                    for into, start in ((firsts, 100), (seconds, 200)):
                        given = {"id": handle, "mode": "range", "unit": "lines", "start": start, "count": 10}
                        into[reader].append(timed(reader, "weir_fetch", given)[0])
            row(f"a result of {name}, until its handle is shown", shown(puts[alone]), shown(puts[shared]), "")
            row(f"first range of {name}", shown(firsts[alone]), "", shown(firsts[cold]))
            row(f"second range of {name}", shown(seconds[alone]), "", shown(seconds[cold]))
        times = {}
        for replica in (alone, shared):
            spent, handle = put(replica, 1_250_000)
            times[replica] = spent
            reader = alone if replica is alone else cold
            given = {"id": handle, "mode": "grep", "pattern": " 1249999 "}
            times[replica, 1], answer = timed(reader, "weir_fetch", given)
            assert " 1249999 " in answer["content"][0]["text"]
            times[replica, 2] = timed(reader, "weir_fetch", given)[0]
        row("a result of 100 MB, until its handle is shown", f"{times[alone]:.0f}", f"{times[shared]:.0f}", "")
        row("grep of 100 MB", f"{times[alone, 1]:.0f}", "", f"{times[shared, 1]:.0f}")
        row("the same again", f"{times[alone, 2]:.0f}", "", f"{times[shared, 2]:.0f}")
        environment = shared.environment() | {"AWS_ENDPOINT": endpoint, "AWS_ALLOW_HTTP": "true"}
        print(subprocess.run([args.calls, f"s3://{BUCKET}/calls"], env=environment, capture_output=True, text=True).stdout)
    finally:
        for process in [replica.process for replica in (alone, shared, cold) if replica] + [engine.process]:
            if process:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)


main()
