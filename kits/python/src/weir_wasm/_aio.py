"""The same for async code."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterable, AsyncIterator, Awaitable, Callable, Concatenate, Iterable, ParamSpec, TypeVar

from ._catalog import Catalog
from ._export import Export, Form
from ._values import Arguments
from ._weir import Intake, Weir
from .types import Page, Transformed, View

P = ParamSpec("P")
R = TypeVar("R")


def _threaded(method: Callable[Concatenate[Weir, P], R]) -> Callable[Concatenate["AsyncWeir", P], Awaitable[R]]:
    async def call(self: "AsyncWeir", /, *arguments: P.args, **named: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.weir, *arguments, **named)

    call.__name__, call.__doc__ = method.__name__, method.__doc__
    call.__qualname__ = f"AsyncWeir.{method.__name__}"
    return call


class AsyncWeir:
    """`Weir`, each call in a thread of asyncio's, so that the loop goes on.

    A call that is cancelled ends in its thread, at the latest at its limits; its answer is dropped.
    """

    def __init__(self, weir: Weir) -> None:
        self.weir = weir
        """The same for code that may block."""

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
        max_chars: int | None = None,
        is_error: bool = False,
    ) -> Transformed:
        """As `Weir.transform_chunks`, over a stream that is awaited (`async for`) or one that is not."""
        origin: dict[str, Any] = {
            "toolset": toolset, "arguments": arguments, "reader": reader, "max_chars": max_chars
        }
        if not isinstance(chunks, AsyncIterable):
            return await asyncio.to_thread(
                self.weir.transform_chunks, session, tool, chunks, is_error=is_error, **origin
            )
        async with await self.intake(session, tool, **origin) as intake:
            async for chunk in chunks:
                await intake.write(chunk)
            made: Transformed = await intake.finish(is_error=is_error)
            return made

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

    async def load_catalog(self, saved: str) -> "AsyncCatalog":
        """As `Weir.load_catalog`."""
        return AsyncCatalog(await asyncio.to_thread(self.weir.load_catalog, saved))


class AsyncIntake:
    """`Intake` for async code."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake

    async def write(self, chunk: str | bytes) -> None:
        """Take the next piece."""
        await asyncio.to_thread(self._intake.write, chunk)

    async def finish(self, *, is_error: bool = False) -> Any:
        """End, store and excerpt."""
        return await asyncio.to_thread(self._intake.finish, is_error=is_error)

    async def __aenter__(self) -> "AsyncIntake":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await asyncio.to_thread(self._intake.__exit__, kind, error, trace)


class AsyncCatalog:
    """`Catalog` for async code."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        """The same for code that may block."""

    async def assemble(self, **settings: Any) -> Any:
        """As `Catalog.assemble`."""
        return await asyncio.to_thread(self.catalog.assemble, **settings)

    async def export(self, form: Form, **settings: Any) -> Export:
        """As `Catalog.export`."""
        return await asyncio.to_thread(self.catalog.export, form, **settings)

    async def invoke(self, name: str, arguments: Any, conversation: Any = None) -> Any:
        """As `Catalog.invoke`."""
        return await asyncio.to_thread(self.catalog.invoke, name, arguments, conversation)

    async def search(self, query: str, conversation: Any = None) -> Any:
        """As `Catalog.search`."""
        return await asyncio.to_thread(self.catalog.search, query, conversation)

    async def save(self) -> str:
        """As `Catalog.save`."""
        return await asyncio.to_thread(self.catalog.save)
