"""Catalogs of tools: assembled, searched, described, and calls checked for the host to dispatch."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Mapping, Protocol

from . import _values as values
from ._engine import Compiled, Instance
from ._export import SEARCHES, Export, Form, export, known
from ._values import Arguments
from .errors import Trapped
from .limits import Class, Limits
from .types import Diagnostic, Repair, VisibleTool


@dataclass(slots=True, kw_only=True)
class Assembly:
    """What a model is shown."""

    active: bool
    """Whether tools are deferred. If not, show your own list as it is."""
    reason: str
    """Why, or why not."""
    tools: list[dict[str, Any]]
    """The whole list to show, in MCP's shape, bridge tools last."""
    block: str = ""
    """The listing, when it stands in a text of its own."""
    visible: list[VisibleTool] = field(default_factory=list)
    deferred: int = 0
    """How many tools are deferred."""
    listing: str = "none"
    deferred_tokens: int = 0
    total_tokens: int = 0
    bridge_tokens: int = 0
    threshold_tokens: int = 0
    warnings: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class ResolvedCall:
    """A call for you to dispatch, under your own policy, hooks and approvals."""

    id: str
    tool: str
    """What the catalog calls the tool."""
    name: str
    """What its owner calls it: dispatch this."""
    server: str
    arguments: Any
    """The arguments, checked and repaired."""
    risk: str
    """`read-only`, `writes`, `destructive`, `open-world` or `unknown`."""
    origin: str = "external"
    cold: bool = False
    """Whether the server must be started first."""
    schema: str = ""
    routed: str = "bridge"
    annotations: dict[str, bool] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    """Arguments that were repaired because only one reading was possible."""
    unchecked: str | None = None
    wait_for: list[int] = field(default_factory=list)
    """Earlier calls of the batch that this one must wait for."""
    duplicate_of: int | None = None


@dataclass(slots=True, kw_only=True)
class BridgeAnswer:
    """What to do about a model's call to a bridge tool: show `text`, or dispatch `calls`."""

    text: str | None = None
    is_error: bool = False
    calls: list[ResolvedCall] = field(default_factory=list)


class Conversation:
    """What is known of one conversation: what the model was shown, and what it searched for.

    Keep one for each conversation and give it to every `invoke`. Call `compacted` when the model's
    context was: what was described is then described again in full.
    """

    def __init__(self, *, visible: list[str] | None = None, strict: bool = False, reveal_first: bool = False) -> None:
        """`visible`: names of the tools that the model has directly. `strict`: refuse a visible tool sent
        through the bridge, and a deferred one called by its name. `reveal_first`: refuse a call unless
        the tool's parameters were shown before."""
        self.state: dict[str, Any] = {"visible": visible or [], "strict": strict, "revealFirst": reveal_first}

    def compacted(self) -> None:
        """Forget what was shown."""
        self.state.pop("shown", None)


class Owner(Protocol):
    """What a catalog needs of the `Weir` that made it."""

    _compiled: Compiled

    def limits(self, kind: Class, input_bytes: int = 0) -> Limits:
        """What a call of a class on so many bytes of input may use."""


