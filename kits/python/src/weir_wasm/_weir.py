"""Weir over one store: give it results, read them back, look after them; and the same for async code."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import threading
import time
import weakref
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import (
    Any, AsyncIterable, AsyncIterator, Callable, Concatenate, Coroutine, Iterable, Iterator, Mapping, ParamSpec, Sequence, TypeVar,
)

from wasmtime.component import ResourceAny

from . import _values as values
from ._catalog import Assembly, BridgeAnswer, Catalog, Conversation, snapshot
from ._engine import Compiled, Instance, LimitsOf, embedded, only_ours, user_cache
from ._export import Export, Form
from ._values import Arguments
from .errors import SettingsError, StoreError, Trapped
from .limits import Class, Limits
from .types import (
    BlobList, BlobStat, CaseMode, CheckProgress, ComponentInfo, Diagnostic, DiffPage, Forgotten, GrepPage, Handle,
    OutlinePage, Page, Part, PassagePage, Problem, QueryPage, StoreStatus, SweepProgress, ToolAnswer,
    Transformed, Unit, View,
)

log = logging.getLogger("weir_wasm")

Json = Any
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

REQUEST_SECONDS = 10.0
"""How long one request goes on over slices of the component's work that each end without an answer."""

TOO_COSTLY = (
    "too costly: this takes more than one call may. Instead, use grep with a plain word, range for a part, or a query that "
    "does less for each row: it selects early, avoids repeat, recurse and nested loops, and sums up with reduce"
)
"""What a model is told of a call that met a limit."""

STREAM_CHARS = 8 * 1024 * 1024
"""Text from which on a result is handed over in pieces, so that the component's memory does not grow."""

CHUNK_CHARS = 1024 * 1024
SWEEP_ENTRIES = 4_096
CHECK_BYTES = 16 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class ModelTool:
    """A tool to show a model."""

    name: str
    description: str
    input_schema: dict[str, Any]
    """The JSON Schema of its arguments."""
    annotations: dict[str, Any] = field(default_factory=dict)
    """MCP annotations, such as `readOnlyHint`."""

    def as_mcp(self) -> dict[str, Any]:
        """The tool as MCP's `tools/list` has it."""
        tool = {"name": self.name, "description": self.description, "inputSchema": self.input_schema}
        return tool | ({"annotations": self.annotations} if self.annotations else {})

    def as_openai(self) -> dict[str, Any]:
        """The tool as OpenAI's Chat Completions takes it."""
        about = {"name": self.name, "description": self.description, "parameters": self.input_schema}
        return {"type": "function", "function": about}

    def as_anthropic(self) -> dict[str, Any]:
        """The tool as Anthropic's Messages takes it."""
        return {"name": self.name, "description": self.description, "input_schema": self.input_schema}


@dataclass(slots=True)
class ParsedSettings:
    """Settings as read: always usable."""

    settings: dict[str, Any]
    """All of them: what was given where it is good, defaults elsewhere. Sizes in bytes, times in seconds."""
    problems: list[Problem]
    """What was wrong."""


@dataclass(slots=True, kw_only=True)
class McpTransformed:
    """What became of an MCP result. `result` is always there: show it."""

    replaced: bool
    """Whether `result` stands in the result's place."""
    reason: str
    """Why, as in `Transformed`."""
    result: dict[str, Any]
    """A result of MCP's `tools/call`."""
    handles: list[Handle] = field(default_factory=list)
    chars_before: int = 0
    chars_after: int = 0
    estimated_tokens_before: int = 0
    estimated_tokens_after: int = 0
    store_failure: str | None = None
    """Why the store refused, when it did. For logs."""


