#!/usr/bin/env python3
"""The gateway's page in a real browser: names, results and answers of a hostile server run no script and load nothing; it is
readable by axe-core's rules, and its tasks are done with the mouse and again by keyboard alone.

    tests/page.py [--weir FILE] [--shots FOLDER]

Asks for the page without a token, with a wrong one and with the right one; then shows it to Chromium (which npm brings) in light,
dark and on a phone's width, looks at the document that the browser made of it, and leaves pictures in FOLDER. Then a call is
approved, a stored result found, read and forgotten, and the reason read why a server is down.
"""

import argparse, base64, json, os, re, subprocess, sys, tempfile, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

TOKEN = "tok-" + "7" * 20
PACKAGES = ["@sparticuz/chromium@147.0.0", "puppeteer-core@24.43.1", "axe-core@4.14.1"]
# Each would change the title, or ask a server of ours.
ATTACKS = [
    "<script>document.title='owned'</script>",
    "<img src='{trap}/img' onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'>",
    "</pre></style><script src='{trap}/script'></script>",
    "<iframe src='{trap}/frame'></iframe><link rel=stylesheet href='{trap}/style'>",
    "<meta http-equiv=refresh content='0;url={trap}/away'><base href='{trap}/'>",
    "<form action='{trap}/form'><input name=q autofocus onfocus=document.title='owned'>",
    "javascript:document.title='owned'",
    "<a href=javascript:document.title='owned'>x</a>\u202eabc",
]


