"""What calls fail with. Each error has a `code` to match and a message to show."""

from __future__ import annotations

from typing import Any

from .types import Tombstone


class WeirError(Exception):
    """The base of all errors here."""

    code: str = "error"
    """A word to match on."""


class Refused(WeirError):
    """The component did not do what was asked. The codes are listed in the contract at `types.failure`."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        argument: str | None = None,
        names: list[str] | None = None,
        total: int | None = None,
        gone: Tombstone | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        """What happened and what to do about it."""
        self.argument = argument
        """The argument that is wrong."""
        self.names = names or []
        """Ids or names that belong to the code."""
        self.total = total
        """The number that belongs to the code."""
        self.gone = gone
        """What is remembered of a stored result that is gone."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _refused, (self.code, self.message, self.argument, self.names, self.total, self.gone)


def _refused(code: str, message: str, argument: Any, names: Any, total: Any, gone: Any) -> Refused:
    return Refused(code, message, argument=argument, names=names, total=total, gone=gone)


class Trapped(WeirError):
    """The component was stopped, by a limit or by a fault. Nothing stored is harmed, and a result that
    was being transformed is still yours to show."""

    code = "trapped"

    def __init__(self, function: str, reason: str, details: str = "") -> None:
        super().__init__(f"{function} was stopped ({reason})" + (f": {details}" if details else ""))
        self.function = function
        """The function that was called."""
        self.reason = reason
        """`fuel`, `deadline`, `stack`, `memory`, or `fault` for all else."""
        self.details = details
        """What the component and the runtime printed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Trapped, (self.function, self.reason, self.details)


class ComponentError(WeirError):
    """The file of the component cannot be read, or is not a component of this contract."""

    code = "component"


class ClosedError(WeirError, ValueError):
    """A call of a `Weir` that is closed, or of one of its catalogs or intakes."""

    code = "closed"


class SettingsError(WeirError):
    """Settings that cannot be used as they are."""

    code = "settings"


class StoreError(WeirError):
    """The store's directory cannot be used."""

    code = "store"
