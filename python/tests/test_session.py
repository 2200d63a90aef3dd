"""A session from its first prompt to its end, blocking and for asyncio: the same cases."""
from __future__ import annotations

import asyncio
import threading
import unittest
from typing import Any, Awaitable, Callable, List

import muster
import muster.aio
from tests.live_daemon import LiveDaemonCase


class SessionTest(LiveDaemonCase):
    def test_ask_gives_the_final_text(self) -> None:
        self.assertEqual(self.session().ask("echo hello"), "hello")

    def test_a_turn_is_iterated_and_knows_its_end(self) -> None:
        turn = self.session().prompt("echo hello")
        events = list(turn)
        self.assertEqual(events[0]["type"], "message.updated")
        self.assertEqual(events[-1]["type"], "turn.ended")
        sequences = [event["sequence"] for event in events]
        self.assertEqual(sequences, list(range(sequences[0], sequences[0] + len(sequences))))
        self.assertEqual(turn.ended()["status"], "completed")
        self.assertEqual(turn.text(), "hello")
        self.assertEqual(list(turn), events)

    def test_a_failed_turn_is_an_exception_of_ask(self) -> None:
        with self.assertRaises(muster.TurnFailed) as caught:
            self.session().ask("error")
        self.assertEqual((caught.exception.status, caught.exception.code), ("failed", "provider_error"))

    def test_permissions_questions_and_plans_are_answered(self) -> None:
        session = self.session(permission_mode="plan")
        session.on_plan(lambda plan: {"reply": "approve", "editedText": "1. just do it"})
        self.assertEqual(session.ask("plan"), "The plan is done.")
        titles: List[str] = []

        @session.on_permission
        def later(request: Any) -> None:
            titles.append(request["title"])

        session.on_permission(lambda request: {"reply": "reject", "message": "not today"})
        session.on_question(lambda request: {"answers": [["Blue"]]})
        self.assertEqual(session.ask("permission ls"), "I was not allowed to: ls (not today)")
        self.assertEqual(session.ask("question"), "You answered: Blue.")
        self.assertEqual(titles, ["Run ls"])
        session.off(later)
        self.assertEqual(session.ask("permission pwd"), "I was not allowed to: pwd (not today)")
        self.assertEqual(titles, ["Run ls"])

    def test_what_a_handler_raises_reaches_who_reads(self) -> None:
        session = self.session()

        def broken(request: Any) -> Any:
            raise KeyError("broken handler")

        session.on_permission(broken)
        with self.assertRaises(KeyError):
            session.ask("permission ls")
        session.terminate()

    def test_interrupt_steer_and_queue(self) -> None:
        session = self.session()
        turn = session.prompt("slow 60000")
        for event in turn:
            if event["type"] == "turn.started":
                session.steer("faster")
                break
        queued = session.queue("echo next")
        session.interrupt()
        self.assertEqual(turn.ended()["status"], "interrupted")
        with self.assertRaises(muster.TurnFailed):
            turn.text()
        self.assertEqual(session.prompt("echo next", message_id=queued["messageId"], delivery="queue").text(), "next")

    def test_a_stream_can_be_closed_from_another_thread(self) -> None:
        session = self.session()
        session.ask("echo hello")
        stream = session.events()
        seen: List[int] = []
        for event in stream:
            seen.append(event["sequence"])
            if event["type"] == "turn.ended":
                threading.Timer(0.05, stream.close).start()
        self.assertEqual(seen, list(range(1, len(seen) + 1)))

    def test_leaving_a_loop_ends_the_connection_and_not_the_turn(self) -> None:
        session = self.session()
        turn = session.prompt("echo hello")
        for _ in turn:
            break
        self.assertEqual(turn.text(), "hello")

    def test_two_sessions_at_once_and_a_watcher(self) -> None:
        watched: List[str] = []
        with self.daemon.watch() as stream:
            watcher = threading.Thread(target=lambda: watched.extend(event["type"] for event in stream))
            watcher.start()
            sessions = [self.session() for _ in range(2)]
            turns = [session.prompt("echo hello") for session in sessions]
            self.assertEqual([turn.text() for turn in turns], ["hello", "hello"])
        watcher.join(10)
        self.assertFalse(watcher.is_alive())
        self.assertIn("turn.ended", watched)

    def test_a_session_that_is_not_created_here_must_be_there(self) -> None:
        with self.assertRaises(muster.Failure) as caught:
            self.daemon.session("nobody").ask("echo hello")
        self.assertEqual(caught.exception.code, "session_not_found")
        with self.assertRaises(TypeError):
            self.daemon.session("nobody", directory="/")

    def test_unknown_types_of_events_reach_the_caller_as_they_are(self) -> None:
        from muster.frames import Frame
        from muster.resume import Resume
        from muster.settings import Settings

        resume = Resume("http://x", Settings(), 0, False)
        data = '{"sequence":1,"sessionId":"s","type":"dream.started","data":{"of":"sheep"},"new":true}'
        event: Any = resume.take(Frame("1", None, data))
        self.assertEqual(event["data"], {"of": "sheep"})
        self.assertIsNone(resume.take(Frame("1", None, data)))


