"""What can go wrong, as exceptions."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

if TYPE_CHECKING:
    from muster.generated.types import TurnEnded


class MusterError(Exception):
    """Every exception of this package. They can be pickled: a pool of processes hands them on."""


class Failure(MusterError):
    """The daemon answered with a problem. Programs decide by `code`; docs/problems.md lists them."""

    def __init__(self, status: int, code: str, detail: str, fields: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.fields: Dict[str, Any] = fields or {}
        """What the problem says beside, such as `sessionId`."""

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.status, self.code, self.detail, self.fields)


class ConnectionFailure(MusterError):
    """The daemon could not be reached, or what answered is not the daemon."""

    def __init__(self, endpoint: str, reason: str) -> None:
        super().__init__(f"Cannot reach the daemon at {endpoint}: {reason}")
        self.endpoint = endpoint
        self.reason = reason

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.endpoint, self.reason)


class NotTheDaemon(ConnectionFailure):
    """Something answered that is no daemon: trying again would give the same."""


class CallTimeout(ConnectionFailure, TimeoutError):
    """A call took longer than its `timeout`. Whether the daemon did what it was asked is not known."""


class TurnFailed(MusterError):
    """The turn of a prompt did not complete: it was interrupted or failed, or the message never got one."""

    def __init__(self, status: str, ended: Optional[TurnEnded]) -> None:
        self.status = status
        self.ended = ended
        """The data of `turn.ended`; None when the message was cancelled or failed before it had a turn."""
        self.code: Optional[str] = None if ended is None else ended.get("cause")
        """The cause; docs/problems.md lists them."""
        reason = (None if ended is None else ended.get("message")) or self.code
        super().__init__(f"The turn was not completed: {status}" + (f" ({reason})" if reason else ""))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.status, self.ended)


class SpawnFailure(MusterError):
    """The daemon's program could not be started, or it ended before it listened."""


def reason_of(error: BaseException) -> str:
    """The shortest true reason."""
    if isinstance(error, ConnectionFailure):
        return error.reason
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
