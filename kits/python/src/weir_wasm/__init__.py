"""Weir: keeps what is too large for a model's context, and gives it back piece by piece.

    from weir_wasm import Weir
    weir = Weir("/var/lib/agent/weir")
    shown = weir.show("alice", "read_log", text)           # the same text, or an excerpt with a handle
    tools = weir.result_tools()                            # show these to the model, beside its own
    answer = weir.invoke("alice", "weir_fetch", arguments) # when the model calls one of them
"""

from ._weir import (
    AsyncCatalog, AsyncIntake, AsyncWeir, Intake, McpTransformed, ModelTool, Strings, Sweeper, Weir,
)
from ._catalog import Assembly, BridgeAnswer, Catalog, Conversation, ResolvedCall
from ._export import Export
from .errors import ComponentError, Refused, SettingsError, StoreError, Trapped, WeirError
from .limits import Class, Limits
from .types import BinaryPart, Handle, LinkPart, Part, Transformed

__all__ = [
    "Assembly", "AsyncCatalog", "AsyncIntake", "AsyncWeir", "BinaryPart", "BridgeAnswer", "Catalog", "Class",
    "ComponentError", "Conversation", "Export", "Handle", "Intake", "Limits", "LinkPart", "McpTransformed", "ModelTool",
    "Part", "Refused", "ResolvedCall", "SettingsError", "StoreError", "Strings", "Sweeper", "Transformed",
    "Trapped", "Weir", "WeirError",
]