class Weir:
    """The component over one store. Every call runs in a fresh instance under its own limits.

    Calls block and may come from any number of threads, which then run side by side. In async code use
    `weir.aio`, which has the same methods.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str] | None,
        *,
        settings: Mapping[str, Any] | None = None,
        cache: str | os.PathLike[str] | bool | None = True,
        component: str | os.PathLike[str] | None = None,
        trusted_keys: Sequence[str | os.PathLike[str]] | None = None,
        limits: LimitsOf | None = None,
    ) -> None:
        """Open the store in `directory`, which is made with mode 0700 if needed.

        `directory`: `None` for tool search alone, which needs no store.
        `settings`: tables `transform`, `fetch` and `store`, as in the command's `config.toml`.
        `cache`: where compiled code is kept: in this user's directory for caches (the default), in a
            directory of your own, or nowhere (`False` or `None`: each start compiles for some seconds).
        `component`: another file than the one in this package.
        `trusted_keys`: public keys, as PEM or files of it. Another file than the one in this package is then run
            only if one of them signed it: the signature lies beside it, in `FILE.sig`. Without them a file that
            you name is run as it is.
        `limits`: what a call of a class on so many bytes of input may use; default `Class.limits`.

        Raises `StoreError`, `ComponentError`, or `SettingsError`.
        """
        self.directory: Path | None = None
        if directory is not None:
            self.directory = store_directory(Path(directory).expanduser())
        where = user_cache() if cache is True else Path(cache).expanduser() if cache else None
        file = component or os.environ.get("WEIR_COMPONENT") or embedded()
        self._compiled = Compiled(Path(file).expanduser(), where, trusted_keys)
        self._sweepers: weakref.WeakSet[Sweeper] = weakref.WeakSet()
        self._limits_of: LimitsOf = limits or Class.limits
        self._settings: str | None = None
        if settings is not None:
            parsed = self.parse_settings(settings)
            if parsed.problems:
                raise SettingsError("; ".join(f"{one.key}: {one.message}" for one in parsed.problems))
            self._settings = json.dumps(settings)
        self._aio: AsyncWeir | None = None

    def close(self) -> None:
        """Let go of the compiled code, and end the sweepers. Every later call, of catalogs and intakes too, raises
        `ClosedError`. `with` does it at its end."""
        for sweeper in list(self._sweepers):
            sweeper.stop()
        self._compiled.close()

    def __enter__(self) -> "Weir":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Weir({None if self.directory is None else str(self.directory)!r})"

    def __reduce__(self) -> Any:
        raise TypeError(
            "a Weir stays in its process: give other processes the directory, and let each open it. Any number may at once"
        )

    @property
    def aio(self) -> "AsyncWeir":
        """The same for async code: each call runs in a thread of asyncio's."""
        if self._aio is None:
            self._aio = AsyncWeir(self)
        return self._aio

    # --- plumbing

    def limits(self, kind: Class, input_bytes: int = 0) -> Limits:
        """What a call of a class on so many bytes of input may use."""
        return self._limits_of(kind, input_bytes)

    def _instance(self, kind: Class) -> Instance:
        instance = Instance(self._compiled, self.directory, self.limits(kind))
        if self._settings is not None:
            limits = self.limits(Class.SMALL, len(self._settings))
            instance.call(limits, "json", "configure", self._settings)
        return instance

    def _call(self, kind: Class, size: int, interface: str, name: str, *arguments: Any) -> Any:
        return self._instance(kind).call(self.limits(kind, size), interface, name, *arguments)

    def _reading(self, kind: Class, cls: type[T], name: str, *arguments: Any) -> T:
        made: T = values.result(cls, self._call(kind, 0, "reading", name, *arguments))
        return made

    def _sliced(self, cls: type[T], name: str, *arguments: Any, more: str | None) -> T:
        """Goes on until there is something to show, or the time of a request is over."""
        end = time.monotonic() + REQUEST_SECONDS
        while True:
            page: Any = self._reading(Class.GREP, cls, name, *arguments, more)
            more = page.more
            if not page.pending or more is None or time.monotonic() >= end:
                done: T = page
                return done

    def strings(self) -> "Strings":
        """The string interface `json` over one instance that lives until it is dropped."""
        return Strings(self._instance(Class.TRANSFORM), self._limits_of)

    # --- what it is, and settings

    def info(self) -> ComponentInfo:
        """What the component is and can do."""
        made: ComponentInfo = values.lift(ComponentInfo, self._call(Class.SMALL, 0, "info", "describe-component"))
        return made

    def default_settings(self) -> dict[str, Any]:
        """The settings that hold where nothing is configured, as `settings_schema` describes them."""
        return self.parse_settings("{}").settings

    def parse_settings(self, settings: Mapping[str, Any] | str) -> ParsedSettings:
        """Read settings. Never fails: a bad value is named, and its default used."""
        given = values.json_text(settings)
        read = self._call(Class.SMALL, len(given), "settings", "parse", given)
        return ParsedSettings(json.loads(read.json), [values.lift(Problem, problem) for problem in read.problems])

    def settings_schema(self) -> dict[str, Any]:
        """The JSON Schema of the settings, with every default and range."""
        made: dict[str, Any] = json.loads(self._call(Class.SMALL, 0, "settings", "schema"))
        return made

    def estimate_tokens(self, text: str) -> int:
        """The estimate of a text's tokens that all limits in tokens go by."""
        return int(self._call(Class.TRANSFORM, values.size(text), "settings", "estimate-tokens", values.text(text)))

    # --- results

    def transform(
        self,
        session: str,
        tool: str,
        content: str | Sequence[Part],
        *,
        toolset: str | None = None,
        arguments: Arguments = None,
        reader: str | None = None,
        purpose: str | None = None,
        raw: str | None = None,
        is_error: bool = False,
        waits_for_input: bool = False,
        max_chars: int | None = None,
        already_cut: bool = False,
    ) -> Transformed:
        """Replace a result if it is too large. Show `parts` when `replaced` is set, else the result as it came.

        `session`: who may read the result back: 1 to 512 characters that you choose and a model never does.
        `content`: the text, or the parts in order.
        `toolset`: the server that the tool belongs to. `arguments`: those of the call.
        `reader`: how the model reads on, when that is not the tool `weir_fetch`, such as `tool:NAME`.
        `purpose`: what the call was for, in the words of a model or a person: lines that fit it are shown first.
        `raw`: the result as it came over the wire, when that holds more than the parts do.
        `max_chars`: the limit that the tool's server states for its own results.
        `already_cut`: whether the text was cut before it came here.

        Raises `Refused` with `bad-session` or `bad-base64`, and `Trapped`: the result is then still
        yours to show. A store that fails is not an error.
        """
        origin = _origin(session, tool, toolset, arguments, reader, purpose)
        max_chars = values.count("max_chars", max_chars)
        streams = isinstance(content, str) and len(content) > STREAM_CHARS
        if streams and not (waits_for_input or already_cut) and raw is None:
            if self.threshold(session, tool, toolset=toolset, max_chars=max_chars) is not None:
                assert isinstance(content, str)
                with Intake(self, origin, max_chars) as intake:
                    intake.write(content)
                    transformed = intake.finish(is_error=is_error)
                if not transformed.replaced:
                    transformed.parts = []
                return transformed
        parts = values.parts(content)
        finished = values.record(
            origin=origin,
            parts=[values.lower_part(part) for part in parts],
            raw=None if raw is None else values.text(raw),
            is_error=is_error,
            waits_for_input=waits_for_input,
            max_chars=max_chars,
            already_cut=already_cut,
        )
        size = sum(values.part_size(part) for part in parts) + values.size(raw or "")
        answer = self._call(Class.TRANSFORM, size, "result-transform", "transform", finished)
        made: Transformed = values.result(Transformed, answer)
        return made

    def show(
        self,
        session: str,
        tool: str,
        text: str,
        *,
        toolset: str | None = None,
        arguments: Arguments = None,
        reader: str | None = None,
        purpose: str | None = None,
        is_error: bool = False,
        max_chars: int | None = None,
        already_cut: bool = False,
    ) -> str:
        """What to show a model of a text: the text itself, or an excerpt with a handle.

        Never raises `Trapped`: the text is then shown as it came, and the log says why.
        """
        try:
            transformed = self.transform(
                session, tool, text, toolset=toolset, arguments=arguments, reader=reader, purpose=purpose,
                is_error=is_error, max_chars=max_chars, already_cut=already_cut,
            )
        except Trapped as error:
            log.warning("a result of %s is shown as it came: %s", tool, error)
            return text
        if transformed.store_failure:
            log.warning("a result of %s was not stored: %s", tool, transformed.store_failure)
        return "\n".join(part for part in transformed.parts if isinstance(part, str)) if transformed.replaced else text

    def transform_mcp(
        self,
        session: str,
        tool: str,
        result: Mapping[str, Any] | str,
        *,
        server: str | None = None,
        arguments: Arguments = None,
        reader: str | None = None,
        purpose: str | None = None,
        max_chars: int | None = None,
        already_cut: bool = False,
    ) -> McpTransformed:
        """The same for a result of MCP's `tools/call`. Any other JSON, or text, is taken as one text."""
        call: dict[str, Any] = {"session": session, "tool": tool, "alreadyCut": already_cut}
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                pass
        given = {"server": server, "arguments": arguments, "reader": reader, "purpose": purpose, "maxChars": max_chars}
        call |= {name: value for name, value in given.items() if value is not None}
        text = values.json_text(result)
        answer = self._json(Class.TRANSFORM, values.size(text), "transform", values.json_text(call), text)
        made: McpTransformed = values.from_json(McpTransformed, answer)
        return made

    def threshold(
        self, session: str, tool: str, *, toolset: str | None = None, max_chars: int | None = None
    ) -> int | None:
        """How many characters a result of this tool may have; `None` when it is never replaced."""
        origin = _origin(session, tool, toolset, None, None, None)
        most = values.count("max_chars", max_chars)
        found: int | None = self._call(Class.SMALL, 0, "result-transform", "threshold", origin, most)
        return found

    def intake(
        self,
        session: str,
        tool: str,
        *,
        toolset: str | None = None,
        arguments: Arguments = None,
        reader: str | None = None,
        purpose: str | None = None,
        max_chars: int | None = None,
    ) -> "Intake":
        """Take one large text as it arrives, in constant memory. Use it in a `with`."""
        origin = _origin(session, tool, toolset, arguments, reader, purpose)
        return Intake(self, origin, values.count("max_chars", max_chars))

    def transform_chunks(
        self,
        session: str,
        tool: str,
        chunks: Iterable[str | bytes],
        *,
        toolset: str | None = None,
        arguments: Arguments = None,
        reader: str | None = None,
        purpose: str | None = None,
        max_chars: int | None = None,
        is_error: bool = False,
    ) -> Transformed:
        """The same over all chunks of a stream. A result that is not replaced comes back in `parts`."""
        with self.intake(
            session, tool, toolset=toolset, arguments=arguments, reader=reader, purpose=purpose, max_chars=max_chars
        ) as intake:
            for chunk in chunks:
                intake.write(chunk)
            return intake.finish(is_error=is_error)

    # --- what a model sees

    def result_tools(self) -> list[ModelTool]:
        """The tools over stored results, to show a model beside its own."""
        return [
            ModelTool(
                name=tool.name,
                description=tool.description,
                input_schema=json.loads(getattr(tool, "input-schema")),
                annotations=json.loads(tool.annotations or "{}"),
            )
            for tool in self._call(Class.SMALL, 0, "model-tools", "result-tools")
        ]

    def invoke(self, session: str, name: str, arguments: Arguments, *, seconds: float = REQUEST_SECONDS) -> ToolAnswer:
        """Run one of these tools on what a model sent. Whatever it sent, the answer is for it.

        Goes on over bounded slices of work for so many seconds; what is then left is in `more`.
        """
        end = time.monotonic() + seconds
        given = values.json_text({} if arguments is None else arguments)
        while True:
            try:
                answer = self._call(Class.GREP, values.size(given), "model-tools", "invoke", values.text(session), name, given)
            except Trapped as error:
                if error.reason == "fault":
                    raise
                return ToolAnswer(text=f"{name}: {TOO_COSTLY}", is_error=True)
            made: ToolAnswer = values.lift(ToolAnswer, answer)
            if made.more is None or time.monotonic() >= end:
                return made
            given = made.more

    # --- reading back. All raise `Refused`.

    def stat(self, session: str, id: str) -> BlobStat:
        """What is known of a stored result."""
        return self._reading(Class.FETCH, BlobStat, "stat", values.text(session), values.text(id))

    # `more`: that of the answer before, with the same other arguments. What is answered is of all the work up to now.

    def read(
        self,
        session: str,
        id: str,
        start: int = 1,
        count: int | None = None,
        *,
        unit: Unit = "lines",
        view: View = "text",
        more: str | None = None,
    ) -> Page:
        """Read from a position on; negative counts from the end. `more` of the page says how to go on."""
        begin = values.count("start", start, 64, -(2**63))
        place = values.word("unit", unit, Unit), begin, values.count("count", count, 64)
        return self._reading(Class.FETCH, Page, "read", *_named(session, id, view), *place, more)

    def read_end(
        self, session: str, id: str, lines: int | None = None, *, view: View = "text", more: str | None = None
    ) -> Page:
        """The last lines; when they are more than one page holds, their end."""
        return self._reading(Class.FETCH, Page, "read-end", *_named(session, id, view), values.count("lines", lines, 64), more)

    def read_all(self, session: str, id: str, *, view: View = "text", more: str | None = None) -> Page:
        """All of it, up to the setting `full_max_chars`."""
        return self._reading(Class.FETCH, Page, "read-all", *_named(session, id, view), more)

    def pages(self, session: str, id: str, *, view: View = "text") -> Iterator[Page]:
        """Every byte of it, page after page."""
        more = None
        while True:
            page = self.read(session, id, 0, unit="bytes", view=view, more=more)
            yield page
            more = page.more
            if more is None:
                return

    def grep(
        self,
        session: str,
        id: str,
        pattern: str,
        *,
        regex: bool = False,
        case_mode: CaseMode = "smart",
        word: bool = False,
        invert: bool = False,
        count_only: bool = False,
        before: int = 0,
        after: int = 0,
        max_matches: int | None = None,
        start: int = 0,
        view: View = "text",
        more: str | None = None,
    ) -> GrepPage:
        """Search line by line, over as many slices as it takes to have something to show.

        No match is only an answer when `complete` is set.
        """
        request = values.record(
            pattern=values.text(pattern), regex=regex, case_mode=values.word("case_mode", case_mode, CaseMode), word=word,
            invert=invert, count_only=count_only, before=values.count("before", before), after=values.count("after", after),
            max_matches=values.count("max_matches", max_matches), start=values.count("start", start, 64),
        )
        return self._sliced(GrepPage, "grep", *_named(session, id, view), request, more=more)

    def query(
        self,
        session: str,
        id: str,
        program: str,
        *,
        path: str | None = None,
        by: str | None = None,
        reduce: str | None = None,
        whole: bool = False,
        as_table: bool = False,
        max_results: int | None = None,
        view: View = "text",
        more: str | None = None,
    ) -> QueryPage:
        """Ask a question about rows in the jq language."""
        request = values.record(
            program=values.text(program), path=path, by=by, reduce=reduce, whole=whole, as_table=as_table,
            max_results=values.count("max_results", max_results, 64),
        )
        return self._sliced(QueryPage, "query", *_named(session, id, view), request, more=more)

    def outline(
        self, session: str, id: str, *, path: str | None = None, view: View = "text", more: str | None = None
    ) -> OutlinePage:
        """The shape of a stored result before its content."""
        return self._sliced(OutlinePage, "outline", *_named(session, id, view), path, more=more)

    def search(
        self, session: str, words: str, *, id: str | None = None, max_passages: int | None = None, more: str | None = None
    ) -> PassagePage:
        """Find passages by words, best first, in one result or in all of the session's."""
        session, words = values.text(session), values.text(words)
        most = values.count("max_passages", max_passages, 64)
        return self._sliced(PassagePage, "search", session, id, words, most, more=more)

    def diff(
        self,
        session: str,
        id: str,
        *,
        older: str | None = None,
        key: str | None = None,
        by_lines: bool = False,
        more: str | None = None,
    ) -> DiffPage:
        """Compare a result with an older one; without `older`, with the last one of the same call."""
        request = values.record(older=older, key=key, by_lines=by_lines)
        return self._reading(Class.GREP, DiffPage, "diff", values.text(session), values.text(id), request, more)

    def list_blobs(self, session: str, *, max_entries: int = 200, more: str | None = None) -> BlobList:
        """What a session has stored, the last used first."""
        most = values.count("max_entries", max_entries)
        return self._reading(Class.FETCH, BlobList, "list-blobs", values.text(session), most, more)

    # --- looking after the store

    def status(self) -> StoreStatus:
        """The state of the store."""
        made: StoreStatus = values.result(StoreStatus, self._call(Class.SWEEP, 0, "maintenance", "status"))
        return made

    def pin(self, session: str, id: str, pinned: bool = True) -> None:
        """Keep a stored result from expiry and eviction, or no longer."""
        values.result(None, self._call(Class.FETCH, 0, "maintenance", "pin", values.text(session), values.text(id), pinned))

    def forget(self, session: str, id: str) -> Forgotten:
        """Delete a session's stored result."""
        answer = self._call(Class.FETCH, 0, "maintenance", "forget", values.text(session), values.text(id))
        made: Forgotten = values.result(Forgotten, answer)
        return made

    def sweep(self, progress: Callable[[SweepProgress], None] | None = None) -> SweepProgress:
        """Remove what is expired, over the cap, or left over, in slices. Safe beside all other calls."""
        return self._steps("sweep", SweepProgress, (SWEEP_ENTRIES,), progress)

    def check(self, *, repair: bool = False, progress: Callable[[CheckProgress], None] | None = None) -> CheckProgress:
        """Read everything and compare it with its digest; `repair` removes damaged results."""
        return self._steps("check", CheckProgress, (repair, CHECK_BYTES), progress)

    def _steps(
        self, name: str, cls: type[T], arguments: tuple[Any, ...], progress: Callable[[T], None] | None
    ) -> T:
        instance, limits, more = self._instance(Class.SWEEP), self.limits(Class.SWEEP), None
        while True:
            state: Any = values.result(cls, instance.call(limits, "maintenance", name, *arguments, more))
            if progress is not None:
                progress(state)
            more = state.more
            if more is None:
                done: T = state
                return done

    def sweeper(self, every: float = 3600.0) -> "Sweeper":
        """Sweep in a thread, now and then once in so many seconds, until `stop` or for as long as this lives."""
        return Sweeper(self, every)

    # --- tool search

    def catalog(self, servers: Any, *, names: Mapping[str, str] | None = None) -> Catalog:
        """Make a catalog of tools to search, in an instance of its own.

        `servers`: `{"github": [TOOL, …], …}`, or a list of `{"name", "tools", "description"?, "trusted"?,
        "state"?, "reason"?}`, or a list of tools. Tools are as in MCP's `tools/list`; they may also have
        `tags`, `aliases`, `phrases`, `origin` and `pinned`.
        `names`: what the bridge tools are called: `{"search", "describe", "call"}`.

        Raises `Refused` with `too-many-tools`, `snapshot-too-large` or `invalid-bridge-names`.
        """
        return Catalog(self, snapshot(servers, names))

    def _json(self, kind: Class, size: int, name: str, *arguments: Any) -> dict[str, Any]:
        return values.answer(self._call(kind, size, "json", name, *arguments))


