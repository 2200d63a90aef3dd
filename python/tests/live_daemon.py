"""A real daemon with the mock agent, in a home of its own, and a proxy that cuts its connections."""
from __future__ import annotations

import os
import shutil
import socket
import ssl
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, ClassVar, List, Optional, Sequence

import muster

ROOT = Path(__file__).resolve().parents[2]
#: MUSTER_DAEMON: the command of another build.
COMMAND = [os.environ["MUSTER_DAEMON"]] if "MUSTER_DAEMON" in os.environ else [
    "node",
    str(ROOT / "daemon/cli/bin/sandbox-daemon.cjs"),
]
QUICK = muster.Reconnect(attempts=50, first_delay=0.001, max_delay=0.2)


class Home:
    """A directory, and the daemons that run on it one after the other."""

    def __init__(self) -> None:
        self.path = os.path.realpath(tempfile.mkdtemp(prefix="muster-python-"))
        self.work = os.path.join(self.path, "work")
        os.mkdir(self.work)

    def options(self) -> Any:
        return {"data_dir": os.path.join(self.path, "data"), "env": {"HOME": self.path}}

    def spawn(self, args: Sequence[str] = ()) -> muster.SandboxDaemon:
        return muster.spawn(COMMAND, args=args, **self.options())

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


class LiveDaemonCase(unittest.TestCase):
    """One daemon for all tests of a class."""

    home: ClassVar[Home]
    daemon: ClassVar[muster.SandboxDaemon]

    @classmethod
    def setUpClass(cls) -> None:
        cls.home = Home()
        cls.addClassCleanup(cls.home.remove)
        cls.daemon = cls.home.spawn()
        cls.addClassCleanup(cls.daemon.close)

    def session(self, **options: Any) -> muster.Session:
        return self.daemon.session(agent="mock", directory=self.home.work, **options)

    @property
    def token(self) -> Optional[str]:
        return self.daemon._caller.endpoint.token

    @property
    def port(self) -> int:
        return self.daemon._caller.endpoint.port


class Proxy:
    """
    Passes bytes to a port of this machine. The nth connection is cut after `limits[n]` bytes of the answer; those
    without a limit, and those after the last, are not cut.
    """

    def __init__(
        self,
        port: int,
        limits: Optional[List[Optional[int]]] = None,
        tls: Optional[ssl.SSLContext] = None,
        listener: Optional[socket.socket] = None,
    ) -> None:
        self.target = port
        self._tls = tls
        self.limits: List[Optional[int]] = list(limits or [])
        self.answers: List[bytearray] = []
        self._open: List[socket.socket] = []
        self._server = listener or socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cuts what is open now."""
        for one in self._open:
            _shut(one)

    def close(self) -> None:
        _shut(self._server)
        self._server.close()
        self.cut()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            limit = self.limits.pop(0) if self.limits else None
            threading.Thread(target=self._connect, args=(client, limit), daemon=True).start()

    def _connect(self, client: socket.socket, limit: Optional[int]) -> None:
        try:
            if self._tls is not None:
                client = self._tls.wrap_socket(client, server_side=True)
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        self._open += [client, server]
        threading.Thread(target=_pass_on, args=(client, server, None, bytearray()), daemon=True).start()
        answer = bytearray()
        self.answers.append(answer)
        _pass_on(server, client, limit, answer)
        client.close()
        server.close()


def _pass_on(source: socket.socket, target: socket.socket, limit: Optional[int], seen: bytearray) -> None:
    try:
        while limit is None or len(seen) < limit:
            data = source.recv(65536)
            if not data:
                break
            if limit is not None:
                data = data[: limit - len(seen)]
            seen += data
            target.sendall(data)
    except OSError:
        pass  # One of the two has closed.
    for one in (source, target):
        _shut(one)


def _shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It was closed already.
