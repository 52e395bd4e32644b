"""weir-middleware.wasm under load, as tests/middleware.sh serves it: `load.py PID CALLS COMMAND...`, where the process serves port 18081
and the command serves it again once that was killed."""

import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time

HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}
CLIENTS = 8


class Client:
    def __init__(self, port):
        self.port, self.link = port, None

    def call(self, name, arguments):
        """The text of a result."""
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        if self.link is None:
            self.link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self.link.request("POST", "/mcp", json.dumps(body), HEADERS)
            answer = self.link.getresponse().read().decode()
        except Exception:
            self.link = None
            raise
        data = [line[5:] for line in answer.splitlines() if line.startswith("data:")]
        result = json.loads(data[-1] if data else answer)["result"]
        return "\n".join(block["text"] for block in result["content"])


def identifier(excerpt):
    return re.search(r"; id=([0-9a-f-]+)\]", excerpt)[1]


def memory(process):
    with open(f"/proc/{process}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def check(client, whole, lines):
    """A result is read by its whole id, and by nothing less."""
    last = client.call("weir_fetch", {"id": whole, "mode": "range", "start": lines, "count": 1})
    assert f"{lines}: all is well" in last, last
    short = client.call("weir_fetch", {"id": whole.split("-")[0], "mode": "range", "start": lines, "count": 1})
    assert f"{lines}: all is well" not in short, short


def work(calls, first, stored, faults):
    client = Client(18081)
    for turn in range(first, calls, CLIENTS):
        lines = 1000 + turn % 300
        try:
            excerpt = client.call("log", {"lines": lines})
            assert "NOT the full output" in excerpt, excerpt[:200]
            whole = identifier(excerpt)
            stored.append((whole, lines))
            if turn % 50 == first:
                check(client, whole, lines)
        except (OSError, http.client.HTTPException):
            return
        except Exception as fault:
            faults.append(repr(fault))
            return


def load(calls):
    stored, faults = [], []
    threads = [threading.Thread(target=work, args=(calls, first, stored, faults)) for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    return threads, stored, faults


def cost():
    """The median of small calls, alone and behind the middleware, in turn."""
    alone, behind = Client(18080), Client(18081)
    times = {alone: [], behind: []}
    for _ in range(300):
        for client, taken in times.items():
            start = time.perf_counter()
            assert client.call("say", {"text": "small"}) == "small"
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) * 1000 for taken in times.values()]


def main():
    process, calls, again = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    one, two = cost()
    print(f"a small call: {one:.2f} ms alone, {two:.2f} ms behind the middleware: {two / one:.2f} times")
    levels = []
    for part in (calls // 10, calls - calls // 10):
        start = time.perf_counter()
        threads, stored, faults = load(part)
        for thread in threads:
            thread.join()
        assert not faults and len(stored) == part, (faults[:3], len(stored))
        assert len({whole for whole, _ in stored}) == part, "each call has an id of its own"
        levels.append(memory(process))
        print(f"{part} large calls of {CLIENTS} clients: {part / (time.perf_counter() - start):.0f} a second, {levels[-1]:.0f} MiB")
    assert levels[1] < levels[0] * 1.25, levels
    threads, stored, faults = load(calls)
    time.sleep(3)
    os.kill(process, signal.SIGKILL)
    for thread in threads:
        thread.join()
    assert not faults and stored, faults[:3]
    served = subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        client = Client(18081)
        for _ in range(300):
            try:
                client.call("say", {"text": "small"})
                break
            except OSError:
                time.sleep(0.2)
        for whole, lines in stored:
            check(client, whole, lines)
        print(f"killed at work: all {len(stored)} results whose calls had returned are read afterwards")
    finally:
        served.kill()


main()
