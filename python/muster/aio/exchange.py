"""One request and its answer on an asyncio connection of its own."""
from __future__ import annotations

import asyncio
from typing import Any, AsyncIterable, Dict, Optional

from muster.endpoint import Endpoint
from muster.http1 import AnswerParser
from muster.request import LAST_CHUNK, chunk_of


class AsyncExchange:
    """Made by `open_exchange`, which has read the head. Raises OSError and BrokenAnswer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._parser = AnswerParser()
        self._first = b""
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._watch: Optional[asyncio.TimerHandle] = None

    @property
    def status(self) -> int:
        return self._parser.status or 0

    @property
    def headers(self) -> Dict[str, str]:
        return self._parser.headers

    async def send(self, request: bytes, pieces: Optional[AsyncIterable[bytes]] = None) -> None:
        self._writer.write(request)
        await self._writer.drain()
        if pieces is not None:
            await self._send_pieces(pieces)
        while self._parser.status is None:
            self._first = await self._receive()

    async def _send_pieces(self, pieces: AsyncIterable[bytes]) -> None:
        async for piece in pieces:
            try:
                self._writer.write(chunk_of(piece) if piece else b"")
                await self._writer.drain()
            except OSError:
                return  # It was refused already: the answer tells why.
        self._writer.write(LAST_CHUNK)
        await self._writer.drain()

    async def body(self) -> bytes:
        parts = []
        while True:
            part = await self.read()
            if part == b"":
                return b"".join(parts)
            parts.append(part)

    async def read(self) -> bytes:
        """The next bytes of the body; none at its end."""
        part, self._first = self._first, b""
        while part == b"" and not self._parser.is_whole:
            part = await self._receive()
        return part

    def break_after(self, silence: float) -> None:
        """From now on a connection on which nothing arrives for so long breaks: one timer, not one for every read."""
        left = self._heard_at + silence - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self.break_after, silence)
        else:
            self._reader.set_exception(ConnectionError(f"nothing arrived for {silence:g} s"))
            self._writer.transport.abort()

    def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._writer.transport.abort()

    def __enter__(self) -> AsyncExchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _receive(self) -> bytes:
        data = await self._reader.read(65536)
        self._heard_at = self._loop.time()
        if data:
            return self._parser.push(data)
        self._parser.end()
        return b""


async def open_exchange(
    endpoint: Endpoint, request: bytes, pieces: Optional[AsyncIterable[bytes]] = None
) -> AsyncExchange:
    tls: Any = None
    if endpoint.is_tls:
        import ssl

        tls = ssl.create_default_context()
    reader, writer = await asyncio.open_connection(endpoint.host, endpoint.port, ssl=tls)
    exchange = AsyncExchange(reader, writer)
    try:
        await exchange.send(request, pieces)
    except BaseException:
        exchange.close()
        raise
    return exchange