BLOCK = 4096
"""Bytes that are text or none together."""

# A character in UTF-8 at the end of a piece that is not whole yet.
HALF = re.compile(rb"(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})\Z")


def _blocks(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        block = data[at : at + BLOCK]
        half = HALF.search(block) if at + BLOCK < len(data) else None
        yield block[: half.start()] if half else block
        at += half.start() if half else BLOCK


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class Intake:
    """One large text on its way in. Leaving it before `finish` leaves nothing behind."""

    def __init__(self, weir: Weir, origin: Any, max_chars: int | None) -> None:
        self._weir = weir
        self._instance = weir._instance(Class.TRANSFORM)
        limits = weir.limits(Class.TRANSFORM)
        self._resource: ResourceAny | None = self._instance.call(
            limits, "result-transform", "[constructor]intake", origin, max_chars
        )
        self._bytes = 0
        self._rest = b""

    def write(self, chunk: str | bytes) -> None:
        """Take the next piece. Bytes may end anywhere; what is not UTF-8 is stored exactly."""
        if isinstance(chunk, (bytes, bytearray, memoryview)):
            self._write_bytes(self._rest + bytes(chunk))
            return
        if self._rest:
            self._flush()
        for at in range(0, len(chunk), CHUNK_CHARS):
            self._write_text(values.text(chunk[at : at + CHUNK_CHARS]))

    def _write_bytes(self, data: bytes) -> None:
        half = HALF.search(data)
        end = half.start() if half else len(data)
        self._rest = data[end:]
        # What is text goes as text, which costs less, and only the blocks that are none as bytes.
        for is_text, blocks in groupby(_blocks(data[:end]), _is_text):
            piece = b"".join(blocks)
            if is_text:
                self._write_text(piece.decode("utf-8"))
            else:
                self._write_raw(piece)

    def _flush(self) -> None:
        rest, self._rest = self._rest, b""
        if rest:
            self._write_raw(rest)

    def _write_raw(self, data: bytes) -> None:
        for at in range(0, len(data), 64 * 1024):
            piece = data[at : at + 64 * 1024]
            self._call(len(piece), "write-bytes", piece)

    def _write_text(self, text: str) -> None:
        if text:
            self._call(values.size(text), "write", text)

    def _call(self, size: int, name: str, *arguments: Any) -> Any:
        if self._resource is None:
            raise ValueError("this intake is finished or closed")
        self._bytes += size
        limits = self._weir.limits(Class.TRANSFORM, size)
        return self._instance.call(limits, "result-transform", f"[method]intake.{name}", self._resource, *arguments)

    def finish(self, *, is_error: bool = False) -> Transformed:
        """End, store and excerpt. A result that is not replaced comes back whole in `parts`."""
        self._flush()
        if self._resource is None:
            raise ValueError("this intake is finished or closed")
        # It is consumed: there is nothing left to drop.
        resource, self._resource = self._resource, None
        limits = self._weir.limits(Class.TRANSFORM, self._bytes)
        answer = self._instance.call(limits, "result-transform", "[static]intake.finish", resource, is_error)
        made: Transformed = values.result(Transformed, answer)
        return made

    def close(self) -> None:
        """Leave it; nothing is stored unless it was finished."""
        resource, self._resource = self._resource, None
        if resource is not None and not self._instance.is_lost():
            resource.drop(self._instance.store)

    def __enter__(self) -> "Intake":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, Trapped):
            self._resource = None  # The instance is dead; it was dropped with it.
        self.close()


