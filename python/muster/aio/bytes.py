"""Bytes of an answer, as they come, for asyncio."""
from __future__ import annotations

from typing import AsyncIterable, AsyncIterator, Awaitable, Callable, Dict, Optional, Union

from muster.aio.exchange import AsyncExchange

AsyncContent = Union[bytes, str, AsyncIterable[bytes]]
"""What is sent: bytes, a text in UTF-8, or pieces one after the other."""


class AsyncByteAnswer:
    """Read once: with `await read()`, or piece by piece in a loop. Leaving an `async with` block closes it."""

    def __init__(self, exchange: AsyncExchange, read: Callable[[], Awaitable[bytes]]) -> None:
        self.status = exchange.status
        """200 for all of them, 206 for the part that was asked for, 304 where the caller has them already."""
        self.headers: Dict[str, str] = exchange.headers
        """By their names in small letters."""
        self._exchange = exchange
        self._read = read

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            piece = await self._read()
            if piece == b"":
                return
            yield piece

    async def read(self) -> bytes:
        async with self:
            return b"".join([piece async for piece in self])

    def close(self) -> None:
        self._exchange.close()

    async def __aenter__(self) -> AsyncByteAnswer:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
