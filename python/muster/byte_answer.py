"""Bytes of an answer, as they come."""
from __future__ import annotations

from typing import Callable, Dict, Iterable, Iterator, Optional, Union

from muster.exchange import Exchange

Content = Union[bytes, str, Iterable[bytes]]
"""What is sent: bytes, a text in UTF-8, or pieces one after the other, such as an open file read in parts."""


class ByteAnswer:
    """Read once: with `read()`, or piece by piece in a loop. Leaving a `with` block closes it."""

    def __init__(self, exchange: Exchange, read: Callable[[], bytes]) -> None:
        self.status = exchange.status
        """200 for all of them, 206 for the part that was asked for, 304 where the caller has them already."""
        self.headers: Dict[str, str] = exchange.headers
        """By their names in small letters."""
        self._exchange = exchange
        self._read = read

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    def __iter__(self) -> Iterator[bytes]:
        while True:
            piece = self._read()
            if piece == b"":
                return
            yield piece

    def read(self) -> bytes:
        with self:
            return b"".join(self)

    def close(self) -> None:
        self._exchange.close()

    def __enter__(self) -> ByteAnswer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
