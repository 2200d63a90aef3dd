"""Calls and streams of the daemon by operation id, for asyncio."""
from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, Awaitable, Callable, Dict, Optional, TypeVar
from weakref import WeakSet

from muster.aio.bytes import AsyncByteAnswer
from muster.aio.exchange import AsyncExchange, open_exchange
from muster.answer import failure_of, value_of
from muster.endpoint import Endpoint
from muster.failures import CallTimeout, ConnectionFailure, Failure, reason_of
from muster.frames import FrameParser
from muster.generated.operations import OPERATIONS
from muster.http1 import BrokenAnswer
from muster.request import follow_of, pieces_of, request_bytes
from muster.resume import Resume, may_repeat, pause_before
from muster.settings import SLOW_CALLS, Settings
from muster.turn_outcome import MessageEnd, new_message_id

if TYPE_CHECKING:
    from muster.generated.types import UniversalEvent

    AsyncEvents = AsyncGenerator[UniversalEvent, None]

T = TypeVar("T")


class AsyncReading:
    """What ends a reading from outside."""

    def __init__(self) -> None:
        self.is_closed = False
        self.exchange: Optional[AsyncExchange] = None
        self._pause: Optional[asyncio.Future[None]] = None

    def close(self) -> None:
        self.is_closed = True
        if self.exchange is not None:
            self.exchange.close()
        if self._pause is not None and not self._pause.done():
            self._pause.set_result(None)

    async def pause(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._pause = loop.create_future()
        timer = loop.call_later(seconds, lambda pause: pause.done() or pause.set_result(None), self._pause)
        try:
            await self._pause
        finally:
            timer.cancel()


class AsyncEventStream:
    """
    Every event once and in order, also over dropped connections. Nothing is sent before the first event is asked for.
    `await aclose()` ends it; leaving an `async with` block does the same.
    """

    def __init__(self, reading: AsyncReading, events: AsyncEvents) -> None:
        self._reading = reading
        self._events = events

    def __aiter__(self) -> AsyncIterator[UniversalEvent]:
        return self._events

    async def __anext__(self) -> UniversalEvent:
        return await self._events.__anext__()

    async def aclose(self) -> None:
        self._reading.close()
        # Who waits for an event in another task is told by the end of the connection.
        if not getattr(self._events, "ag_running", False):
            await self._events.aclose()

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncCaller:
    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self.endpoint = endpoint
        self.settings = settings
        self._is_reached = False
        self._readings: WeakSet[AsyncReading] = WeakSet()

    async def call(
        self, operation_id: str, fields: Dict[str, Any], timeout: Optional[float] = None, attempts: Optional[int] = None
    ) -> Any:
        """Raises Failure for a problem, ConnectionFailure without a daemon, CallTimeout when it takes too long."""
        operation = OPERATIONS[operation_id]
        if operation_id == "sessions.sendMessage" and fields.get("messageId") is None:
            fields = {**fields, "messageId": new_message_id()}
        request = request_bytes(self.endpoint, operation, fields)
        limit = timeout if timeout is not None else SLOW_CALLS.get(operation_id, self.settings.timeout)
        pieces = pieces_of(operation, fields)
        most = 0 if pieces is not None else self.settings.retries if attempts is None else attempts
        attempt = 0
        while True:
            try:
                body = await self._within(limit, self._exchange(request, pieces))
                return value_of(self.endpoint.url, operation, body)
            except (Failure, ConnectionFailure) as error:
                attempt += 1
                if attempt > most or not may_repeat(operation, fields, error):
                    raise
            await asyncio.sleep(pause_before(attempt, self.settings.reconnect))

    async def open_bytes(
        self, operation_id: str, fields: Dict[str, Any], timeout: Optional[float] = None
    ) -> AsyncByteAnswer:
        """The bytes as they come; only their head has to be there in time."""
        request = request_bytes(self.endpoint, OPERATIONS[operation_id], fields)
        exchange = await self._within(self.settings.timeout if timeout is None else timeout, self._open(request))
        exchange.break_after(self.settings.silence)
        return AsyncByteAnswer(exchange, lambda: self._chunk(exchange))

    def attempts(self) -> int:
        """How often what may be repeated is tried again: a daemon that has never answered is probably not there."""
        return self.settings.reconnect.attempts if self._is_reached else self.settings.retries

    def stream(self, operation_id: str, fields: Dict[str, Any]) -> AsyncEventStream:
        """Streams of events go on until closed; `sessions.streamMessage` ends with the turn of its message."""
        if operation_id == "sessions.streamMessage":
            return self.open_stream(lambda reading: self._read_message(reading, fields))
        return self.open_stream(lambda reading: self.read(reading, operation_id, fields))

    def open_stream(self, events: Callable[[AsyncReading], AsyncEvents]) -> AsyncEventStream:
        reading = AsyncReading()
        self._readings.add(reading)
        return AsyncEventStream(reading, events(reading))

    def close(self) -> None:
        """Ends every stream."""
        for reading in list(self._readings):
            reading.close()

    def read(
        self, reading: AsyncReading, operation_id: str, fields: Dict[str, Any], first_attempts: int = 0
    ) -> AsyncEvents:
        operation = OPERATIONS[operation_id]
        # The log of a process and changes of files have no session, as an agent's own lines have none.
        is_native = fields.get("as") is not None or operation_id in ("processes.streamLogs", "files.watch")
        resume = Resume(self.endpoint.url, self.settings, first_attempts, is_native)
        return self._read(reading, resume, lambda last: request_bytes(self.endpoint, operation, fields, last))

    async def _read_message(self, reading: AsyncReading, fields: Dict[str, Any]) -> AsyncEvents:
        """Before the first event the message is sent again under the same id, afterwards the session is read."""
        fields = {**fields, "messageId": fields.get("messageId") or new_message_id()}
        end = MessageEnd(fields["messageId"])
        resume = Resume(self.endpoint.url, self.settings, 0, False)
        events = self._read(reading, resume, lambda last: follow_of(self.endpoint, fields, last))
        try:
            async for event in events:
                yield event
                if end.is_last(event):
                    return
        finally:
            await events.aclose()

    async def _read(
        self, reading: AsyncReading, resume: Resume, request_at: Callable[[Optional[str]], bytes]
    ) -> AsyncEvents:
        loop = asyncio.get_running_loop()
        while not reading.is_closed:
            started = loop.time()
            broken: Exception = ConnectionFailure(self.endpoint.url, "the stream ended")
            try:
                request = request_at(resume.last_event_id)
                with await self._within(self.settings.timeout, self._open(request)) as exchange:
                    resume.open(exchange.headers.get("content-type", ""))
                    reading.exchange = exchange
                    exchange.break_after(self.settings.silence)
                    parser = FrameParser()
                    while not reading.is_closed:
                        chunk = await self._chunk(exchange)
                        if chunk == b"":
                            break
                        for frame in parser.push(chunk):
                            event = resume.take(frame)
                            if event is not None:
                                yield event
                            if resume.is_over:
                                return
            except (Failure, ConnectionFailure) as error:
                broken = error
            if not reading.is_closed:
                await reading.pause(resume.pause_after(broken, loop.time() - started))

    async def _exchange(self, request: bytes, pieces: Any) -> bytes:
        with await self._open(request, pieces) as exchange:
            return await exchange.body()

    async def _open(self, request: bytes, pieces: Any = None) -> AsyncExchange:
        """An exchange with a good answer."""
        exchange = await open_exchange(self.endpoint, request, pieces)
        if 200 <= exchange.status < 300 or exchange.status == 304:
            self._is_reached = True
            return exchange
        with exchange:
            failure = failure_of(self.endpoint.url, exchange.status, await exchange.body())
        self._is_reached = self._is_reached or isinstance(failure, Failure)
        raise failure

    async def _chunk(self, exchange: AsyncExchange) -> bytes:
        try:
            return await exchange.read()
        except (OSError, BrokenAnswer) as error:
            raise ConnectionFailure(self.endpoint.url, reason_of(error)) from error

    async def _within(self, seconds: float, work: Awaitable[T]) -> T:
        try:
            return await asyncio.wait_for(work, seconds)
        except asyncio.TimeoutError as error:
            raise CallTimeout(self.endpoint.url, "it did not answer in time") from error
        except (OSError, BrokenAnswer) as error:
            raise ConnectionFailure(self.endpoint.url, reason_of(error)) from error
