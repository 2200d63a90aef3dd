"""One conversation with one agent, blocking."""
from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional

from muster.caller import Caller, EventStream, Reading
from muster.failures import Failure
from muster.human_requests import SETTLED, HumanRequest, HumanRequests, still_waits
from muster.turn_outcome import FinalText, MessageEnd, Outcome, new_message_id

if TYPE_CHECKING:
    from muster.caller import Events
    from muster.generated.types import Attachment, Delivery, SentMessage, TurnEnded, UniversalEvent
    from muster.human_requests import PermissionHandler, PlanHandler, QuestionHandler


class Session:
    """
    Nothing is sent before the first use, which also creates the session. Handlers are shown the requests in whatever
    is being read here, a turn or the session's events, in the thread that reads.
    """

    def __init__(self, caller: Caller, session_id: str, create: Optional[Dict[str, Any]]) -> None:
        self.id = session_id
        self._caller = caller
        self._create = create
        self._is_created = create is None
        self._sending = Lock()
        self._requests = HumanRequests(session_id)

    def prompt(
        self,
        text: str,
        *,
        attachments: Optional[List[Attachment]] = None,
        message_id: Optional[str] = None,
        delivery: Optional[Delivery] = None,
        deltas: Optional[bool] = None,
        raw: Optional[bool] = None,
    ) -> Turn:
        """
        Sends a message; what comes of it is read from the turn. A `message_id` of your own makes the same prompt sent
        twice one message. `delivery` says what happens while a turn is open: wait for its end, join it, or fail.
        """
        message_id = message_id or new_message_id()
        sent = self._send(text, message_id, delivery, attachments)

        def read(reading: Reading, with_deltas: bool) -> Events:
            fields = {"offset": sent["sequence"] - 1, "deltas": deltas if with_deltas else False, "raw": raw}
            return self._read(reading, fields)

        return Turn(self._caller, message_id, read)

    def ask(
        self,
        text: str,
        *,
        attachments: Optional[List[Attachment]] = None,
        message_id: Optional[str] = None,
        delivery: Optional[Delivery] = None,
    ) -> str:
        """The final text of a turn. Raises TurnFailed unless it completes."""
        return self.prompt(text, attachments=attachments, message_id=message_id, delivery=delivery).text()

    def events(
        self, *, after: Optional[int] = None, deltas: Optional[bool] = None, raw: Optional[bool] = None
    ) -> EventStream:
        """All events behind a sequence, past and live, until closed."""
        fields = {"offset": after, "deltas": deltas, "raw": raw}
        return self._caller.open_stream(lambda reading: self._read(reading, fields))

    def on_permission(self, handler: PermissionHandler) -> PermissionHandler:
        """Answers permissions. A handler that gives None leaves the request to the next one, or to another client."""
        self._requests.add("permission", handler)
        return handler

    def on_question(self, handler: QuestionHandler) -> QuestionHandler:
        """Answers questions."""
        self._requests.add("question", handler)
        return handler

    def on_plan(self, handler: PlanHandler) -> PlanHandler:
        """Answers plans that wait for approval."""
        self._requests.add("plan", handler)
        return handler

    def off(self, handler: Callable[..., Any]) -> None:
        """Takes a handler away again."""
        self._requests.off(handler)

    def interrupt(self, *, timeout: Optional[float] = None) -> None:
        """Ends the open turn; what is queued stays."""
        self._call("sessions.interrupt", timeout)

    def steer(self, text: str) -> SentMessage:
        """Sends a message into the open turn."""
        return self._send(text, new_message_id(), "steer", None)

    def queue(self, text: str) -> SentMessage:
        """Sends a message for a turn of its own after the open one, and does not wait for it."""
        return self._send(text, new_message_id(), "queue", None)

    def terminate(self, *, timeout: Optional[float] = None) -> None:
        """Ends the agent's life; a later message starts a new one."""
        self._call("sessions.terminate", timeout)

    def delete(self, *, timeout: Optional[float] = None) -> None:
        """Kills the agent, ends the readers, removes the log."""
        self._call("sessions.delete", timeout)

    def _call(self, operation_id: str, timeout: Optional[float]) -> None:
        self._caller.call(operation_id, {"sessionId": self.id}, timeout)

    def _send(
        self, text: str, message_id: str, delivery: Optional[Delivery], attachments: Optional[List[Attachment]]
    ) -> SentMessage:
        """The same id makes it one message, however often it has to be sent; one after the other keeps their order."""
        fields = {
            "sessionId": self.id,
            "message": text,
            "messageId": message_id,
            "delivery": delivery,
            "attachments": attachments,
        }
        with self._sending:
            self._ensure()
            return self._caller.call("sessions.sendMessage", fields, attempts=self._caller.attempts())

    def _ensure(self) -> None:
        if self._is_created or self._create is None:
            return
        fields = {**self._create, "sessionId": self.id}
        self._caller.call("sessions.create", fields, attempts=self._caller.attempts())
        self._is_created = True

    def _read(self, reading: Reading, fields: Dict[str, Any]) -> Events:
        with self._sending:
            self._ensure()
        fields = {**fields, "sessionId": self.id}
        for event in self._caller.read(reading, "sessions.streamEvents", fields, self._caller.attempts()):
            request = self._requests.new_in(event)
            if request is not None:
                self._show(request)
            yield event

    def _show(self, request: HumanRequest) -> None:
        """Shows a request to the handlers and sends the first answer. What a handler raises goes to who reads."""
        pending = self._caller.call("sessions.listRequests", {"sessionId": self.id})
        if not still_waits(request, pending):
            return
        for handler in self._requests.handlers(request.kind):
            answer = handler(request.data)
            if answer is not None:
                operation_id, fields = self._requests.reply(request, answer)
                try:
                    self._caller.call(operation_id, fields)
                except Failure as failure:
                    if failure.code not in SETTLED:
                        raise
                return


class Turn:
    """
    A message and the turn it is given to. Reading it gives every event from the message on until its turn has ended,
    once and in order, over as many connections as it takes. Who stops reading does not interrupt the agent.
    """

    def __init__(
        self, caller: Caller, message_id: str, read: Callable[[Reading, bool], Events]
    ) -> None:
        self.message_id = message_id
        self._caller = caller
        self._read = read
        self._outcome: Optional[Outcome] = None

    def __iter__(self) -> Iterator[UniversalEvent]:
        return iter(self.events())

    def events(self) -> EventStream:
        """The same as a stream that can be closed. Every reader has one of its own, from the message on."""
        return self._caller.open_stream(lambda reading: self._follow(reading, True))

    def ended(self) -> TurnEnded:
        """Waits for the end. Raises TurnFailed only when the message never gets a turn: a failed turn has ended too."""
        return self._finish().ended()

    def text(self) -> str:
        """Waits for the end and gives the final text. Raises TurnFailed unless the turn completes."""
        return self._finish().text()

    def _finish(self) -> Outcome:
        if self._outcome is None:
            for _ in self._caller.open_stream(lambda reading: self._follow(reading, False)):
                pass
        if self._outcome is None:
            raise RuntimeError("The stream was closed before the turn had ended")
        return self._outcome

    def _follow(self, reading: Reading, with_deltas: bool) -> Events:
        end = MessageEnd(self.message_id)
        final = FinalText()
        for event in self._read(reading, with_deltas):
            final.see(event)
            is_last = end.is_last(event)
            if is_last:
                # Before it is given out: who leaves the loop at the last event has seen the end.
                self._outcome = Outcome(event, final.text)
            yield event
            if is_last:
                return
