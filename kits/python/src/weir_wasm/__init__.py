"""Weir: keeps what is too large for a model's context, and gives it back piece by piece.

    from weir_wasm import Weir
    weir = Weir("/var/lib/agent/weir")                     # or: with Weir("/var/lib/agent/weir") as weir:
    shown = weir.show("alice", "read_log", text)           # the same text, or an excerpt with a handle
    tools = weir.result_tools()                            # show these to the model, beside its own
    answer = weir.invoke("alice", "weir_fetch", arguments) # when the model calls one of them
"""

from ._weir import (
    AsyncCatalog, AsyncIntake, AsyncWeir, Intake, McpTransformed, ModelTool, ParsedSettings, Strings, Sweeper, Weir,
)
from ._catalog import Assembly, BridgeAnswer, Catalog, Conversation, ResolvedCall
from ._export import Export, Form
from .errors import ClosedError, ComponentError, Refused, SettingsError, StoreError, Trapped, WeirError
from .limits import Class, Limits
from .types import BinaryPart, Handle, LinkPart, Part, Transformed

__version__ = "0.3.0"

__all__ = [
    "Assembly", "AsyncCatalog", "AsyncIntake", "AsyncWeir", "BinaryPart", "BridgeAnswer", "Catalog", "Class", "ClosedError",
    "ComponentError", "Conversation", "Export", "Form", "Handle", "Intake", "Limits", "LinkPart", "McpTransformed",
    "ModelTool", "ParsedSettings", "Part", "Refused", "ResolvedCall", "SettingsError", "StoreError", "Strings", "Sweeper",
    "Transformed", "Trapped", "Weir", "WeirError",
]
