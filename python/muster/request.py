"""An operation and its fields as the bytes of a request."""
from __future__ import annotations

import json
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote, urlencode

from muster.endpoint import Endpoint
from muster.generated.operations import OPERATIONS, Operation

_ACCEPTED = {
    "json": "application/json",
    "text": "text/plain, */*",
    "sse": "text/event-stream",
    "bytes": "application/octet-stream, application/json",
    "empty": "application/json",
}


def request_bytes(
    endpoint: Endpoint, operation: Operation, fields: Mapping[str, Any], last_event_id: Optional[str] = None
) -> bytes:
    """The fields of path, query and body side by side, as on the command line; None is a field that is left out."""
    given = {name: value for name, value in fields.items() if value is not None}
    target = endpoint.prefix + _path_of(operation, given) + _query_of(operation, given)
    lines = [
        f"{operation.method} {target} HTTP/1.1",
        f"Host: {endpoint.authority}",
        f"Accept: {_ACCEPTED[operation.answer]}",
        "Connection: close",
    ]
    if endpoint.token is not None:
        lines.append(f"Authorization: Bearer {endpoint.token}")
    if last_event_id is not None:
        lines.append(f"Last-Event-ID: {last_event_id}")
    for name in operation.headers:
        if name in given:
            lines.append(f"{_header_of(name)}: {given[name]}")
    body = b""
    if operation.takes_bytes:
        content = given.get("content", b"")
        lines.append("Content-Type: application/octet-stream")
        if isinstance(content, (str, bytes, bytearray)):
            body = content.encode() if isinstance(content, str) else bytes(content)
            lines.append(f"Content-Length: {len(body)}")
        else:
            lines.append("Transfer-Encoding: chunked")
    elif operation.has_body:
        body = json.dumps(_body_of(operation, given), ensure_ascii=False, separators=(",", ":")).encode()
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def follow_of(endpoint: Endpoint, message: Mapping[str, Any], last_event_id: Optional[str]) -> bytes:
    """A message that is sent and followed; once an event of it was seen, the events of its session behind that one."""
    if last_event_id is None:
        return request_bytes(endpoint, OPERATIONS["sessions.streamMessage"], message)
    follow = OPERATIONS["sessions.streamEvents"]
    place = {name: message.get(name) for name in (*follow.params, *follow.query)}
    return request_bytes(endpoint, follow, place, last_event_id)


def pieces_of(operation: Operation, fields: Mapping[str, Any]) -> Any:
    """What is sent piece by piece behind the head; None where the request has all of it."""
    content = fields.get("content") if operation.takes_bytes else None
    return None if content is None or isinstance(content, (str, bytes, bytearray)) else content


def chunk_of(piece: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(piece), piece)


LAST_CHUNK = b"0\r\n\r\n"


def _header_of(name: str) -> str:
    """`ifNoneMatch` is If-None-Match. Header names know no capitals."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


def _path_of(operation: Operation, given: Dict[str, Any]) -> str:
    path = operation.path
    for name in operation.params:
        value = given.get(name)
        if value is None and name == operation.made:
            path = path.replace(f"/{{{name}}}", "")
            continue
        # A path of `.` or `..` would be resolved away on the way and reach another operation.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"The path parameter {name} must be a non-empty name")
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def _query_of(operation: Operation, given: Dict[str, Any]) -> str:
    query = {name: _text_of(given[name]) for name in operation.query if name in given}
    return f"?{urlencode(query)}" if query else ""


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _body_of(operation: Operation, given: Dict[str, Any]) -> Dict[str, Any]:
    elsewhere = {*operation.params, *operation.query}
    return {name: value for name, value in given.items() if name not in elsewhere}