class AsyncSessionTest(LiveDaemonCase):
    def run_async(self, case: Callable[[muster.aio.AsyncSandboxDaemon], Awaitable[None]]) -> None:
        async def run() -> None:
            async with muster.aio.connect(self.daemon.endpoint, self.token) as daemon:
                await case(daemon)

        asyncio.run(asyncio.wait_for(run(), 100))

    def test_ask_iterate_and_fail(self) -> None:
        async def case(daemon: muster.aio.AsyncSandboxDaemon) -> None:
            session = daemon.session(agent="mock", directory=self.home.work)
            self.assertEqual(await session.ask("echo hello"), "hello")
            turn = session.prompt("echo hello")
            events = [event async for event in turn]
            self.assertEqual((events[0]["type"], events[-1]["type"]), ("message.updated", "turn.ended"))
            self.assertEqual((await turn.ended())["status"], "completed")
            self.assertEqual(await turn.text(), "hello")
            with self.assertRaises(muster.TurnFailed) as caught:
                await session.ask("error")
            self.assertEqual(caught.exception.code, "provider_error")
            with self.assertRaises(muster.Failure):
                await daemon.session("nobody").ask("echo hello")

        self.run_async(case)

    def test_plain_and_awaited_handlers_answer(self) -> None:
        async def case(daemon: muster.aio.AsyncSandboxDaemon) -> None:
            session = daemon.session(agent="mock", directory=self.home.work, permission_mode="plan")

            @session.on_plan
            async def plan(request: Any) -> Any:
                await asyncio.sleep(0)
                return "approve"

            session.on_permission(lambda request: "once")
            session.on_question(lambda request: "reject")
            self.assertEqual(await session.ask("plan"), "The plan is done.")
            self.assertEqual(await session.ask("permission ls"), "I was allowed to: ls")
            self.assertEqual(await session.ask("question"), "You declined.")
            session.off(plan)

        self.run_async(case)

    def test_a_handler_is_relieved_when_somebody_else_answers(self) -> None:
        async def case(daemon: muster.aio.AsyncSandboxDaemon) -> None:
            session = daemon.session(agent="mock", directory=self.home.work)
            relieved = asyncio.Event()

            @session.on_permission
            async def think(request: Any) -> Any:
                other = daemon.client.sessions.reply_permission(session.id, request["permissionId"], reply="once")
                answered = asyncio.ensure_future(other)
                try:
                    await asyncio.sleep(1000)
                finally:
                    await answered
                    relieved.set()

            self.assertEqual(await session.ask("permission ls"), "I was allowed to: ls")
            await relieved.wait()

        self.run_async(case)

    def test_what_a_handler_raises_reaches_who_reads(self) -> None:
        async def case(daemon: muster.aio.AsyncSandboxDaemon) -> None:
            session = daemon.session(agent="mock", directory=self.home.work)

            @session.on_permission
            async def broken(request: Any) -> Any:
                raise KeyError("broken handler")

            with self.assertRaises(KeyError):
                await session.ask("permission ls")
            await session.terminate()

        self.run_async(case)

    def test_interrupt_steer_queue_and_many_at_once(self) -> None:
        async def case(daemon: muster.aio.AsyncSandboxDaemon) -> None:
            session = daemon.session(agent="mock", directory=self.home.work)
            turn = session.prompt("slow 60000")
            async for event in turn:
                if event["type"] == "turn.started":
                    await session.steer("faster")
                    await session.interrupt()
            self.assertEqual((await turn.ended())["status"], "interrupted")
            sent = await session.queue("echo next")
            self.assertEqual(await session.ask("echo next", message_id=sent["messageId"], delivery="queue"), "next")
            sessions = [daemon.session(agent="mock", directory=self.home.work) for _ in range(3)]
            texts = await asyncio.gather(*(one.ask(f"echo {one.id}") for one in sessions))
            self.assertEqual(texts, [one.id for one in sessions])

        self.run_async(case)

    def test_a_stream_ends_when_it_is_closed_by_another_task(self) -> None:
        async def case(daemon: muster.aio.AsyncSandboxDaemon) -> None:
            session = daemon.session(agent="mock", directory=self.home.work)
            await session.ask("echo hello")
            stream = session.events()
            closing: List[Any] = []
            async for event in stream:
                if event["type"] == "turn.ended":
                    closing.append(asyncio.ensure_future(stream.aclose()))
            await closing[0]

        self.run_async(case)


if __name__ == "__main__":
    unittest.main()
