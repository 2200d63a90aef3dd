"""One conversation with one agent, for asyncio."""
from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, List, Optional

from muster.aio.caller import AsyncCaller, AsyncEventStream, AsyncReading
from muster.failures import Failure
from muster.human_requests import SETTLED, HumanRequest, HumanRequests, resolved_in, still_waits
from muster.turn_outcome import FinalText, MessageEnd, Outcome, new_message_id

if TYPE_CHECKING:
    from muster.aio.caller import AsyncEvents
    from muster.generated.types import Attachment, Delivery, SentMessage, TurnEnded, UniversalEvent
    from muster.human_requests import AsyncPermissionHandler, AsyncPlanHandler, AsyncQuestionHandler


class AsyncSession:
    """
    Nothing is sent before the first use, which also creates the session. Handlers, plain functions or coroutines, are
    shown the requests in whatever is being read here: a turn, or the session's events. Reading goes on meanwhile.
    """

    def __init__(self, caller: AsyncCaller, session_id: str, create: Optional[Dict[str, Any]]) -> None:
        self.id = session_id
        self._caller = caller
        self._create = create
        self._is_created = create is None
        self._sending: Optional[asyncio.Lock] = None
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
    ) -> AsyncTurn:
        """
        Sends a message at once; what comes of it, also that it could not be sent, is told to who reads the turn. A
        `message_id` of your own makes the same prompt sent twice one message. `delivery` says what happens while a
        turn is open: wait for its end, join it, or fail.
        """
        message_id = message_id or new_message_id()
        sent = asyncio.ensure_future(self._send(text, message_id, delivery, attachments))
        # Who reads the turn is told; a turn that nobody reads has nobody to tell.
        sent.add_done_callback(lambda done: done.cancelled() or done.exception())

        def read(reading: AsyncReading, after: int, with_deltas: bool) -> AsyncEvents:
            fields = {"offset": after, "deltas": deltas if with_deltas else False, "raw": raw}
            return self._read(reading, fields)

        return AsyncTurn(self._caller, message_id, sent, read)

    async def ask(
        self,
        text: str,
        *,
        attachments: Optional[List[Attachment]] = None,
        message_id: Optional[str] = None,
        delivery: Optional[Delivery] = None,
    ) -> str:
        """The final text of a turn. Raises TurnFailed unless it completes."""
        turn = self.prompt(text, attachments=attachments, message_id=message_id, delivery=delivery)
        return await turn.text()

    def events(
        self, *, after: Optional[int] = None, deltas: Optional[bool] = None, raw: Optional[bool] = None
    ) -> AsyncEventStream:
        """All events behind a sequence, past and live, until closed."""
        fields = {"offset": after, "deltas": deltas, "raw": raw}
        return self._caller.open_stream(lambda reading: self._read(reading, fields))

    def on_permission(self, handler: AsyncPermissionHandler) -> AsyncPermissionHandler:
        """Answers permissions. A handler that gives None leaves the request to the next one, or to another client."""
        self._requests.add("permission", handler)
        return handler

    def on_question(self, handler: AsyncQuestionHandler) -> AsyncQuestionHandler:
        """Answers questions."""
        self._requests.add("question", handler)
        return handler

    def on_plan(self, handler: AsyncPlanHandler) -> AsyncPlanHandler:
        """Answers plans that wait for approval."""
        self._requests.add("plan", handler)
        return handler

    def off(self, handler: Callable[..., Any]) -> None:
        """Takes a handler away again."""
        self._requests.off(handler)

    async def interrupt(self, *, timeout: Optional[float] = None) -> None:
        """Ends the open turn; what is queued stays."""
        async with self._lock():
            await self._call("sessions.interrupt", timeout)

    async def steer(self, text: str) -> SentMessage:
        """Sends a message into the open turn."""
        return await self._send(text, new_message_id(), "steer", None)

    async def queue(self, text: str) -> SentMessage:
        """Sends a message for a turn of its own after the open one, and does not wait for it."""
        return await self._send(text, new_message_id(), "queue", None)

    async def terminate(self, *, timeout: Optional[float] = None) -> None:
        """Ends the agent's life; a later message starts a new one."""
        await self._call("sessions.terminate", timeout)

    async def delete(self, *, timeout: Optional[float] = None) -> None:
        """Kills the agent, ends the readers, removes the log."""
        await self._call("sessions.delete", timeout)

    async def _call(self, operation_id: str, timeout: Optional[float]) -> None:
        await self._caller.call(operation_id, {"sessionId": self.id}, timeout)

    async def _send(
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
        async with self._lock():
            await self._ensure()
            return await self._caller.call("sessions.sendMessage", fields, attempts=self._caller.attempts())

    def _lock(self) -> asyncio.Lock:
        # Not made before a loop runs: until 3.10 a lock belonged to the loop it was made in.
        self._sending = self._sending or asyncio.Lock()
        return self._sending

    async def _ensure(self) -> None:
        if self._is_created or self._create is None:
            return
        fields = {**self._create, "sessionId": self.id}
        await self._caller.call("sessions.create", fields, attempts=self._caller.attempts())
        self._is_created = True

    async def _read(self, reading: AsyncReading, fields: Dict[str, Any]) -> AsyncEvents:
        async with self._lock():
            await self._ensure()
        fields = {**fields, "sessionId": self.id}
        events = self._caller.read(reading, "sessions.streamEvents", fields, self._caller.attempts())
        shown = _ShownRequests(reading)
        try:
            async for event in events:
                request = self._requests.new_in(event)
                if request is not None:
                    shown.start(request.id, self._show(request))
                shown.settle(event)
                yield event
            shown.tell_failure()
        finally:
            shown.cancel()
            await events.aclose()

    async def _show(self, request: HumanRequest) -> None:
        """Shows a request to the handlers and sends the first answer."""
        pending = await self._caller.call("sessions.listRequests", {"sessionId": self.id})
        if not still_waits(request, pending):
            return
        for handler in self._requests.handlers(request.kind):
            answer = handler(request.data)
            if inspect.isawaitable(answer):
                answer = await answer
            if answer is not None:
                operation_id, fields = self._requests.reply(request, answer)
                try:
                    await self._caller.call(operation_id, fields)
                except Failure as failure:
                    if failure.code not in SETTLED:
                        raise
                return


class _ShownRequests:
    """The handlers at work for one reading. What one raises ends the reading: nobody else would hear of it."""

    def __init__(self, reading: AsyncReading) -> None:
        self._reading = reading
        self._tasks: Dict[str, asyncio.Task[None]] = {}
        self._failure: Optional[BaseException] = None

    def start(self, request_id: str, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks[request_id] = task
        task.add_done_callback(self._on_done)

    def settle(self, event: UniversalEvent) -> None:
        """Somebody has answered: nobody here needs to think about it any more."""
        task = self._tasks.pop(resolved_in(event) or "", None)
        if task is not None:
            task.cancel()

    def cancel(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    def tell_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _on_done(self, task: asyncio.Task[None]) -> None:
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self._failure = failure
            self._reading.close()


class AsyncTurn:
    """
    A message and the turn it is given to. Reading it gives every event from the message on until its turn has ended,
    once and in order, over as many connections as it takes. Who stops reading does not interrupt the agent.
    """

    def __init__(
        self,
        caller: AsyncCaller,
        message_id: str,
        sent: asyncio.Future[SentMessage],
        read: Callable[[AsyncReading, int, bool], AsyncEvents],
    ) -> None:
        self.message_id = message_id
        self._caller = caller
        self._sent = sent
        self._read = read
        self._outcome: Optional[Outcome] = None

    def __aiter__(self) -> AsyncIterator[UniversalEvent]:
        return self.events().__aiter__()

    def events(self) -> AsyncEventStream:
        """The same as a stream that can be closed. Every reader has one of its own, from the message on."""
        return self._caller.open_stream(lambda reading: self._follow(reading, True))

    async def ended(self) -> TurnEnded:
        """Waits for the end. Raises TurnFailed only when the message never gets a turn: a failed turn has ended too."""
        return (await self._finish()).ended()

    async def text(self) -> str:
        """Waits for the end and gives the final text. Raises TurnFailed unless the turn completes."""
        return (await self._finish()).text()

    async def _finish(self) -> Outcome:
        if self._outcome is None:
            async for _ in self._caller.open_stream(lambda reading: self._follow(reading, False)):
                pass
        if self._outcome is None:
            raise RuntimeError("The stream was closed before the turn had ended")
        return self._outcome

    async def _follow(self, reading: AsyncReading, with_deltas: bool) -> AsyncEvents:
        sent = await asyncio.shield(self._sent)
        end = MessageEnd(self.message_id)
        final = FinalText()
        events = self._read(reading, sent["sequence"] - 1, with_deltas)
        try:
            async for event in events:
                final.see(event)
                is_last = end.is_last(event)
                if is_last:
                    # Before it is given out: who leaves the loop at the last event has seen the end.
                    self._outcome = Outcome(event, final.text)
                yield event
                if is_last:
                    return
        finally:
            await events.aclose()
