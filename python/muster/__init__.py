"""Muster's daemon from Python: one API for every coding agent. `muster.aio` is the same for asyncio."""
from muster.caller import EventStream
from muster.daemon import SandboxDaemon, connect
from muster.failures import (
    CallTimeout,
    ConnectionFailure,
    Failure,
    MusterError,
    NotTheDaemon,
    SpawnFailure,
    TurnFailed,
)
from muster.generated.version import VERSION
from muster.session import Session, Turn
from muster.settings import Reconnect
from muster.spawn import spawn

__version__ = VERSION
__all__ = [
    "CallTimeout",
    "ConnectionFailure",
    "EventStream",
    "Failure",
    "MusterError",
    "NotTheDaemon",
    "Reconnect",
    "SandboxDaemon",
    "Session",
    "SpawnFailure",
    "Turn",
    "TurnFailed",
    "connect",
    "spawn",
]