def server(trap):
    """A server over standard streams whose names and results are attacks."""
    attacks = [text.replace("{trap}", trap) for text in ATTACKS]
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tools = [{"name": text, "description": text, "inputSchema": schema} for text in attacks]
    for line in sys.stdin:
        message = json.loads(line)
        result = {}
        match message.get("method"):
            case "initialize":
                version = message["params"]["protocolVersion"]
                result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": attacks[0], "version": "1"}}
            case "tools/list":
                result = {"tools": tools}
            case "tools/call":
                text = "\n".join(attacks) * (1 if message["params"]["name"] == attacks[0] else 60)
                if message["params"]["name"] == attacks[1]:
                    text += "\n".join(f"test {n} ok" for n in range(3000)) + f"\ntest parse_date FAILED: expected {message['params']['arguments'].get('n')}"
                result = {"content": [{"type": "text", "text": text}]}
        if "id" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--weir", default="target/debug/weir")
    arguments.add_argument("--shots")
    arguments = arguments.parse_args()
    asked = []

    class Trap(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    trap = HTTPServer(("127.0.0.1", 0), Trap)
    Thread(target=trap.serve_forever, daemon=True).start()
    trap = f"http://127.0.0.1:{trap.server_port}"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        shots = Path(arguments.shots or folder)
        shots.mkdir(parents=True, exist_ok=True)
        (folder / "servers.json").write_text(json.dumps({"mcpServers": {
            "<b>server": {"command": sys.executable, "args": [__file__, "--server", trap]},
            "down": {"command": "/no/such/<script>document.title='owned'</script>"},
        }, "weir": {"dangerous": "ask"}}))
        environment = {**os.environ, "WEIR_STATE": str(folder / "state"), "WEIR_STORE": str(folder / "store"), "WEIR_TOKEN": TOKEN}
        command = [arguments.weir, "serve", "--http", "127.0.0.1:0", "--ui", "--servers", str(folder / "servers.json")]
        gateway = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        try:
            for line in gateway.stderr:
                if found := re.search(r"listening on (http://[^/]+)/mcp", line):
                    break
            address = found[1]
            Thread(target=gateway.stderr.read, daemon=True).start()

            def get(path, authorization=None, body=None, session=None):
                request = urllib.request.Request(address + path, data=json.dumps(body).encode() if body else None)
                headers = {"Authorization": authorization, "Content-Type": "application/json" if body else None,
                           "Accept": "application/json, text/event-stream", "Mcp-Session-Id": session}
                for name, value in headers.items():
                    if value:
                        request.add_header(name, value)
                try:
                    with urllib.request.urlopen(request, timeout=120) as answer:
                        return answer.status, answer.headers, answer.read().decode()
                except urllib.error.HTTPError as error:
                    return error.code, error.headers, error.read().decode()

            bearer = "Bearer " + TOKEN
            basic = lambda token: "Basic " + base64.b64encode(f"anybody:{token}".encode()).decode()
            for wrong in [None, "Bearer wrong", basic("wrong"), "Basic !", basic("")]:
                status, headers, body = get("/ui", wrong)
                assert status == 401 and "server" not in body, (wrong, status, body)
            # What a browser sends to the page is no token anywhere else.
            assert get("/mcp", basic(TOKEN), {"jsonrpc": "2.0", "id": 1, "method": "ping"})[0] == 401

            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": ATTACKS[0], "version": "1"}}
            _, headers, _ = get("/mcp", bearer, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
            session = headers["Mcp-Session-Id"]
            ask = lambda method, params: get("/mcp/direct", bearer, {"jsonrpc": "2.0", "id": 2, "method": method, "params": params}, session)[2]
            listed = json.loads(re.search(r"\{.*\}", ask("tools/list", {}))[0])
            names = [tool["name"] for tool in listed["result"]["tools"] if tool["name"] != "weir_fetch"]
            assert len(names) >= len(ATTACKS) - 1, names
            for name in names:
                for n in (3, 4) if name == names[1] else (0,):
                    ask("tools/call", {"name": name, "arguments": {"n": n}})
            time.sleep(3)  # A gateway writes its counts every other second.
            counts = folder / "counts.html"
            subprocess.run([arguments.weir, "stats", "--html", str(counts)], env=environment, check=True, stdout=subprocess.DEVNULL)

            subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", folder, *PACKAGES], check=True)
            answers = []
            danger = lambda n: {"name": names[0], "arguments": {"command": f"rm -rf /srv/{n}/<script>"}}
            calls = [Thread(target=lambda n=n: answers.append(ask("tools/call", danger(n)))) for n in range(2)]
            for call in calls:
                call.start()
            browser = ["node", str(Path(__file__).with_suffix(".mjs").resolve()), address, TOKEN, str(shots.resolve()), str(counts)]
            seen = json.loads(subprocess.run(browser, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout)
            for call in calls:
                call.join()
            assert not any("was not run" in answer for answer in answers), answers
            for done in seen["done"]:
                assert "no such program" in done["down"], done
                assert "there is no such result" in done["gone"], done
            lines = sorted(re.search("FAILED: expected [34]", done["line"])[0] for done in seen["done"])
            assert lines == ["FAILED: expected 3", "FAILED: expected 4"], lines
            for page, document in seen["documents"].items():
                assert re.search("<title>Weir", document) and "&lt;script&gt;" in document, document[:2000]
                for element in ["img", "iframe", "link", "object", "embed", "base"]:
                    assert f"<{element}" not in document.lower(), (page, element)
                # Ours alone: the style, the one script of the page that shows what changed, and links within it.
                assert document.count("<script") == (page == "ui"), page
                assert all(to.startswith("/ui") for to in re.findall('href="([^"]*)"', document)), page
                assert "onerror=" not in re.sub(r">[^<]*<", "><", document), page
            assert not seen["violations"], seen["violations"]
            assert not seen["said"], seen["said"]
        finally:
            gateway.terminate()
            gateway.wait()
    asked = [path for path in asked if path != "/favicon.ico"]
    assert not asked, asked
    print("3 pages, 3 looks each: nothing of theirs ran or was loaded, axe-core finds nothing, 4 tasks with the mouse and by keyboard")


if sys.argv[1:2] == ["--server"]:
    server(sys.argv[2])
else:
    main()