class Strings:
    """The interface `json` of one instance: texts and numbers in, JSON text out."""

    def __init__(self, instance: Instance, limits: LimitsOf) -> None:
        self._instance = instance
        self._limits = limits
        self._lock = threading.Lock()

    def call(self, function: str, *arguments: str | int | bool) -> str:
        """Call a function of the interface by its name in the contract, such as `open-catalog`."""
        size = sum(values.size(argument) for argument in arguments if isinstance(argument, str))
        given = [values.text(argument) if isinstance(argument, str) else argument for argument in arguments]
        kind = Class.INDEX if function == "open-catalog" else Class.TRANSFORM
        with self._lock:
            return str(self._instance.call(self._limits(kind, size), "json", function, *given))


class Sweeper:
    """A thread that sweeps a store. It ends with `stop`, or when its `Weir` is gone."""

    def __init__(self, weir: Weir, every: float) -> None:
        self._stopped = threading.Event()
        self.sweeps = 0
        """How many sweeps were done."""
        self.last: SweepProgress | None = None
        """What the last one did."""
        self._thread = threading.Thread(
            target=self._run, args=(weakref.ref(weir), every), name="weir-sweeper", daemon=True
        )
        weir._sweepers.add(self)
        self._thread.start()

    def _run(self, reference: weakref.ref[Weir], every: float) -> None:
        while True:
            weir = reference()
            if weir is None:
                return
            try:
                self.last = weir.sweep()
            except Exception as error:  # The next one may do better; a thread that dies tells nobody.
                log.warning("a sweep failed: %s", error)
            self.sweeps += 1
            del weir
            if self._stopped.wait(every):
                return

    def stop(self) -> None:
        """Stop after the sweep that is running."""
        self._stopped.set()
        self._thread.join()

    def __enter__(self) -> "Sweeper":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def _threaded(method: Callable[Concatenate[Weir, P], R]) -> Callable[Concatenate["AsyncWeir", P], Coroutine[Any, Any, R]]:
    async def call(self: "AsyncWeir", /, *arguments: P.args, **named: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.weir, *arguments, **named)

    call.__name__, call.__doc__ = method.__name__, method.__doc__
    call.__qualname__ = f"AsyncWeir.{method.__name__}"
    return call


