"""The same as `muster`, for asyncio: no threads, connections of its own on `asyncio.open_connection`."""
from muster.aio.caller import AsyncEventStream
from muster.aio.daemon import AsyncSandboxDaemon, connect
from muster.aio.session import AsyncSession, AsyncTurn
from muster.aio.spawn import spawn

__all__ = ["AsyncEventStream", "AsyncSandboxDaemon", "AsyncSession", "AsyncTurn", "connect", "spawn"]
