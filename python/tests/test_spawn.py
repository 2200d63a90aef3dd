"""A daemon of one's own: it starts, it stops, and it does not outlive who started it."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import unittest
from typing import List

import muster
import muster.aio
from tests.live_daemon import COMMAND, ROOT, Home

#: Starts a daemon, tells its pid, and does not close it.
LEAVER = """
import json, sys, time
import muster
command, options, how = json.loads(sys.argv[1])
daemon = muster.spawn(command, **options)
print(daemon.pid, flush=True)
if how == "stay":
    time.sleep(1000)
"""

#: Is interrupted while it reads a turn, and interrupts the turn.
INTERRUPTED = """
import json, sys
import muster
command, options = json.loads(sys.argv[1])
with muster.spawn(command, **options) as daemon:
    session = daemon.session(agent="mock")
    turn = session.prompt("slow 60000")
    try:
        for event in turn:
            if event["type"] == "item.delta":
                print("ready", flush=True)
                sys.stdout = open("/dev/null", "w")
    except KeyboardInterrupt:
        session.interrupt()
        sys.stdout = sys.__stdout__
        print(turn.ended()["status"])
"""


class SpawnTest(unittest.TestCase):
    def setUp(self) -> None:
        self.home = Home()
        self.addCleanup(self.home.remove)

    def test_asyncio_starts_and_stops_one_too(self) -> None:
        async def case() -> int:
            async with muster.aio.spawn(COMMAND, **self.home.options()) as daemon:
                session = daemon.session(agent="mock", directory=self.home.work)
                self.assertEqual(await session.ask("echo hello"), "hello")
                assert daemon.pid is not None
                return daemon.pid

        self.assert_gone(asyncio.run(case()))

    def test_closing_it_ends_the_process(self) -> None:
        with self.home.spawn() as daemon:
            self.assertEqual(daemon.client.health(), {"status": "ok"})
            pid = daemon.pid
        assert pid is not None
        self.assert_gone(pid)
        with self.assertRaises(muster.ConnectionFailure):
            muster.connect(daemon.endpoint, retries=0).client.health()

    def test_what_cannot_start_says_why(self) -> None:
        with self.assertRaisesRegex(muster.SpawnFailure, "no-such-program did not start: No such file"):
            muster.spawn(["no-such-program"])
        with self.assertRaisesRegex(muster.SpawnFailure, "sandbox-daemon did not start: .*install @muster/sandbox-daemon"):
            muster.spawn(env={"PATH": "/nowhere-at-all"})
        with self.assertRaisesRegex(muster.SpawnFailure, "unknown option '--nonsense'"):
            muster.spawn(COMMAND, args=["--nonsense"], **self.home.options())
        with self.assertRaisesRegex(muster.SpawnFailure, "unknown option '--nonsense'"):
            asyncio.run(self.spawn_nonsense())
        with self.assertRaisesRegex(muster.SpawnFailure, "it does not listen"):
            muster.spawn([sys.executable, "-c", "import time; time.sleep(1000)"], start_timeout=0.1)

    async def spawn_nonsense(self) -> None:
        await muster.aio.spawn(COMMAND, args=["--nonsense"], **self.home.options())

    def test_it_ends_with_a_program_that_forgets_it(self) -> None:
        self.leave("leave", None)

    def test_it_ends_with_a_program_that_is_killed(self) -> None:
        self.leave("stay", signal.SIGKILL)

    def test_ctrl_c_at_the_terminal_is_for_the_program(self) -> None:
        """A terminal sends it to every process of the group: the program may still want to interrupt a turn."""
        arguments = json.dumps([COMMAND, self.home.options()])
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        command = [sys.executable, "-c", INTERRUPTED, arguments]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        ) as program:
            assert program.stdout is not None
            self.assertEqual(program.stdout.readline(), "ready\n")
            os.killpg(program.pid, signal.SIGINT)
            self.assertEqual(program.stdout.read(), "interrupted\n")

    def leave(self, how: str, end: "signal.Signals | None") -> None:
        arguments = json.dumps([COMMAND, self.home.options(), how])
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        command: List[str] = [sys.executable, "-c", LEAVER, arguments]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as leaver:
            assert leaver.stdout is not None
            pid = int(leaver.stdout.readline())
            if end is not None:
                leaver.send_signal(end)
            leaver.wait(60)
        self.assert_gone(pid)

    def assert_gone(self, pid: int) -> None:
        """Waits for the end of a process that is not our child any more."""
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return
        import select

        ready, _, _ = select.select([descriptor], [], [], 60)
        os.close(descriptor)
        self.assertTrue(ready, f"{pid} still runs")


if __name__ == "__main__":
    unittest.main()
