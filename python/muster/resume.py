"""How a stream of events goes on over cut connections. No I/O: blocking and asyncio readers follow the same rules."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, cast

from muster.failures import ConnectionFailure, Failure, NotTheDaemon
from muster.frames import Frame
from muster.generated.operations import Operation
from muster.settings import Reconnect, Settings

if TYPE_CHECKING:
    from muster.generated.types import UniversalEvent


class Resume:
    """
    Every event once and in order, over as many connections as it takes. A connection that fails is tried again with
    growing waits, before the first answer `first_attempts` times, unless the daemon answers with a problem that
    waiting does not cure.
    """

    def __init__(self, url: str, settings: Settings, first_attempts: int, is_native: bool) -> None:
        self.is_over = False
        self.last_event_id: Optional[str] = None
        self._url = url
        self._settings = settings
        self._first_attempts = first_attempts
        self._is_native = is_native
        self._opened = False
        self._fruitless = 0
        self._last_sequence: Dict[str, int] = {}

    def open(self, content_type: str) -> None:
        """A connection has answered."""
        self._opened = True
        if not content_type.startswith("text/event-stream"):
            raise NotTheDaemon(self._url, "it did not answer with an event stream")

    def take(self, frame: Frame) -> Optional[UniversalEvent]:
        """The event of a frame, or None when it was seen before."""
        if frame.id is not None:
            self.last_event_id = frame.id
        event = self._event_of(frame.data)
        # The last line of the log of a process; events of a session have none.
        self.is_over = self._is_native and event.get("type") == "ended" and "outputBytes" in event
        if not self._is_native:
            session, sequence = event["sessionId"], event["sequence"]
            if sequence <= self._last_sequence.get(session, 0):
                return None
            self._last_sequence[session] = sequence
        self._fruitless = 0
        return cast("UniversalEvent", event)

    def pause_after(self, error: Exception, lasted: float) -> float:
        """How long to wait after a connection broke; raises the error when there is no use in trying again."""
        reconnect, silence = self._settings.reconnect, self._settings.silence
        # A quiet stream that a proxy closes now and then is healthy.
        self._fruitless = 1 if self._opened and lasted > silence else self._fruitless + 1
        most = reconnect.attempts if self._opened else self._first_attempts
        if self._fruitless > most or not _is_worth_retrying(error):
            raise error
        return pause_before(self._fruitless, reconnect)

    def _event_of(self, data: str) -> Dict[str, Any]:
        try:
            event = json.loads(data)
            if self._is_native or (type(event["sequence"]) is int and type(event["sessionId"]) is str):
                return event
        except (ValueError, TypeError, LookupError):
            pass  # Told below, with the frames that are JSON and no event.
        raise NotTheDaemon(self._url, "it sent a frame that is not an event")


def pause_before(attempt: int, reconnect: Reconnect) -> float:
    """Half of it is random, so that the readers of a restarted daemon do not come back in one moment."""
    longest = min(reconnect.max_delay, reconnect.first_delay * 2.0 ** (attempt - 1))
    return longest * (0.5 + os.urandom(1)[0] / 510)


def _is_worth_retrying(error: Exception) -> bool:
    if isinstance(error, Failure):
        return error.status in (429, 503)
    return isinstance(error, ConnectionFailure) and not isinstance(error, NotTheDaemon)


def may_repeat(operation: Operation, fields: Dict[str, Any], error: Exception) -> bool:
    """Whether a call that failed so can be made again: the daemon gives the same answer, or has not heard of it."""
    if not _is_worth_retrying(error):
        return False
    if isinstance(error, Failure) or operation.method == "GET":
        return True
    if operation.id == "sessions.sendMessage":
        return fields.get("messageId") is not None
    return operation.id == "sessions.create" and fields.get("sessionId") is not None
