"""Server-sent events: bytes in, frames out."""
from __future__ import annotations

import re
from typing import List, NamedTuple, Optional


class Frame(NamedTuple):
    id: Optional[str]
    event: Optional[str]
    data: str


class FrameParser:
    """Chunks may end anywhere, also inside a letter or between CR and LF. Comments are read and dropped."""

    def __init__(self) -> None:
        self._rest = b""
        self._after_return = False
        self._id: Optional[str] = None
        self._event: Optional[str] = None
        self._data: List[str] = []

    def push(self, chunk: bytes) -> List[Frame]:
        frames: List[Frame] = []
        for line in self._lines(chunk):
            if line == b"":
                if self._data:
                    data = self._data[0] if len(self._data) == 1 else "\n".join(self._data)
                    frames.append(Frame(self._id, self._event, data))
                self._id = self._event = None
                self._data = []
                continue
            name, _, value = line.partition(b":")
            if value[:1] == b" ":
                value = value[1:]
            if name == b"data":
                self._data.append(value.decode("utf-8", "replace"))
            elif name == b"id" and b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
            elif name == b"event":
                self._event = value.decode("utf-8", "replace")
        return frames

    def _lines(self, chunk: bytes) -> List[bytes]:
        if chunk:
            skips = self._after_return and chunk[:1] == b"\n"
            self._after_return = chunk[-1:] == b"\r"
            if skips:
                chunk = chunk[1:]
        text = self._rest + chunk
        lines = text.split(b"\n") if b"\r" not in text else re.split(rb"\r\n|\n|\r", text)
        self._rest = lines.pop()
        return lines
