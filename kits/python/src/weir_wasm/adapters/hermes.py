"""A Hermes plugin: installed with the package and enabled by `plugins.enabled: [weir]`.

Large tool results are replaced (`transform_tool_result`), the model gets the toolset `weir` with the tool that
reads on, arguments that name a stored result by `weir://blob/ID` are filled in with it (`tool_request`), and `/weir`
tells the state of the store.

Settings stand in `config.yaml` under `plugins.entries.weir`: `directory` (default: `weir` in Hermes' home) and the
tables `transform`, `fetch` and `store`.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from .._weir import Weir
from ..errors import WeirError
from ._results import Results, log

REFERENCE = re.compile(r"weir://blob/([0-9a-f]{12,64})")
TEXTS = ("output", "result", "content", "text", "stdout", "error")
"""Members of a result whose text is what a model reads, the first that is large."""


class WeirPlugin:
    """What is registered, over one store."""

    def __init__(self, weir: Weir) -> None:
        self.weir = weir
        self.results = Results(weir)

    def transform_tool_result(
        self, tool_name: str = "", result: Any = None, session_id: str = "", args: Any = None, status: str = "", **_: Any
    ) -> str | None:
        """What to show in a result's place; None to leave it. Exit codes and what else stands beside a large text
        stay."""
        if not isinstance(result, str) or not tool_name or tool_name in self.results.names:
            return None
        session, is_error = session_id or "default", status == "error"
        shown = self._inside(session, tool_name, result, args, is_error)
        if shown is None:
            text = self.results.text(session, tool_name, result, args, is_error=is_error)
            shown = None if text is result else text
        return shown

    def _inside(self, session: str, tool: str, result: str, args: Any, is_error: bool) -> str | None:
        """The result with its one large text replaced, when all else in it is small."""
        try:
            members = json.loads(result)
        except ValueError:
            return None
        if not isinstance(members, dict):
            return None
        name = next((name for name in TEXTS if isinstance(members.get(name), str) and len(members[name]) > 2_000), None)
        if name is None or len(result) - len(json.dumps(members[name])) > 2_000:
            return None
        text = members[name]
        shown = self.results.text(session, tool, text, args, is_error=is_error)
        return None if shown is text else json.dumps({**members, name: shown}, ensure_ascii=False)

    def tool_request(self, tool_name: str = "", args: Any = None, session_id: str = "", **_: Any) -> Any:
        """Arguments with stored results in place of their names; None to leave them."""
        if tool_name in self.results.names or not isinstance(args, dict):
            return None
        changed = {
            name: filled
            for name, value in args.items()
            if isinstance(value, str) and (filled := self._filled(session_id or "default", value)) != value
        }
        return {"args": {**args, **changed}, "source": "weir"} if changed else None

    def _filled(self, session: str, value: str) -> str:
        """A value that is a name of a stored result, and nothing else."""
        found = REFERENCE.fullmatch(value.strip())
        if found is None:
            return value
        try:
            return "".join(page.content for page in self.weir.pages(session, found[1]))
        except WeirError as error:
            log.warning("%s is handed over as it is: %s", value, error)
            return value

    def read(self, name: str, args: Any, session_id: str = "", **_: Any) -> str:
        """What the reading tool answers, as Hermes' tools do."""
        text, is_error = self.results.read(session_id or "default", name, args or {})
        return json.dumps({"error" if is_error else "result": text}, ensure_ascii=False)

    def status(self, _: str = "") -> str:
        """The state of the store, in a few lines."""
        try:
            state = self.weir.status()
        except WeirError as error:
            return f"weir: {error}"
        handles = state.census.handles if state.census else 0
        return (
            f"weir: {handles:,} stored results, {state.used_bytes:,} of {state.max_bytes:,} bytes\n"
            f"kept from the model: {state.chars_saved:,} characters\n"
            f"directory: {self.weir.directory}"
        )


def register(ctx: Any) -> None:
    """Called by Hermes."""
    settings = dict(_settings())
    directory = settings.pop("directory", None) or Path(_home()) / "weir"
    tables = {name: settings[name] for name in ("transform", "fetch", "store") if name in settings}
    plugin = WeirPlugin(Weir(directory, settings=tables or None))
    plugin.weir.sweeper()
    ctx.register_hook("transform_tool_result", plugin.transform_tool_result)
    if hasattr(ctx, "register_middleware"):
        ctx.register_middleware("tool_request", plugin.tool_request)
    for tool in plugin.results.tools:
        schema = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        ctx.register_tool(
            name=tool.name, toolset="weir", schema=schema, description=tool.description,
            handler=lambda args, _name=tool.name, **about: plugin.read(_name, args, **about),
        )
    if hasattr(ctx, "register_command"):
        ctx.register_command("weir", plugin.status, description="Show what Weir has stored")


def _home() -> str:
    try:
        from hermes_constants import get_hermes_home

        return str(get_hermes_home())
    except Exception:  # Another version, or none: its documented place.
        return os.environ.get("HERMES_HOME") or os.path.expanduser("~/.hermes")


def _settings() -> dict[str, Any]:
    try:
        from hermes_cli.config import load_config

        entries = load_config().get("plugins", {}).get("entries", {})
        return entries.get("weir") or {}
    except Exception:
        return {}
