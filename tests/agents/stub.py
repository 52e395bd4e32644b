"""A model on 127.0.0.1 that makes an agent run one shell command and then read back from its result.

It speaks Anthropic Messages, OpenAI Chat Completions, OpenAI Responses and Gemini, streaming or not.
A request that offers a shell tool is answered with calls of it until the script is at its end:

1. `seq 1 20000`;
2. what the excerpt names to read on, for two lines from its middle;
3. the text "done".

`Stub.seen` has the tool results of each request, in order, and `Stub.offered` the names of its tools.
"""
import gzip
import json
import re
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMAND = "seq 1 20000"
# Two lines in the middle of what is stored: of all of it, or of the part that the host left.
WHOLE_LINES = (12345, 12347)
PART_LINES = (100, 102)
SHELLS = ("bash", "shell", "exec_command", "run_shell_command", "shell_command", "execute_command",
          "run_command", "run_commands", "exec", "terminal", "execute")
ARGUMENTS = ("command", "cmd", "commands")


def flat(value):
    """The text of a tool result, however it is wrapped."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(flat(item) for item in value)
    if isinstance(value, dict):
        for key in ("text", "output", "error", "content"):
            if key in value:
                return flat(value[key])
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def stored_id(excerpt):
    """The id of the stored result that an excerpt names."""
    found = re.search(r"\bid\\?\"?[=:]\s*\\?\"?([0-9a-f]{12,64})", excerpt)
    return found.group(1) if found else None


def tool_call(tools, excerpt, lines):
    """A call of the tool that reads on, where the host has it and the excerpt names it."""
    name = next((name for name, _ in tools if name and name.endswith("weir_fetch")), None)
    stored = stored_id(excerpt)
    if not name or not stored or "weir_fetch" not in excerpt:
        return None
    return name, {"id": stored, "mode": "range", "start": lines[0], "count": lines[1] - lines[0] + 1}


def reader_of(excerpt, fallback):
    """The command that reads on, without its selection: as the excerpt spells it out."""
    named = re.search(r"(\S*weir'? fetch [^\n`]*?(?<![-0-9a-f])[0-9a-f]{12,64}\b)", excerpt)
    if named:
        return named.group(1).strip()
    stored = stored_id(excerpt)
    return f"{fallback} {stored}" if stored else None


class Messages:
    def tools(self, body):
        return [(tool.get("name"), tool.get("input_schema")) for tool in body.get("tools") or []]

    def results(self, body):
        parts = [part for message in body.get("messages", []) if isinstance(message.get("content"), list)
                 for part in message["content"] if isinstance(part, dict)]
        return [flat(part.get("content")) for part in parts if part.get("type") == "tool_result"]

    def answer(self, body, call, text, number):
        block = {"type": "text", "text": text}
        delta = {"type": "text_delta", "text": text}
        if call:
            block = {"type": "tool_use", "id": f"toolu_{number:04}", "name": call[0], "input": call[1]}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        stop = "tool_use" if call else "end_turn"
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant",
                   "model": body.get("model", "stub"), "content": [block], "stop_reason": stop,
                   "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 9}}
        empty = {**block, **({"input": {}} if call else {"text": ""})}
        events = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
                  {"type": "content_block_start", "index": 0, "content_block": empty},
                  {"type": "content_block_delta", "index": 0, "delta": delta},
                  {"type": "content_block_stop", "index": 0},
                  {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
                   "usage": {"output_tokens": 9}},
                  {"type": "message_stop"}]
        return message, [(event["type"], event) for event in events]


class Chat:
    def tools(self, body):
        return [(tool["function"]["name"], tool["function"].get("parameters"))
                for tool in body.get("tools") or [] if "function" in tool]

    def results(self, body):
        return [flat(message.get("content")) for message in body.get("messages", [])
                if message.get("role") == "tool"]

    def answer(self, body, call, text, number):
        message = {"role": "assistant", "content": None if call else text}
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            message["tool_calls"] = [{"index": 0, "id": f"call_{number:04}", "type": "function",
                                      "function": function}]
        reason = "tool_calls" if call else "stop"
        usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        base = {"id": f"chat_{number}", "created": 1, "model": body.get("model", "stub")}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        whole = {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
        chunk = {**base, "object": "chat.completion.chunk"}
        events = [{**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                  {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                  {**chunk, "choices": [], "usage": usage}, "[DONE]"]
        return whole, [(None, event) for event in events]


class Responses:
    def tools(self, body):
        tools = [(tool["name"], tool.get("parameters")) for tool in body.get("tools") or []
                 if tool.get("type") == "function"]
        # Tools of one server stand in a space of names of their own.
        self.space = {inner["name"]: tool["name"] for tool in body.get("tools") or []
                      if tool.get("type") == "namespace" for inner in tool.get("tools") or []}
        return tools + [(name, None) for name in self.space]

    def results(self, body):
        items = body.get("input") if isinstance(body.get("input"), list) else []
        return [flat(item.get("output")) for item in items
                if str(item.get("type", "")).endswith("_call_output")]

    def answer(self, body, call, text, number):
        if call:
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number:04}",
                    "name": call[0], "arguments": json.dumps(call[1]), "status": "completed"}
            if call[0] in self.space:
                item["namespace"] = self.space[call[0]]
        else:
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": text, "annotations": []}]}
        usage = {"input_tokens": 9, "output_tokens": 9, "total_tokens": 18,
                 "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens_details": {"reasoning_tokens": 0}}
        whole = {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": "completed",
                 "model": body.get("model", "stub"), "output": [item], "usage": usage, "error": None}
        begun = {**whole, "status": "in_progress", "output": [], "usage": None}
        place = {"output_index": 0}
        events = [{"type": "response.created", "response": begun},
                  {"type": "response.output_item.added", "item": item, **place},
                  {"type": "response.output_item.done", "item": item, **place},
                  {"type": "response.completed", "response": whole}]
        return whole, [(event["type"], event) for event in events]


class Gemini:
    def tools(self, body):
        return [(tool["name"], tool.get("parametersJsonSchema") or tool.get("parameters"))
                for group in body.get("tools") or [] for tool in group.get("functionDeclarations") or []]

    def results(self, body):
        return [flat(part["functionResponse"].get("response")) for content in body.get("contents", [])
                for part in content.get("parts", []) if "functionResponse" in part]

    def answer(self, body, call, text, number):
        part = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": text}
        content = {"role": "model", "parts": [part]}
        whole = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                 "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18},
                 "modelVersion": "stub", "responseId": str(number)}
        return whole, [(None, whole)]


def format_of(path):
    path = path.split("?")[0].rstrip("/")
    for end, kind in (("/chat/completions", Chat), ("/responses", Responses), ("/messages", Messages),
                      ("enerateContent", Gemini)):
        if path.endswith(end):
            return kind()
    return None


def shell_call(tools, command):
    """A call of the shell among these tools: its name and arguments."""
    by_name = {name.lower(): (name, schema or {}) for name, schema in tools if name}
    for shell in SHELLS:
        if shell not in by_name:
            continue
        name, schema = by_name[shell]
        properties = schema.get("properties", {})
        key = next((key for key in ARGUMENTS if key in properties), "command")
        is_list = properties.get(key, {}).get("type") in ("array", "ARRAY")
        arguments = {key: [command] if is_list else command}
        for other in schema.get("required", []):
            if other not in arguments:
                kind = properties.get(other, {}).get("type", "string")
                choice = (properties.get(other, {}).get("enum") or ["run it"])[0]
                fill = {"boolean": False, "integer": 60000, "number": 60000, "array": [], "object": {}}
                arguments[other] = fill.get(kind, choice)
        return name, arguments
    return None


class Stub:
    """The server; `port` is where it listens."""

    def __init__(self, fallback):
        stub = self
        self.seen = []
        self.read_with = None
        self.asked = None
        # The tools that each request offers, by name.
        self.offered = []
        self.number = 0
        self.lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def send(self, kind, data, code=200):
                self.send_response(code)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                model = {"id": "stub-model", "object": "model", "type": "model", "created": 1,
                         "display_name": "stub", "owned_by": "stub", "context_window": 200000}
                self.send("application/json", json.dumps(
                    {"object": "list", "data": [model], "has_more": False, "models": []}).encode())

            do_HEAD = do_GET

            def read(self):
                if "chunked" in self.headers.get("Transfer-Encoding", ""):
                    raw = b""
                    while size := int(self.rfile.readline().split(b";")[0], 16):
                        raw += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                unpack = {"gzip": gzip.decompress, "deflate": zlib.decompress}
                return unpack.get(self.headers.get("Content-Encoding"), bytes)(raw)

            def do_POST(self):
                raw = self.read()
                kind = format_of(self.path)
                if kind is None:
                    return self.send("application/json", b'{"input_tokens":9,"totalTokens":9}')
                body = json.loads(raw or b"{}")
                whole, events = stub.answer(kind, body, fallback)
                if not (body.get("stream") or ":stream" in self.path):
                    return self.send("application/json", json.dumps(whole).encode())
                lines = []
                for name, event in events:
                    data = event if isinstance(event, str) else json.dumps(event)
                    lines.append((f"event: {name}\n" if name else "") + f"data: {data}\n\n")
                return self.send("text/event-stream", "".join(lines).encode())

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, kind, body, fallback):
        with self.lock:
            self.number += 1
            results = kind.results(body)
            tools = kind.tools(body)
            self.offered.append([name for name, _ in tools])
            call = None
            if results and len(results) >= len(self.seen):
                self.seen = results
            if not results:
                call = shell_call(tools, COMMAND)
            elif len(results) == 1:
                lines = WHOLE_LINES if "20,000 lines" in results[0] else PART_LINES
                call = tool_call(tools, results[0], lines)
                self.read_with = call[0] if call else reader_of(results[0], fallback)
                if self.read_with:
                    self.asked = lines
                if self.read_with and not call:
                    lines = "{}..{}".format(*self.asked)
                    call = shell_call(tools, f"{self.read_with} --lines {lines}")
            return kind.answer(body, call, "done" if results else "ok", self.number)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
