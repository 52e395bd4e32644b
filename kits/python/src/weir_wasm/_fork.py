"""What a forked process can no longer do.

wasmtime reads and writes files in threads of its own, and compiles in others. Threads do not come along in a fork: a
child whose parent had started them would wait for them for ever, and no deadline holds for that.
"""

from __future__ import annotations

import os

FILES = "a call was made"
COMPILING = "the component was compiled"

_started: set[str] = set()
_lost: set[str] = set()


def begin(threads: str) -> str | None:
    """Notes that wasmtime needs these threads; or answers why it cannot have them."""
    if threads in _lost:
        return (
            f"{threads} before this process was forked, and wasmtime's threads did not come along. "
            "Fork before the first call, or start processes by spawn or forkserver"
        )
    _started.add(threads)
    return None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _lost.update(_started))
