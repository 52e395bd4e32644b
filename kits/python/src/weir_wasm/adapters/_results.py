"""What the adapters share."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Callable, Union

from .._weir import ModelTool, Weir
from ..errors import WeirError

log = logging.getLogger("weir_wasm")

Session = Union[str, Callable[..., Union[str, None]]]
"""A name, or a function of the framework's context. Ids that are no texts, such as numbers, count as their text."""


class Results:
    """Results on their way to a model, whatever shape a framework gives them."""

    def __init__(self, weir: Weir, session: Session = "default") -> None:
        self.weir = weir
        self._session = session
        self.tools: list[ModelTool] = weir.result_tools()
        self.names = {tool.name for tool in self.tools}

    def session(self, *context: Any) -> str:
        """The session that a call is in."""
        found: Any = self._session(*context) if callable(self._session) else self._session
        return "default" if found is None or found == "" else str(found)

    def text(self, session: str, tool: str, text: str, arguments: Any = None, *, is_error: bool = False) -> str:
        """What to show of a text. Answers of our own tools are left alone."""
        if tool in self.names:
            return text
        try:
            return self.weir.show(session, tool, text, arguments=_arguments(arguments), is_error=is_error)
        except WeirError as error:
            log.warning("a result of %s is shown as it came: %s", tool, error)
            return text

    def value(self, session: str, tool: str, value: Any, arguments: Any = None, *, is_error: bool = False) -> Any:
        """What to show of any value: itself, or an excerpt of the JSON that it is."""
        if value is None or isinstance(value, (bool, int, float)):
            return value
        whole = value if isinstance(value, str) else as_json(value)
        if whole is None:
            return value
        shown = self.text(session, tool, whole, arguments, is_error=is_error)
        return value if shown is whole else shown

    async def value_async(self, session: str, tool: str, value: Any, arguments: Any = None, *, is_error: bool = False) -> Any:
        """The same beside the event loop."""
        return await asyncio.to_thread(self.value, session, tool, value, arguments, is_error=is_error)

    def read(self, session: str, name: str, arguments: Any) -> tuple[str, bool]:
        """What one of our tools answers a model, and whether it says that something is wrong."""
        try:
            answer = self.weir.invoke(session, name, _arguments(arguments) or {})
        except WeirError as error:
            log.warning("%s failed: %s", name, error)
            return f"{name} failed: {error}", True
        return answer.text, answer.is_error

    async def read_async(self, session: str, name: str, arguments: Any) -> tuple[str, bool]:
        """The same beside the event loop."""
        return await asyncio.to_thread(self.read, session, name, arguments)


def as_json(value: Any) -> str | None:
    """A value as JSON text; None for what has none."""
    dump = getattr(value, "model_dump", None)
    try:
        return json.dumps(dump(mode="json") if callable(dump) else value, ensure_ascii=False)
    except (TypeError, ValueError):
        return None


def _arguments(arguments: Any) -> Any:
    if arguments is None or isinstance(arguments, str):
        return arguments
    try:
        return json.dumps(arguments, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return None