class AsyncWeir:
    """`Weir`, each call in a thread of asyncio's, so that the loop goes on.

    A call that is cancelled ends in its thread, at the latest at its limits; its answer is dropped.

        async with await AsyncWeir.open("/var/lib/agent/weir") as weir:
            shown = await weir.show("alice", "read_log", text)
    """

    def __init__(self, weir: Weir) -> None:
        self.weir = weir
        """The same for code that may block."""

    @classmethod
    async def open(cls, directory: str | os.PathLike[str] | None, **options: Any) -> "AsyncWeir":
        """As `Weir(directory, …)`, in a thread: the first start compiles for some seconds."""
        weir = await asyncio.to_thread(Weir, directory, **options)
        return weir.aio

    async def aclose(self) -> None:
        """As `Weir.close`. `async with` does it at its end."""
        await asyncio.to_thread(self.weir.close)

    async def __aenter__(self) -> "AsyncWeir":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{self.weir!r}.aio"

    info = _threaded(Weir.info)
    default_settings = _threaded(Weir.default_settings)
    parse_settings = _threaded(Weir.parse_settings)
    settings_schema = _threaded(Weir.settings_schema)
    estimate_tokens = _threaded(Weir.estimate_tokens)
    transform = _threaded(Weir.transform)
    show = _threaded(Weir.show)
    transform_mcp = _threaded(Weir.transform_mcp)
    threshold = _threaded(Weir.threshold)
    result_tools = _threaded(Weir.result_tools)
    invoke = _threaded(Weir.invoke)
    stat = _threaded(Weir.stat)
    read = _threaded(Weir.read)
    read_end = _threaded(Weir.read_end)
    read_all = _threaded(Weir.read_all)
    grep = _threaded(Weir.grep)
    query = _threaded(Weir.query)
    outline = _threaded(Weir.outline)
    search = _threaded(Weir.search)
    diff = _threaded(Weir.diff)
    list_blobs = _threaded(Weir.list_blobs)
    status = _threaded(Weir.status)
    pin = _threaded(Weir.pin)
    forget = _threaded(Weir.forget)
    sweep = _threaded(Weir.sweep)
    check = _threaded(Weir.check)

    async def transform_chunks(
        self,
        session: str,
        tool: str,
        chunks: Iterable[str | bytes] | AsyncIterable[str | bytes],
        *,
        toolset: str | None = None,
        arguments: Arguments = None,
        reader: str | None = None,
        purpose: str | None = None,
        max_chars: int | None = None,
        is_error: bool = False,
    ) -> Transformed:
        """As `Weir.transform_chunks`, over a stream that is awaited (`async for`) or one that is not."""
        origin: dict[str, Any] = {
            "toolset": toolset, "arguments": arguments, "reader": reader, "purpose": purpose, "max_chars": max_chars
        }
        if not isinstance(chunks, AsyncIterable):
            return await asyncio.to_thread(
                self.weir.transform_chunks, session, tool, chunks, is_error=is_error, **origin
            )
        async with await self.intake(session, tool, **origin) as intake:
            async for chunk in chunks:
                await intake.write(chunk)
            return await intake.finish(is_error=is_error)

    async def pages(self, session: str, id: str, *, view: View = "text") -> AsyncIterator[Page]:
        """Every byte of it, page after page: `async for page in weir.aio.pages(…)`."""
        pages = self.weir.pages(session, id, view=view)
        while (page := await asyncio.to_thread(next, pages, None)) is not None:
            yield page

    async def intake(self, session: str, tool: str, **origin: Any) -> "AsyncIntake":
        """Take one large text as it arrives, in constant memory. Use it in an `async with await`."""
        return AsyncIntake(await asyncio.to_thread(self.weir.intake, session, tool, **origin))

    async def catalog(self, servers: Any, **options: Any) -> "AsyncCatalog":
        """As `Weir.catalog`."""
        return AsyncCatalog(await asyncio.to_thread(self.weir.catalog, servers, **options))


