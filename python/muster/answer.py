"""The bytes of an answer as the value of an operation, or as an exception."""
from __future__ import annotations

import json
from typing import Any

from muster.failures import ConnectionFailure, Failure, NotTheDaemon
from muster.generated.operations import Operation


def value_of(url: str, operation: Operation, body: bytes) -> Any:
    if operation.answer == "empty":
        return None
    if operation.answer == "text":
        return body.decode("utf-8", "replace")
    try:
        return json.loads(body)
    except ValueError:
        raise NotTheDaemon(url, "its answer is not JSON") from None


def failure_of(url: str, status: int, body: bytes) -> Exception:
    """A problem document becomes a Failure; anything else did not come from the daemon."""
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    code, detail = problem.get("code"), problem.get("detail")
    if not isinstance(code, str) or not isinstance(detail, str):
        return ConnectionFailure(url, f"it answered {status} without a problem document")
    known = ("code", "detail", "status", "type", "title")
    return Failure(status, code, detail, {name: value for name, value in problem.items() if name not in known})
