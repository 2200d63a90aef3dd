"""
What the SDK costs: the time to import it, and CPU per event of `session.prompt` beside a bare reader of the same stream
that only splits lines and parses JSON. Prints one JSON object per line; `npm run bench -- --only python` runs it.
"""
from __future__ import annotations

import asyncio
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, List

import muster
import muster.aio

COMMAND = json.loads(sys.argv[1])
EVENTS = int(sys.argv[2])
ROUNDS = int(sys.argv[3])


def main() -> None:
    report("Python: import muster", imported("import muster"), "ms", imported("import json"), "import json")
    report("Python: import muster.aio", imported("import muster.aio"), "ms", imported("import asyncio"), "import asyncio")
    with tempfile.TemporaryDirectory() as home:
        with muster.spawn(COMMAND, data_dir=f"{home}/data", env={"HOME": home}) as daemon:
            measure_events(daemon, home)


def measure_events(daemon: muster.SandboxDaemon, home: str) -> None:
    token = daemon._caller.endpoint.token
    session = daemon.session("bench", agent="mock", directory=home)
    turn = session.prompt(f"burst {EVENTS}")
    turn.ended()
    last = daemon.client.sessions.get("bench")["lastSequence"]
    first = next(iter(turn))["sequence"]

    def bare() -> int:
        connection = http.client.HTTPConnection(daemon.endpoint.split("/")[2])
        path = f"/sessions/bench/events/sse?offset={first - 1}"
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        lines = Lines()
        while not lines.push(answer.read1(65536), last):
            pass
        connection.close()
        return lines.count

    async def bare_async() -> int:
        reader, writer = await asyncio.open_connection(*daemon.endpoint.split("/")[2].split(":"))
        head = f"GET /sessions/bench/events/sse?offset={first - 1} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        writer.write(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
        lines = Lines()
        while not lines.push(await reader.read(65536), last):
            pass
        writer.close()
        return lines.count

    async def ours_async() -> int:
        async with muster.aio.connect(daemon.endpoint, token) as client:
            turn_again = client.session("bench").prompt(f"burst {EVENTS}", message_id=turn.message_id)
            return len([None async for _ in turn_again])

    note = f"CPU of the reader, {EVENTS} events, median of {ROUNDS}"
    report(
        "Python: an event of session.prompt",
        cpu(lambda: sum(1 for _ in turn)),
        "µs",
        cpu(bare),
        "http.client, split lines, json.loads",
        note,
    )
    report(
        "Python: an event of session.prompt, asyncio",
        cpu(lambda: asyncio.run(ours_async())),
        "µs",
        cpu(lambda: asyncio.run(bare_async())),
        "asyncio.open_connection, split lines, json.loads",
        note,
    )


class Lines:
    """The least that can be done with a stream of events."""

    def __init__(self) -> None:
        self.count = 0
        self._rest = b""

    def push(self, chunk: bytes, last: int) -> bool:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self.count += 1
                if json.loads(line[5:])["sequence"] == last:
                    return True
        return False


def cpu(read: Callable[[], int]) -> float:
    """Microseconds of this process for every event."""
    found: List[float] = []
    for _ in range(ROUNDS + 1):
        before = time.process_time()
        count = read()
        found.append((time.process_time() - before) / count * 1e6)
    return statistics.median(found[1:])


def imported(statement: str) -> float:
    """Milliseconds of CPU that a fresh Python needs for what it has compiled before."""
    program = f"import time; start = time.process_time(); {statement}; print(time.process_time() - start)"
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-c", program]
        seconds = [float(subprocess.check_output(command, env=environment)) for _ in range(ROUNDS + 1)]
    return statistics.median(seconds[1:]) * 1000


def report(name: str, value: float, unit: str, baseline: float, baseline_is: str, note: str = "") -> None:
    line: Dict[str, Any] = {"name": name, "value": value, "unit": unit, "baseline": baseline, "baselineIs": baseline_is}
    print(json.dumps({**line, **({"note": note} if note else {})}), flush=True)


if __name__ == "__main__":
    main()
