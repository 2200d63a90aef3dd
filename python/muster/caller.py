"""Calls and streams of the daemon by operation id, blocking."""
from __future__ import annotations

import socket
import time
from threading import Event
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterator, Optional
from weakref import WeakSet

from muster.answer import failure_of, value_of
from muster.byte_answer import ByteAnswer
from muster.endpoint import Endpoint
from muster.exchange import Exchange
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

    Events = Generator[UniversalEvent, None, None]


class Reading:
    """What ends a reading from outside; the generator that reads knows it, and not the stream it is part of."""

    def __init__(self) -> None:
        self.closed = Event()
        self._exchange: Optional[Exchange] = None

    def use(self, exchange: Exchange) -> None:
        self._exchange = exchange
        if self.closed.is_set():
            exchange.abort()

    def close(self) -> None:
        self.closed.set()
        exchange = self._exchange
        if exchange is not None:
            exchange.abort()


class EventStream:
    """
    Every event once and in order, also over dropped connections. Nothing is sent before the first event is asked for.
    `close()` ends it, from any thread; leaving a `with` block does the same.
    """

    def __init__(self, reading: Reading, events: Events) -> None:
        self._reading = reading
        self._events = events

    def __iter__(self) -> Iterator[UniversalEvent]:
        # The generator itself: a loop over it costs nothing more per event, and who leaves the loop closes it.
        return self._events

    def __next__(self) -> UniversalEvent:
        return next(self._events)

    def close(self) -> None:
        self._reading.close()
        try:
            self._events.close()
        except ValueError:
            pass  # It runs: who waits for an event in another thread is told by the end of the connection.

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Caller:
    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self.endpoint = endpoint
        self.settings = settings
        self._is_reached = False
        self._readings: WeakSet[Reading] = WeakSet()

    def call(
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
                with self._open(request, limit, pieces=pieces) as exchange:
                    return value_of(self.endpoint.url, operation, self._body(exchange))
            except (Failure, ConnectionFailure) as error:
                attempt += 1
                if attempt > most or not may_repeat(operation, fields, error):
                    raise
            time.sleep(pause_before(attempt, self.settings.reconnect))

    def open_bytes(self, operation_id: str, fields: Dict[str, Any], timeout: Optional[float] = None) -> ByteAnswer:
        """The bytes as they come; only their head has to be there in time."""
        request = request_bytes(self.endpoint, OPERATIONS[operation_id], fields)
        exchange = self._open(request, self.settings.timeout if timeout is None else timeout)
        exchange.open_ended()
        return ByteAnswer(exchange, lambda: self._chunk(exchange))

    def attempts(self) -> int:
        """How often what may be repeated is tried again: a daemon that has never answered is probably not there."""
        return self.settings.reconnect.attempts if self._is_reached else self.settings.retries

    def stream(self, operation_id: str, fields: Dict[str, Any]) -> EventStream:
        """Streams of events go on until closed; `sessions.streamMessage` ends with the turn of its message."""
        if operation_id == "sessions.streamMessage":
            return self.open_stream(lambda reading: self._read_message(reading, fields))
        return self.open_stream(lambda reading: self.read(reading, operation_id, fields))

    def open_stream(self, events: Callable[[Reading], Events]) -> EventStream:
        reading = Reading()
        self._readings.add(reading)
        return EventStream(reading, events(reading))

    def close(self) -> None:
        """Ends every stream."""
        for reading in list(self._readings):
            reading.close()

    def read(
        self, reading: Reading, operation_id: str, fields: Dict[str, Any], first_attempts: int = 0
    ) -> Events:
        operation = OPERATIONS[operation_id]
        # The log of a process and changes of files have no session, as an agent's own lines have none.
        is_native = fields.get("as") is not None or operation_id in ("processes.streamLogs", "files.watch")
        resume = Resume(self.endpoint.url, self.settings, first_attempts, is_native)
        return self._read(reading, resume, lambda last: request_bytes(self.endpoint, operation, fields, last))

    def _read_message(self, reading: Reading, fields: Dict[str, Any]) -> Events:
        """Before the first event the message is sent again under the same id, afterwards the session is read."""
        fields = {**fields, "messageId": fields.get("messageId") or new_message_id()}
        end = MessageEnd(fields["messageId"])
        resume = Resume(self.endpoint.url, self.settings, 0, False)
        for event in self._read(reading, resume, lambda last: follow_of(self.endpoint, fields, last)):
            yield event
            if end.is_last(event):
                return

    def _read(self, reading: Reading, resume: Resume, request_at: Callable[[Optional[str]], bytes]) -> Events:
        closed = reading.closed
        while not closed.is_set():
            started = time.monotonic()
            broken: Exception = ConnectionFailure(self.endpoint.url, "the stream ended")
            try:
                with self._open(request_at(resume.last_event_id), self.settings.timeout, reading) as exchange:
                    resume.open(exchange.headers.get("content-type", ""))
                    parser = FrameParser()
                    while not closed.is_set():
                        chunk = self._chunk(exchange)
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
            if not closed.is_set():
                closed.wait(resume.pause_after(broken, time.monotonic() - started))

    def _open(
        self, request: bytes, timeout: float, reading: Optional[Reading] = None, pieces: Any = None
    ) -> Exchange:
        """An exchange with a good answer; a reading that is closed meanwhile breaks it off."""
        try:
            exchange = Exchange(self.endpoint, timeout)
            if reading is not None:
                reading.use(exchange)
            exchange.send(request, pieces)
            if 200 <= exchange.status < 300 or exchange.status == 304:
                self._is_reached = True
                return exchange
            with exchange:
                failure = failure_of(self.endpoint.url, exchange.status, exchange.body())
        except (OSError, BrokenAnswer) as error:
            raise self._translate(error) from error
        self._is_reached = self._is_reached or isinstance(failure, Failure)
        raise failure

    def _body(self, exchange: Exchange) -> bytes:
        try:
            return exchange.body()
        except (OSError, BrokenAnswer) as error:
            raise self._translate(error) from error

    def _chunk(self, exchange: Exchange) -> bytes:
        try:
            return exchange.read(self.settings.silence)
        except socket.timeout as error:
            silence = self.settings.silence
            raise ConnectionFailure(self.endpoint.url, f"nothing arrived for {silence:g} s") from error
        except (OSError, BrokenAnswer) as error:
            raise self._translate(error) from error

    def _translate(self, error: Exception) -> ConnectionFailure:
        if isinstance(error, socket.timeout):
            return CallTimeout(self.endpoint.url, "it did not answer in time")
        return ConnectionFailure(self.endpoint.url, reason_of(error))
