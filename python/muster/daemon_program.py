"""The daemon's program: how it is called, where it says it listens, what is told when it does not."""
from __future__ import annotations

import os
import re
from typing import Dict, List, NamedTuple, Optional, Sequence


class Program(NamedTuple):
    command: List[str]
    environment: Dict[str, str]
    token: str


#: What starting may take; a first start on a busy machine loads everything from disk.
START_SECONDS = 60.0
#: What stopping may take before the process is killed.
STOP_SECONDS = 15.0


def program_of(
    command: Optional[Sequence[str]], data_dir: Optional[str], args: Sequence[str], env: Optional[Dict[str, str]]
) -> Program:
    """
    A token of its own, told by the environment, which other users cannot read as they can a command line; any free
    port; its standard input ends with this process, however that happens. MUSTER_DAEMON names another program than the `sandbox-daemon` on the PATH.
    """
    token = os.urandom(24).hex()
    start = list(command) if command else [os.environ.get("MUSTER_DAEMON") or "sandbox-daemon"]
    where = [] if data_dir is None else ["--data-dir", data_dir]
    environment = {**os.environ, **(env or {}), "SANDBOX_DAEMON_TOKEN": token}
    serve = ["serve", "--port", "0", "--until-stdin-ends", "--log-level", "warn"]
    return Program([*start, *serve, *where, *args], environment, token)


def endpoint_in(greeting: bytes) -> Optional[str]:
    found = re.search(rb"listens on (\S+)\n", greeting)
    return None if found is None else found.group(1).decode()


def why_not(program: str, code: Optional[int], said: bytes) -> str:
    reason = said.decode("utf-8", "replace").strip() or ("it does not listen" if code is None else f"exit code {code}")
    return f"{program} did not start: {reason}"


def why_none(program: str, error: OSError) -> str:
    """With what is to be done, where nobody named a program and there is none."""
    advice = "; install @muster/sandbox-daemon from npm, or say where its program is (`command`, MUSTER_DAEMON)"
    is_unnamed = program == "sandbox-daemon" and isinstance(error, FileNotFoundError)
    return f"{program} did not start: {error.strerror}{advice if is_unnamed else ''}"
