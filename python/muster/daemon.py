"""A daemon, wherever it runs, blocking."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from muster.caller import Caller, EventStream
from muster.endpoint import endpoint_of
from muster.generated.methods import Methods
from muster.session import Session
from muster.settings import Reconnect, Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from muster.generated.types import SessionOptions


class SandboxDaemon:
    """Reached by `connect`, started by `spawn`. As a context manager it is closed at the end of the block."""

    def __init__(self, caller: Caller, stop: Optional[Callable[[], None]] = None, pid: Optional[int] = None) -> None:
        self.client = Methods(caller)
        """One typed method per operation: `daemon.client.sessions.list()`."""
        self.endpoint = caller.endpoint.url
        self.pid = pid
        """Of the daemon's process, when this object started it."""
        self._caller = caller
        self._stop = stop

    def session(self, session_id: Optional[str] = None, **options: Unpack[SessionOptions]) -> Session:
        """
        No I/O: with an agent the session is created at its first use, without one it must be there. What it is created
        with are the fields of `client.sessions.create`.
        """
        return Session(self._caller, session_id or new_session_id(), create_fields(dict(options)))

    def watch(self) -> EventStream:
        """State changes and requests of all sessions, from now on."""
        return self.client.events.stream()

    def close(self) -> None:
        """Ends every reading of this object, and the daemon if this object started it."""
        self._caller.close()
        if self._stop is not None:
            self._stop()

    def __enter__(self) -> SandboxDaemon:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(
    endpoint: Optional[str] = None,
    token: Optional[str] = None,
    *,
    timeout: float = 60.0,
    retries: int = 2,
    reconnect: Reconnect = Reconnect(),
    silence: float = 45.0,
) -> SandboxDaemon:
    """
    No I/O: the daemon is asked at the first use. Without an endpoint and token they are SANDBOX_DAEMON_ENDPOINT and
    SANDBOX_DAEMON_TOKEN. Times are in seconds; `muster.settings` says what each of them is for.
    """
    settings = Settings(timeout, retries, reconnect, silence)
    return SandboxDaemon(Caller(endpoint_of(endpoint, token), settings))


def new_session_id() -> str:
    return f"ses_{os.urandom(12).hex()}"


def create_fields(options: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """The keyword arguments of a session by the names of the API; None without an agent."""
    if not options:
        return None
    if "agent" not in options:
        raise TypeError("A session is created with an agent; without one it takes no options")
    return {_camel(name): value for name, value in options.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
