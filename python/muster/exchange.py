"""One request and its answer on a blocking connection of its own."""
from __future__ import annotations

import socket
import time
from typing import Dict, Iterable, Optional

from muster.endpoint import Endpoint
from muster.http1 import AnswerParser, BrokenAnswer
from muster.request import LAST_CHUNK, chunk_of


class Exchange:
    """Connects; `send` sends and reads the head of the answer. Raises OSError and BrokenAnswer."""

    def __init__(self, endpoint: Endpoint, timeout: Optional[float]) -> None:
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._parser = AnswerParser()
        self._first = b""
        self._socket = socket.create_connection((endpoint.host, endpoint.port), timeout)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if endpoint.is_tls:
                import ssl  # Loading it costs as much as everything else together.

                self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=endpoint.host)
        except BaseException:
            self._socket.close()
            raise

    def send(self, request: bytes, pieces: Optional[Iterable[bytes]] = None) -> None:
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(request)
            if pieces is not None:
                self._send_pieces(pieces)
            while self._parser.status is None:
                self._first = self._receive(self._left())
        except BaseException:
            self._socket.close()
            raise

    def _send_pieces(self, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            try:
                self._socket.sendall(chunk_of(piece) if piece else b"")
            except OSError:
                return  # It was refused already: the answer tells why.
        self._socket.sendall(LAST_CHUNK)

    def open_ended(self) -> None:
        """What follows takes as long as it comes."""
        self._deadline = None

    @property
    def status(self) -> int:
        return self._parser.status or 0

    @property
    def headers(self) -> Dict[str, str]:
        return self._parser.headers

    def body(self) -> bytes:
        """The whole body, within the time of the whole exchange."""
        parts = []
        while True:
            part = self.read(self._left())
            if part == b"":
                return b"".join(parts)
            parts.append(part)

    def read(self, timeout: Optional[float]) -> bytes:
        """The next bytes of the body; none at its end."""
        part, self._first = self._first, b""
        while part == b"" and not self._parser.is_whole:
            part = self._receive(timeout)
        return part

    def abort(self) -> None:
        """From any thread: whoever reads is told that the connection is closed."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # It was closed already.

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _receive(self, timeout: Optional[float]) -> bytes:
        self._socket.settimeout(timeout)
        data = self._socket.recv(65536)
        if data:
            return self._parser.push(data)
        self._parser.end()
        return b""

    def _left(self) -> Optional[float]:
        if self._deadline is None:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        return left


__all__ = ["BrokenAnswer", "Exchange"]
