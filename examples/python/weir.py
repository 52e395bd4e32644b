"""Weir in an agent of one's own: pip install wasmtime, then python weir.py WEIR.WASM DIRECTORY."""

import json
import sys

from wasmtime import Config, Engine, Store, WasiConfig
from wasmtime.component import Component, Linker


class Weir:
    """The interface `json` of a component, over a directory."""

    def __init__(self, file, directory):
        config = Config()
        config.cache = True  # compiled once, into wasmtime's own cache
        engine = Engine(config)
        linker = Linker(engine)
        linker.add_wasip2()
        wasi = WasiConfig()
        wasi.preopen_dir(directory, "/store")
        self.store = Store(engine)
        self.store.set_wasi(wasi)
        self.weir = linker.instantiate(self.store, Component.from_file(engine, file))
        self.json = self.weir.get_export_index(self.store, "weir:plugin/json@0.3.0")

    def call(self, name, *arguments):
        """Calls a function: texts and numbers are given as they are, all else as JSON."""
        index = self.weir.get_export_index(self.store, name, self.json)
        function = self.weir.get_func(self.store, index)
        plain = [a if isinstance(a, (str, int)) else json.dumps(a) for a in arguments]
        answer = json.loads(function(self.store, *plain))
        function.post_return(self.store)
        if "error" in answer:
            raise ValueError(answer["error"]["code"] + ": " + answer["error"]["message"])
        return answer


def main(file, directory):
    weir = Weir(file, directory)

    # A large result: show the model what `result` has, and the tools beside its own.
    lines = [f"{n}: " + ("error: disk is full" if n == 4321 else "ok") for n in range(1, 9001)]
    result = {"content": [{"type": "text", "text": "\n".join(lines)}]}
    shown = weir.call("transform", {"session": "alice", "tool": "read_log"}, result)
    print(shown["replaced"], [tool["name"] for tool in weir.call("result-tools")["tools"]])
    wanted = {"id": shown["handles"][0]["id"], "mode": "grep", "pattern": "error:"}
    print(weir.call("invoke", "alice", "weir_fetch", wanted)["content"][0]["text"])

    # Many tools: show the model what `assemble` has, and dispatch the calls that it makes.
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    tools = [{"name": f"tool_{n}", "description": f"Does {n}.", "inputSchema": schema} for n in range(99)]
    tools.append({"name": "read_file", "description": "Reads a file.", "inputSchema": schema})
    catalog = weir.call("open-catalog", {"servers": [{"name": "files", "tools": tools}]})["catalog"]
    print([tool["name"] for tool in weir.call("assemble", catalog, {"mode": "on"})["tools"]])
    found = weir.call("invoke-bridge", catalog, "tool_search", {"query": "read a file"}, {})
    print(found["result"]["content"][0]["text"])


if __name__ == "__main__":
    main(*sys.argv[1:])
