"""Where the daemon is."""
from __future__ import annotations

import os
from typing import NamedTuple, Optional
from urllib.parse import urlsplit


class Endpoint(NamedTuple):
    url: str
    is_tls: bool
    host: str
    port: int
    authority: str
    """The Host header."""
    prefix: str
    """What stands before every path."""
    token: Optional[str]


def endpoint_of(url: Optional[str], token: Optional[str]) -> Endpoint:
    """Checks the URL and drops what a path cannot be appended to. Without one the environment tells, as for the CLI."""
    url = url or os.environ.get("SANDBOX_DAEMON_ENDPOINT") or "http://127.0.0.1:2468"
    token = token or os.environ.get("SANDBOX_DAEMON_TOKEN") or None
    if token is not None and not (token.isascii() and token.isprintable()):
        raise ValueError("The token must be printable ASCII")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The endpoint must be an http or https URL, not '{url}'")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("The endpoint must have no user, query or fragment")
    is_tls = parts.scheme == "https"
    prefix = parts.path.rstrip("/")
    port = parts.port or (443 if is_tls else 80)
    return Endpoint(
        f"{parts.scheme}://{parts.netloc}{prefix}", is_tls, parts.hostname, port, parts.netloc, prefix, token
    )