class AsyncIntake:
    """`Intake` for async code."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake

    async def write(self, chunk: str | bytes) -> None:
        """Take the next piece."""
        await asyncio.to_thread(self._intake.write, chunk)

    async def finish(self, *, is_error: bool = False) -> Transformed:
        """End, store and excerpt."""
        return await asyncio.to_thread(self._intake.finish, is_error=is_error)

    async def aclose(self) -> None:
        """Leave it; nothing is stored unless it was finished."""
        await asyncio.to_thread(self._intake.close)

    async def __aenter__(self) -> "AsyncIntake":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await asyncio.to_thread(self._intake.__exit__, kind, error, trace)


class AsyncCatalog:
    """`Catalog` for async code."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        """The same for code that may block."""

    @property
    def digest(self) -> str:
        """As `Catalog.digest`."""
        return self.catalog.digest

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """As `Catalog.diagnostics`."""
        return self.catalog.diagnostics

    async def assemble(self, *, context_tokens: int = 0, **settings: Any) -> Assembly:
        """As `Catalog.assemble`."""
        return await asyncio.to_thread(self.catalog.assemble, context_tokens=context_tokens, **settings)

    async def export(self, form: Form, **settings: Any) -> Export:
        """As `Catalog.export`."""
        return await asyncio.to_thread(self.catalog.export, form, **settings)

    async def invoke(self, name: str, arguments: Arguments, conversation: Conversation | None = None) -> BridgeAnswer:
        """As `Catalog.invoke`."""
        return await asyncio.to_thread(self.catalog.invoke, name, arguments, conversation)

    async def search(self, query: str, conversation: Conversation | None = None) -> BridgeAnswer:
        """As `Catalog.search`."""
        return await asyncio.to_thread(self.catalog.search, query, conversation)

    async def aclose(self) -> None:
        """As `Catalog.close`."""
        await asyncio.to_thread(self.catalog.close)

    async def __aenter__(self) -> "AsyncCatalog":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.aclose()


def store_directory(path: Path) -> Path:
    """The directory of a store, made with mode 0700 if needed. Raises `StoreError`."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = path.stat()
    except OSError as error:
        raise StoreError(
            f"{path} cannot be the store: {error.strerror or error}. Name a directory of your own, or one that can be made"
        ) from error
    if not only_ours(facts):
        raise StoreError(f"{path} cannot be the store: others than this user can write to it, or own it. Make it yours alone (chmod 700)")
    return path


def _named(session: str, id: str, view: View) -> tuple[str, str, str]:
    """What a call that reads begins with."""
    return values.text(session), values.text(id), values.word("view", view, View)


def _origin(
    session: str, tool: str, toolset: str | None, arguments: Arguments, reader: str | None, purpose: str | None
) -> Any:
    return values.record(
        session=values.text(session),
        tool=values.text(tool),
        toolset=None if toolset is None else values.text(toolset),
        arguments=None if arguments is None else values.json_text(arguments),
        reader=None if reader is None else values.text(reader),
        purpose=None if purpose is None else values.text(purpose),
    )