class Catalog:
    """The tools of one conversation, immutable, in an instance of its own. Callable from any thread, one
    call at a time. After a trap it is opened anew by itself."""

    def __init__(self, weir: Owner, source: str) -> None:
        self._weir, self._source = weir, source
        self._lock = threading.Lock()
        self._instance: Instance | None = None
        self._number = 0
        self.digest = ""
        """64 hex digits: the same for the same tools, servers and bridge names."""
        self.diagnostics: list[Diagnostic] = []
        """What was found about the tools."""
        with self._lock:
            self._open()

    def __repr__(self) -> str:
        return f"<Catalog {self.digest}>"

    def _open(self) -> Instance:
        instance = Instance(self._weir._compiled, None, self._weir.limits(Class.INDEX))
        limits = self._weir.limits(Class.INDEX, values.size(self._source))
        opened = values.answer(instance.call(limits, "json", "open-catalog", self._source))
        self._instance, self._number, self.digest = instance, opened["catalog"], opened["digest"]
        self.diagnostics = [values.from_json(Diagnostic, one) for one in opened["diagnostics"]]
        return instance

    def _call(self, name: str, *arguments: str) -> dict[str, Any]:
        with self._lock:
            instance = self._instance or self._open()
            limits = self._weir.limits(Class.SEARCH, sum(values.size(one) for one in arguments))
            try:
                return values.answer(instance.call(limits, "json", name, self._number, *arguments))
            except Trapped:
                self._instance = None
                raise

    def assemble(self, *, context_tokens: int = 0, **settings: Any) -> Assembly:
        """Decide what a model sees. `settings` are those of `assemble.settings` of `wit/json.schema.json`, such as
        `mode="on"`, `listing_max_tokens=800`, `pin=["server:files"]`.

        Raises `Refused` with `missing-tools`, or with `invalid` for settings that are unknown or of a wrong
        type: the message names them.
        """
        answer = self._call("assemble", json.dumps({"context_tokens": context_tokens, **settings}))
        made: Assembly = values.from_json(Assembly, answer)
        return made

    def export(self, form: Form, **settings: Any) -> Export:
        """The tools as a model API takes them, in the `tools` of a request to it: with the provider's own search
        (`anthropic-bm25`, `anthropic-regex`, `openai-search`), or with the bridge tools (`anthropic`, `gemini`, `openai`
        for Responses, `openai-chat` for Chat Completions and what is like it, `mcp`). `settings` as for `assemble`,
        whose `mode` is `on` here.

        Give a model's call to `invoke` by `Export.call`, whatever the form.

        Raises `Refused` with `invalid` for another form, and with `too-many-tools` for more than the API takes.
        """
        kind, settings = known(form), {"mode": "on", **settings}
        shown = self.assemble(**settings)
        if kind not in SEARCHES or not shown.active:
            return export(kind, shown.tools, {}, shown.block)
        whole = self.assemble(**{**settings, "mode": "off"})
        direct = {tool.id for tool in shown.visible}
        return export(kind, whole.tools, {tool.id: tool.server for tool in whole.visible if tool.id not in direct})

    def invoke(self, name: str, arguments: Arguments, conversation: Conversation | None = None) -> BridgeAnswer:
        """Answer a model's call to a bridge tool: with a text to show, or with calls to dispatch."""
        known = conversation or Conversation()
        given = values.json_text({} if arguments is None else arguments)
        answer = self._call("invoke-bridge", values.text(name), given, json.dumps(known.state))
        known.state = known.state | answer["conversation"]
        if "result" in answer:
            result = answer["result"]
            return BridgeAnswer(text=result["content"][0]["text"], is_error=result["isError"])
        return BridgeAnswer(calls=[values.from_json(ResolvedCall, call) for call in answer["calls"]])

    def search(self, query: str, conversation: Conversation | None = None) -> BridgeAnswer:
        """What the model's search tool answers, under its default name."""
        return self.invoke("tool_search", {"query": query}, conversation)

    def close(self) -> None:
        """Free its memory. The next call opens it again."""
        with self._lock:
            self._instance = None

    def __enter__(self) -> "Catalog":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def snapshot(servers: Any, names: Mapping[str, str] | None) -> str:
    """The snapshot as the string interface takes it."""
    whole: dict[str, Any]
    if isinstance(servers, Mapping):
        if isinstance(servers.get("tools"), list) or isinstance(servers.get("servers"), list):
            whole = dict(servers)
        else:
            whole = {"servers": [{"name": name, "tools": list(tools)} for name, tools in servers.items()]}
    else:
        listed = list(servers)
        whole = {"servers": listed} if listed and "tools" in listed[0] else {"tools": listed}
    if names is not None:
        whole["names"] = dict(names)
    return values.text(json.dumps(whole, ensure_ascii=False))
