"""How a client calls and comes back. Times are in seconds."""
from __future__ import annotations

from typing import NamedTuple


class Reconnect(NamedTuple):
    """Doubling waits, at most `attempts` in a row without progress."""

    attempts: int = 10
    first_delay: float = 0.1
    max_delay: float = 5.0


class Settings(NamedTuple):
    timeout: float = 60.0
    """What a call may take from beginning to end, and a stream until it answers."""
    retries: int = 2
    """How often more a daemon that has not answered yet is tried, where asking twice does no harm."""
    reconnect: Reconnect = Reconnect()
    """How a session that has answered is tried again, and a stream that broke."""
    silence: float = 45.0
    """A stream without even a heartbeat for this long counts as broken: three heartbeats of the daemon."""


#: A download may be all that a call waits for, or bytes that are sent as long as they come.
SLOW_CALLS = {"agents.install": 1800.0, "files.write": 43200.0, "files.upload": 43200.0, "files.copy": 1800.0, "files.delete": 1800.0}
