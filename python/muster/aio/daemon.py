"""A daemon, wherever it runs, for asyncio."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, Optional

from muster.aio.caller import AsyncCaller, AsyncEventStream
from muster.aio.session import AsyncSession
from muster.daemon import create_fields, new_session_id
from muster.endpoint import endpoint_of
from muster.generated.async_methods import AsyncMethods
from muster.settings import Reconnect, Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from muster.generated.types import SessionOptions


class AsyncSandboxDaemon:
    """Reached by `connect`, started by `spawn`. As a context manager it is closed at the end of the block."""

    def __init__(
        self,
        caller: AsyncCaller,
        stop: Optional[Callable[[], Awaitable[Any]]] = None,
        pid: Optional[int] = None,
    ) -> None:
        self.client = AsyncMethods(caller)
        """One typed method per operation: `await daemon.client.sessions.list()`."""
        self.endpoint = caller.endpoint.url
        self.pid = pid
        """Of the daemon's process, when this object started it."""
        self._caller = caller
        self._stop = stop

    def session(self, session_id: Optional[str] = None, **options: Unpack[SessionOptions]) -> AsyncSession:
        """
        No I/O: with an agent the session is created at its first use, without one it must be there. What it is created
        with are the fields of `client.sessions.create`.
        """
        return AsyncSession(self._caller, session_id or new_session_id(), create_fields(dict(options)))

    def watch(self) -> AsyncEventStream:
        """State changes and requests of all sessions, from now on."""
        return self.client.events.stream()

    async def aclose(self) -> None:
        """Ends every reading of this object, and the daemon if this object started it."""
        self._caller.close()
        if self._stop is not None:
            await self._stop()

    async def __aenter__(self) -> AsyncSandboxDaemon:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def connect(
    endpoint: Optional[str] = None,
    token: Optional[str] = None,
    *,
    timeout: float = 60.0,
    retries: int = 2,
    reconnect: Reconnect = Reconnect(),
    silence: float = 45.0,
) -> AsyncSandboxDaemon:
    """
    No I/O: the daemon is asked at the first use. Without an endpoint and token they are SANDBOX_DAEMON_ENDPOINT and
    SANDBOX_DAEMON_TOKEN. Times are in seconds; `muster.settings` says what each of them is for.
    """
    settings = Settings(timeout, retries, reconnect, silence)
    return AsyncSandboxDaemon(AsyncCaller(endpoint_of(endpoint, token), settings))
