#!/usr/bin/env python3
"""An OCI registry on loopback, in memory: registry.py PORT-FILE. It takes what is pushed and gives it back.

What is asked for below the name `broken/…` comes with one byte changed.
"""

import hashlib
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

BLOBS, UPLOADS, MANIFESTS, KINDS = {}, {}, {}, {}


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Registry(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def handle_one(self):
        url = urlsplit(self.path)
        body, query = self.body(), parse_qs(url.query)
        if url.path.rstrip("/") == "/v2":
            return self.answer(200, b"{}", Content_Type="application/json")
        if found := re.fullmatch(r"/v2/(.+)/blobs/uploads/(\w*)", url.path):
            return self.upload(found[1], found[2], body, query)
        if found := re.fullmatch(r"/v2/(.+)/blobs/(sha256:\w+)", url.path):
            return self.give(BLOBS.get(found[2]), found[2], "application/octet-stream", found[1].startswith("broken/"))
        if found := re.fullmatch(r"/v2/(.+)/manifests/(.+)", url.path):
            return self.manifest(found[1], found[2], body)
        if found := re.fullmatch(r"/v2/(.+)/tags/list", url.path):
            tags = sorted(tag for name, tag in MANIFESTS if name == found[1] and not tag.startswith("sha256:"))
            return self.answer(200, json.dumps({"name": found[1], "tags": tags}).encode(), Content_Type="application/json")
        return self.answer(404)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = handle_one

    def upload(self, name, number, body, query):
        if self.command == "POST" and not number:
            number = str(len(UPLOADS) + 1)
            UPLOADS[number] = b""
        UPLOADS[number] += body
        place = f"/v2/{name}/blobs/uploads/{number}"
        if "digest" not in query:
            end = max(len(UPLOADS[number]) - 1, 0)
            return self.answer(202, Location=place, Range=f"0-{end}", Docker_Upload_UUID=number)
        said = query["digest"][0]
        if digest(UPLOADS[number]) != said:
            return self.answer(400)
        BLOBS[said] = UPLOADS[number]
        return self.answer(201, Location=f"/v2/{name}/blobs/{said}", Docker_Content_Digest=said)

    def manifest(self, name, reference, body):
        if self.command == "PUT":
            KINDS[digest(body)] = self.headers["Content-Type"]
            MANIFESTS[name, reference] = MANIFESTS[name, digest(body)] = body
            return self.answer(201, Location=self.path, Docker_Content_Digest=digest(body))
        # What was pushed to `NAME` is there as `broken/NAME` too.
        held = MANIFESTS.get((name.removeprefix("broken/"), reference))
        kind = held and KINDS[digest(held)]
        return self.give(held, held and digest(held), kind, False)

    def give(self, data, name, kind, broken):
        if data is None:
            return self.answer(404, json.dumps({"errors": [{"code": "MANIFEST_UNKNOWN"}]}).encode())
        if broken and len(data) > 1000:
            data = data[:500] + bytes([data[500] ^ 1]) + data[501:]
        return self.answer(200, data, Content_Type=kind, Docker_Content_Digest=name)


server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
with open(sys.argv[1], "w") as file:
    file.write(str(server.server_port))
server.serve_forever()
