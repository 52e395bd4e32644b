#!/usr/bin/env python3
"""A scripted model behind an endpoint of OpenAI's kind. It answers what it sees, else greps once with the tool it has, else says
`absent`. Every ninth answer is wrong: a model has noise. Prints its port, then a line for each request."""
import json, re, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

asked = 0


def answer(question, seen):
    key = re.search(r"names? `([^`]+)`|beside `([^`]+)`|does `([^`]+)`", question)
    key = next(part for part in key.groups() if part)
    if "How often" in question:
        return str(seen.count(key))
    shape = re.search(r"word of (\d+) characters beginning with `(.)`", question)
    if not shape or key not in seen:
        return None
    after = seen[seen.index(key) + len(key):]
    word = re.search(rf"(?<!\w){re.escape(shape[2])}\w{{{int(shape[1]) - 1}}}(?!\w)", after, re.ASCII)
    return word and word[0]


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        global asked
        asked += 1
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = body["messages"]
        question = messages[1]["content"]
        seen = "\n".join(message["content"] for message in messages if message["role"] == "tool")
        said = answer(question, seen)
        reader = [tool["function"]["name"] for tool in body.get("tools", []) if tool["function"]["name"] != "report"]
        message = {"role": "assistant", "content": f"It is:\n{said or 'absent'}"}
        if said is None and reader and len(messages) == 4:
            key = re.search(r"`([^`]+)`", question)[1]
            call = {"id": "call_1", "type": "function", "function": {"name": reader[0], "arguments": json.dumps({"id": "r", "find": key, "context": 8})}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        elif asked % 9 == 0:
            message["content"] = "no idea"
        prompt = len(json.dumps(messages)) // 4
        usage = {"prompt_tokens": prompt, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": prompt // 2}}
        reply = json.dumps({"choices": [{"message": message}], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
