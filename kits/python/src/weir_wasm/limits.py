"""What each class of call may use: fuel, time on the clock, and memory.

Long work is sliced inside the component, so that these are a backstop. The figures are those of the
contract's own table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may use."""

    fuel: int
    """About one unit an instruction."""
    seconds: float
    """Time on the clock."""
    memory: int
    """Bytes of the component's linear memory."""


class Class(Enum):
    """What kind of work a call is."""

    SMALL = "small"
    """Settings, tool definitions."""
    TRANSFORM = "transform"
    """Transform and intake."""
    FETCH = "fetch"
    """Stat, read, list, pin, forget."""
    GREP = "grep"
    """One slice of grep, query, outline, search or diff, or one call of a model's tool."""
    INDEX = "index"
    """Building a catalog."""
    SEARCH = "search"
    """Any other call to a catalog."""
    SWEEP = "sweep"
    """One slice of a sweep or a check."""

    def limits(self, input_bytes: int = 0) -> Limits:
        """The limits of a call of this class on so many bytes of input."""
        fuel, per_byte, seconds, per_mib, memory = _TABLE[self]
        return Limits(fuel + per_byte * input_bytes, seconds + per_mib * (input_bytes / MIB), memory * MIB)


_TABLE = {
    Class.SMALL: (1_000_000_000, 0, 5.0, 0.0, 64),
    Class.TRANSFORM: (20_000_000_000, 800, 30.0, 0.2, 512),
    Class.FETCH: (4_000_000_000, 0, 10.0, 0.0, 64),
    Class.GREP: (12_000_000_000, 0, 20.0, 0.0, 64),
    Class.INDEX: (40_000_000_000, 4_000, 60.0, 1.0, 512),
    Class.SEARCH: (4_000_000_000, 1_000, 10.0, 0.1, 512),
    Class.SWEEP: (40_000_000_000, 0, 60.0, 0.0, 512),
}
