"""Connections that are cut anywhere: no event is lost, none comes twice."""
from __future__ import annotations

import asyncio
import random
import unittest
from typing import Any, Callable, ClassVar, List, Optional

import muster
import muster.aio
from tests.live_daemon import QUICK, Home, LiveDaemonCase, Proxy

Reader = Callable[[str, Optional[str], str, int], List[Any]]


def read_blocking(url: str, token: Optional[str], session_id: str, count: int) -> List[Any]:
    with muster.connect(url, token, reconnect=QUICK) as daemon, daemon.session(session_id).events() as events:
        return [event for _, event in zip(range(count), events)]


def read_async(url: str, token: Optional[str], session_id: str, count: int) -> List[Any]:
    async def read() -> List[Any]:
        found: List[Any] = []
        async with muster.aio.connect(url, token, reconnect=QUICK) as daemon:
            async with daemon.session(session_id).events() as events:
                async for event in events:
                    found.append(event)
                    if len(found) == count:
                        break
        return found

    return asyncio.run(asyncio.wait_for(read(), 100))


READERS: List[Reader] = [read_blocking, read_async]


class CutsTest(LiveDaemonCase):
    recorded: ClassVar[muster.Session]
    events: ClassVar[List[Any]]
    stream: ClassVar[bytes]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        session = cls.daemon.session(agent="mock", directory=cls.home.work)
        session.on_permission(lambda request: "once")
        for prompt in ("reasoning", "permission ls", "markdown", "plan", "burst 40"):
            session.prompt(prompt).ended()
        cls.recorded = session
        count = cls.daemon.client.sessions.get(session.id)["lastSequence"]
        with Proxy(cls.daemon._caller.endpoint.port) as proxy:
            cls.events = read_blocking(proxy.url, cls.daemon._caller.endpoint.token, session.id, count)
            cls.stream = bytes(proxy.answers[0])

    def test_at_every_event(self) -> None:
        self.assertGreater(len(self.events), 100)
        ends = [at + 2 for at in range(len(self.stream)) if self.stream.startswith(b"\n\n", at)]
        self.assertGreaterEqual(len(ends), len(self.events))
        for read in READERS:
            for end in ends:
                with self.subTest(read.__name__, end=end):
                    self.assert_whole(read, [end])

    def test_at_random_bytes(self) -> None:
        seed = random.randrange(2**32)
        places = random.Random(seed)
        for read in READERS:
            for _ in range(20):
                limits = [places.randrange(len(self.stream)) for _ in range(3)]
                with self.subTest(read.__name__, seed=seed, limits=limits):
                    self.assert_whole(read, limits)

    def assert_whole(self, read: Reader, limits: List[int]) -> None:
        with Proxy(self.port, [*limits]) as proxy:
            self.assertEqual(read(proxy.url, self.token, self.recorded.id, len(self.events)), self.events)

    def test_a_prompt_goes_on_over_cuts(self) -> None:
        with Proxy(self.port, [None, None, *[700] * 40]) as proxy:
            with muster.connect(proxy.url, self.token, reconnect=QUICK) as daemon:
                session = daemon.session(agent="mock", directory=self.home.work)
                events = list(session.prompt("burst 50"))
        sequences = [event["sequence"] for event in events]
        self.assertEqual(sequences, list(range(sequences[0], sequences[-1] + 1)))
        self.assertEqual(events[-1]["type"], "turn.ended")

    def test_a_message_whose_answer_is_cut_is_sent_once(self) -> None:
        with Proxy(self.port, [None, 0, 40]) as proxy:
            with muster.connect(proxy.url, self.token, reconnect=QUICK) as daemon:
                session = daemon.session(agent="mock", directory=self.home.work)
                self.assertEqual(session.ask("echo once"), "once")
        messages = self.daemon.client.sessions.get_messages(session.id)["messages"]
        self.assertEqual(len([one for one in messages if one["role"] == "user"]), 1)

    def test_a_deleted_session_and_a_cursor_beyond_the_end(self) -> None:
        for is_async in (False, True):
            session = self.session()
            session.ask("echo hello")
            with self.assertRaises(muster.Failure) as caught:
                next(iter(session.events(after=10_000)))
            self.assertEqual((caught.exception.status, caught.exception.code), (409, "cursor_ahead"))
            with self.assertRaises(muster.Failure) as caught:
                if is_async:
                    asyncio.run(self.read_deleted(session.id))
                else:
                    for event in session.events():
                        if event["type"] == "turn.ended":
                            session.delete()
            self.assertEqual((caught.exception.status, caught.exception.code), (410, "session_deleted"))

    async def read_deleted(self, session_id: str) -> None:
        async with muster.aio.connect(self.daemon.endpoint, self.token) as daemon:
            session = daemon.session(session_id)
            async for event in session.events():
                if event["type"] == "turn.ended":
                    await session.delete()

    def test_a_slow_reader_gets_everything(self) -> None:
        session = self.session()
        turn = session.prompt("burst 20000 100")
        sequences: List[int] = []
        for event in turn:
            if not sequences:
                self.daemon.session(session.id).prompt("echo after").ended()
            sequences.append(event["sequence"])
        self.assertEqual(sequences, list(range(sequences[0], sequences[0] + len(sequences))))
        self.assertGreater(len(sequences), 20_000)

    def test_a_silent_connection_is_given_up(self) -> None:
        """Nothing comes on the first connection any more: the second one gives the rest."""
        session = self.session()
        session.ask("echo hello")
        with muster.connect(self.daemon.endpoint, self.token, reconnect=QUICK, silence=0.2) as daemon:
            quiet = daemon.session(session.id).events()
            for event in quiet:
                if event["type"] == "turn.ended":
                    session.queue("retry 600")
                if event["type"] == "turn.started" and event["data"]["turnId"] != "turn_1":
                    break


class RestartTest(unittest.TestCase):
    def test_a_daemon_that_restarts_under_its_readers(self) -> None:
        home = Home()
        self.addCleanup(home.remove)
        first = home.spawn()
        session = first.session("s1", agent="mock", directory=home.work)
        session.ask("echo before")
        count = first.client.sessions.get("s1")["lastSequence"]
        tokens = {"SANDBOX_DAEMON_TOKEN": first._caller.endpoint.token or ""}
        with Proxy(first._caller.endpoint.port) as proxy:
            with muster.connect(proxy.url, tokens["SANDBOX_DAEMON_TOKEN"], reconnect=QUICK) as daemon:
                seen: List[Any] = []
                second: List[muster.SandboxDaemon] = []
                for event in daemon.session("s1").events():
                    seen.append(event["sequence"])
                    if event["sequence"] == count and not second:
                        first.close()
                        second.append(home.spawn(args=["--token", tokens["SANDBOX_DAEMON_TOKEN"]]))
                        proxy.target = second[0]._caller.endpoint.port
                        daemon.session("s1").queue("echo after")
                    if event["type"] == "turn.ended" and event["sequence"] > count:
                        break
                second[0].close()
        self.assertEqual(seen, list(range(1, len(seen) + 1)))


if __name__ == "__main__":
    unittest.main()
