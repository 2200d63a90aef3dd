"""One HTTP/1.1 answer: bytes in, head and body out. No I/O, so that blocking and asyncio connections share it."""
from __future__ import annotations

from typing import Dict, Optional

_MOST_HEAD = 64 * 1024


class BrokenAnswer(Exception):
    """The bytes are no HTTP answer, or they ended before it was whole."""


class AnswerParser:
    def __init__(self) -> None:
        self.status: Optional[int] = None
        """None until the head is there."""
        self.headers: Dict[str, str] = {}
        self.is_whole = False
        self._buffer = b""
        self._left: Optional[int] = None
        """Bytes of the body, or of the chunk, that are still to come; None without a length."""
        self._is_chunked = False
        self._is_trailer = False

    def push(self, data: bytes) -> bytes:
        """The bytes of the body that are in it."""
        if self.status is not None and not self._is_chunked:
            return self._plain(data)
        self._buffer += data
        if self.status is None and not self._head():
            return b""
        if self._is_chunked:
            return self._chunks()
        rest, self._buffer = self._buffer, b""
        return self._plain(rest)

    def end(self) -> None:
        """The connection was closed."""
        if self.status is not None and not self._is_chunked and self._left is None:
            self.is_whole = True
        if not self.is_whole:
            raise BrokenAnswer("the connection was closed before the answer was whole")

    def _plain(self, data: bytes) -> bytes:
        if self._left is None:
            return data
        data = data[: self._left]
        self._left -= len(data)
        self.is_whole = self._left == 0
        return data

    def _head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _MOST_HEAD:
                raise BrokenAnswer("the head of the answer does not end")
            return False
        head, self._buffer = self._buffer[:end].decode("latin-1"), self._buffer[end + 4 :]
        first, *lines = head.split("\r\n")
        words = first.split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
            raise BrokenAnswer("what answered does not speak HTTP/1.1")
        status = int(words[1])
        if status < 200:
            # An interim answer; the real one follows.
            return self._head()
        for line in lines:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()
        self.status = status
        self._is_chunked = self.headers.get("transfer-encoding", "").lower() == "chunked"
        length = self.headers.get("content-length")
        if status in (204, 304):
            self._is_chunked, length = False, "0"
        if not self._is_chunked and length is not None:
            if not length.isdigit():
                raise BrokenAnswer("the length of the answer is no number")
            self._left = int(length)
            self.is_whole = self._left == 0
        return True

    def _chunks(self) -> bytes:
        body = []
        buffer, at = self._buffer, 0
        while True:
            if self._left:
                part = buffer[at : at + self._left]
                body.append(part)
                at += len(part)
                self._left -= len(part)
                if self._left > 0:
                    break
            # Behind a chunk stands an empty line, before it its size.
            start = at + 2 if self._left == 0 and not self._is_trailer else at
            end = buffer.find(b"\r\n", start)
            if len(buffer) < start or end < 0:
                break
            line, at = buffer[start:end], end + 2
            if self._is_trailer:
                if line == b"":
                    self.is_whole = True
                    break
                continue
            try:
                self._left = int(line.split(b";", 1)[0], 16)
            except ValueError:
                raise BrokenAnswer("the size of a chunk is no number") from None
            self._is_trailer = self._left == 0
        self._buffer = buffer[at:]
        return b"".join(body)
