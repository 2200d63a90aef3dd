"""A daemon of one's own, for asyncio."""
from __future__ import annotations

import asyncio
import atexit
from typing import Any, Dict, Generator, Optional, Sequence

from muster.aio.caller import AsyncCaller
from muster.aio.daemon import AsyncSandboxDaemon
from muster.daemon_program import START_SECONDS, STOP_SECONDS, endpoint_in, program_of, why_none, why_not
from muster.endpoint import endpoint_of
from muster.failures import SpawnFailure
from muster.settings import Reconnect, Settings


def spawn(
    command: Optional[Sequence[str]] = None,
    *,
    data_dir: Optional[str] = None,
    args: Sequence[str] = (),
    env: Optional[Dict[str, str]] = None,
    start_timeout: float = START_SECONDS,
    timeout: float = 60.0,
    retries: int = 2,
    reconnect: Reconnect = Reconnect(),
    silence: float = 45.0,
) -> Spawning:
    """
    Starts a daemon on a free port and stops it with `aclose()`, at the latest with this process: `await spawn()` or
    `async with spawn() as daemon`. Its sessions are kept in `data_dir`, by default where the command keeps them;
    `args` are further options of `sandbox-daemon serve`.
    """
    program = program_of(command, data_dir, args, env)
    settings = Settings(timeout, retries, reconnect, silence)

    async def start() -> AsyncSandboxDaemon:
        try:
            process = await asyncio.create_subprocess_exec(
                *program.command,
                env=program.environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                # Ctrl-C at the terminal is for this program: it may still want to interrupt a turn.
                start_new_session=True,
            )
        except OSError as error:
            raise SpawnFailure(why_none(program.command[0], error)) from error
        said = asyncio.ensure_future(_last_words(process))
        try:
            url = await asyncio.wait_for(_greeting(process, program.command[0], said), start_timeout)
        except BaseException as error:
            _kill(process)
            await process.wait()
            if isinstance(error, asyncio.TimeoutError):
                raise SpawnFailure(why_not(program.command[0], None, await said)) from error
            raise

        def kill() -> None:
            _kill(process)

        async def stop() -> None:
            atexit.unregister(kill)
            await _stop(process)
            await said

        # A loop that is gone can wait for nobody: what was not closed is killed; its sessions are kept.
        atexit.register(kill)
        return AsyncSandboxDaemon(AsyncCaller(endpoint_of(url, program.token), settings), stop, process.pid)

    return Spawning(start)


class Spawning:
    """A daemon that is being started: awaited, or entered with `async with`."""

    def __init__(self, start: Any) -> None:
        self._start = start
        self._daemon: Optional[AsyncSandboxDaemon] = None

    def __await__(self) -> Generator[Any, None, AsyncSandboxDaemon]:
        return self._start().__await__()

    async def __aenter__(self) -> AsyncSandboxDaemon:
        self._daemon = await self
        return self._daemon

    async def __aexit__(self, *_: object) -> None:
        if self._daemon is not None:
            await self._daemon.aclose()


async def _greeting(process: asyncio.subprocess.Process, name: str, said: asyncio.Future[bytes]) -> str:
    output: Any = process.stdout
    greeting = b""
    while True:
        part = await output.read(4096)
        greeting += part
        url = endpoint_in(greeting)
        if url is not None:
            return url
        if part == b"":
            raise SpawnFailure(why_not(name, await process.wait(), await said))


async def _last_words(process: asyncio.subprocess.Process) -> bytes:
    """What it says on stderr, as far as anybody would read it."""
    errors: Any = process.stderr
    said = b""
    while True:
        part = await errors.read(4096)
        if part == b"":
            return said
        said = (said + part)[-16_384:]


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        try:
            process.terminate()
        except ProcessLookupError:
            pass  # It has just ended by itself.
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except asyncio.TimeoutError:
        _kill(process)
        await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        try:
            process.kill()
        except ProcessLookupError:
            pass  # It has just ended by itself.
