"""
The SDK as a driver of the one suite of all clients: JSON lines on stdin and stdout, `driver.py sync` or `driver.py
asyncio`. The contract is testing/conformance/src/client-api/README.md.
"""
from __future__ import annotations

import asyncio
import json
import keyword
import os
import re
import sys
import threading
from typing import Any, Callable, Dict, Optional

import muster
import muster.aio
from muster.aio.bytes import AsyncByteAnswer
from muster.byte_answer import ByteAnswer


def settings() -> Dict[str, Any]:
    reconnect = json.loads(os.environ["MUSTER_RECONNECT"])
    first, longest = reconnect["firstDelayMs"] / 1000, reconnect["maxDelayMs"] / 1000
    return {
        "endpoint": os.environ["MUSTER_ENDPOINT"],
        "token": os.environ.get("MUSTER_TOKEN"),
        "reconnect": muster.Reconnect(reconnect["attempts"], first, longest),
    }


def snake(name: str) -> str:
    """As the SDK writes it: what is a word of Python has a line behind it."""
    text = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
    return f"{text}_" if keyword.iskeyword(text) else text


def keywords(fields: Optional[Dict[str, Any]]) -> Dict[str, Any]:
    return {snake(name): value for name, value in (fields or {}).items()}


def session_of(daemon: Any, given: Dict[str, Any]) -> Any:
    session = daemon.session(given["id"], **keywords(given.get("options")))
    for kind, answer in given.get("answers", {}).items():
        getattr(session, f"on_{kind}")(always(answer))
    return session


def always(answer: Any) -> Callable[[Any], Any]:
    return lambda _: answer


def method_of(daemon: Any, operation: str) -> Any:
    target = daemon.client
    for name in operation.split("."):
        target = getattr(target, snake(name))
    return target


def begin(daemon: Any, call: str, args: Dict[str, Any]) -> Any:
    """The value of a call, or what is to be awaited for it, or a stream of events."""
    if call == "operation":
        return method_of(daemon, args["id"])(**keywords(args.get("fields")))
    if call == "watch":
        return daemon.watch()
    session = session_of(daemon, args["session"])
    if call == "prompt":
        return session.prompt(args["text"], **keywords(args.get("options"))).events()
    if call == "ask":
        return session.ask(args["text"], **keywords(args.get("options")))
    if call == "events":
        return session.events(after=args.get("after"), deltas=args.get("deltas"))
    if call in ("steer", "queue"):
        return getattr(session, call)(args["text"])
    return getattr(session, call)()


def told(error: BaseException) -> Dict[str, Any]:
    if isinstance(error, (muster.Failure, muster.TurnFailed)):
        name = "Failure" if isinstance(error, muster.Failure) else "TurnFailed"
        return {"name": name, "code": error.code, "status": error.status, "message": str(error)}
    if isinstance(error, muster.ConnectionFailure):
        return {"name": "ConnectionFailure", "message": str(error)}
    if isinstance(error, asyncio.CancelledError):
        return {"name": "Aborted"}
    return {"name": "Other", "message": repr(error)}


def write(line: Dict[str, Any]) -> None:
    text = json.dumps(line) + "\n"
    with WRITING:
        sys.stdout.write(text)
        sys.stdout.flush()


WRITING = threading.Lock()


class Call:
    """A call in a thread of its own."""

    def __init__(self, daemon: muster.SandboxDaemon, line: Dict[str, Any]) -> None:
        self._daemon = daemon
        self._id = line["id"]
        self._call = line["call"]
        self._args = line["args"]
        self._asked = threading.Semaphore(0)
        self._stream: Optional[muster.EventStream] = None
        self._is_cancelled = False
        threading.Thread(target=self._run, daemon=True).start()

    def more(self) -> None:
        self._asked.release()

    def cancel(self) -> None:
        self._is_cancelled = True
        self.more()
        if self._stream is not None:
            self._stream.close()

    def _run(self) -> None:
        try:
            result = begin(self._daemon, self._call, self._args)
            if isinstance(result, muster.EventStream):
                self._stream = result
                self._give_out(result)
                result = None
            if isinstance(result, ByteAnswer):
                result = {"status": result.status, "text": result.read().decode()}
            write({"id": self._id, "result": result})
        except Exception as error:
            write({"id": self._id, "error": told(error)})

    def _give_out(self, stream: muster.EventStream) -> None:
        is_paced = self._args.get("paced")
        with stream:
            while not self._is_cancelled:
                if is_paced:
                    self._asked.acquire()
                event = None if self._is_cancelled else next(stream, None)
                if event is None:
                    return
                write({"id": self._id, "event": event})


def blocking() -> None:
    calls: Dict[int, Call] = {}
    with muster.connect(**settings()) as daemon:
        for text in sys.stdin:
            line = json.loads(text)
            if "call" in line:
                calls[line["id"]] = Call(daemon, line)
            elif "more" in line:
                calls[line["id"]].more()
            else:
                calls[line["id"]].cancel()


async def with_asyncio() -> None:
    tasks: Dict[int, asyncio.Task[None]] = {}
    asked: Dict[int, asyncio.Semaphore] = {}
    lines = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with muster.aio.connect(**settings()) as daemon:
        while True:
            text = await lines.readline()
            if not text:
                return
            line = json.loads(text)
            if "call" in line:
                asked[line["id"]] = asyncio.Semaphore(0)
                tasks[line["id"]] = asyncio.ensure_future(run(daemon, line, asked[line["id"]]))
            elif "more" in line:
                asked[line["id"]].release()
            else:
                tasks[line["id"]].cancel()


async def run(daemon: muster.aio.AsyncSandboxDaemon, line: Dict[str, Any], asked: asyncio.Semaphore) -> None:
    try:
        result = begin(daemon, line["call"], line["args"])
        if isinstance(result, muster.aio.AsyncEventStream):
            async with result as stream:
                await give_out(stream, line, asked)
            result = None
        else:
            result = await result
            if isinstance(result, AsyncByteAnswer):
                result = {"status": result.status, "text": (await result.read()).decode()}
        write({"id": line["id"], "result": result})
    except (Exception, asyncio.CancelledError) as error:
        write({"id": line["id"], "error": told(error)})


async def give_out(stream: muster.aio.AsyncEventStream, line: Dict[str, Any], asked: asyncio.Semaphore) -> None:
    is_paced = line["args"].get("paced")
    if is_paced:
        await asked.acquire()
    async for event in stream:
        write({"id": line["id"], "event": event})
        if is_paced:
            await asked.acquire()


if __name__ == "__main__":
    if sys.argv[1:] == ["asyncio"]:
        asyncio.run(with_asyncio())
    else:
        blocking()
