"""A daemon of one's own, blocking."""
from __future__ import annotations

import atexit
import os
import time
from typing import IO, TYPE_CHECKING, Any, Dict, Optional, Sequence

from muster.caller import Caller
from muster.daemon import SandboxDaemon
from muster.daemon_program import START_SECONDS, STOP_SECONDS, endpoint_in, program_of, why_none, why_not
from muster.endpoint import endpoint_of
from muster.failures import SpawnFailure
from muster.settings import Reconnect, Settings

if TYPE_CHECKING:
    from subprocess import Popen


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
) -> SandboxDaemon:
    """
    Starts a daemon on a free port and stops it with `close()`, at the latest with this process. Its sessions are kept
    in `data_dir`, by default where the command keeps them; `args` are further options of `sandbox-daemon serve`.
    """
    import subprocess
    import tempfile

    program = program_of(command, data_dir, args, env)
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                program.command,
                env=program.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                # Ctrl-C at the terminal is for this program: it may still want to interrupt a turn.
                start_new_session=True,
            )
        except OSError as error:
            raise SpawnFailure(why_none(program.command[0], error)) from error
        try:
            url = _wait_for_greeting(process, program.command[0], said, time.monotonic() + start_timeout)
        except BaseException:
            process.kill()
            _stop(process)
            raise
    settings = Settings(timeout, retries, reconnect, silence)

    def stop() -> None:
        atexit.unregister(stop)
        _stop(process)

    atexit.register(stop)
    return SandboxDaemon(Caller(endpoint_of(url, program.token), settings), stop, process.pid)


def _wait_for_greeting(process: Popen[bytes], name: str, said: IO[bytes], deadline: float) -> str:
    import selectors

    output: Any = process.stdout
    greeting = b""
    # Not select(): a program with a thousand open files has descriptors it cannot take.
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            part = os.read(output.fileno(), 4096) if ready else b""
            greeting += part
            url = endpoint_in(greeting)
            if url is not None:
                return url
            if part == b"":
                code = process.wait(STOP_SECONDS) if ready else None
                said.seek(0)
                raise SpawnFailure(why_not(name, code, said.read()))


def _stop(process: Popen[bytes]) -> None:
    import subprocess

    if process.poll() is None:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
