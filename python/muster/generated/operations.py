# made by npm run generate
from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Tuple


class Operation(NamedTuple):
    id: str
    method: str
    path: str
    made: Optional[str]
    """The last parameter of the path, when it may be left out: the daemon makes one."""
    params: Tuple[str, ...]
    query: Tuple[str, ...]
    has_body: bool
    answer: str


OPERATIONS: Dict[str, Operation] = {
    "health": Operation(
        "health", "GET", "/health", None,
        (), (), False, "json",
    ),
    "info": Operation(
        "info", "GET", "/", None,
        (), (), False, "json",
    ),
    "openapi": Operation(
        "openapi", "GET", "/openapi.json", None,
        (), (), False, "json",
    ),
    "metrics": Operation(
        "metrics", "GET", "/metrics", None,
        (), (), False, "text",
    ),
    "agents.list": Operation(
        "agents.list", "GET", "/agents", None,
        (), (), False, "json",
    ),
    "agents.get": Operation(
        "agents.get", "GET", "/agents/{agent}", None,
        ("agent",), (), False, "json",
    ),
    "agents.install": Operation(
        "agents.install", "POST", "/agents/{agent}/install", None,
        ("agent",), (), True, "json",
    ),
    "agents.uninstall": Operation(
        "agents.uninstall", "DELETE", "/agents/{agent}/install", None,
        ("agent",), ("version",), False, "json",
    ),
    "agents.listModels": Operation(
        "agents.listModels", "GET", "/agents/{agent}/models", None,
        ("agent",), (), False, "json",
    ),
    "agents.listModes": Operation(
        "agents.listModes", "GET", "/agents/{agent}/modes", None,
        ("agent",), (), False, "json",
    ),
    "sessions.create": Operation(
        "sessions.create", "POST", "/sessions/{sessionId}", "sessionId",
        ("sessionId",), ("reuse",), True, "json",
    ),
    "sessions.list": Operation(
        "sessions.list", "GET", "/sessions", None,
        (), ("after", "limit", "state", "agent", "directory", "search", "order"), False, "json",
    ),
    "sessions.get": Operation(
        "sessions.get", "GET", "/sessions/{sessionId}", None,
        ("sessionId",), (), False, "json",
    ),
    "sessions.usage": Operation(
        "sessions.usage", "GET", "/sessions/{sessionId}/usage", None,
        ("sessionId",), (), False, "json",
    ),
    "sessions.update": Operation(
        "sessions.update", "PATCH", "/sessions/{sessionId}", None,
        ("sessionId",), (), True, "json",
    ),
    "sessions.delete": Operation(
        "sessions.delete", "DELETE", "/sessions/{sessionId}", None,
        ("sessionId",), (), False, "empty",
    ),
    "sessions.sendMessage": Operation(
        "sessions.sendMessage", "POST", "/sessions/{sessionId}/messages", None,
        ("sessionId",), (), True, "json",
    ),
    "sessions.streamMessage": Operation(
        "sessions.streamMessage", "POST", "/sessions/{sessionId}/messages/stream", None,
        ("sessionId",), ("raw", "deltas"), True, "sse",
    ),
    "sessions.getMessages": Operation(
        "sessions.getMessages", "GET", "/sessions/{sessionId}/messages", None,
        ("sessionId",), (), False, "json",
    ),
    "sessions.getAttachment": Operation(
        "sessions.getAttachment", "GET", "/sessions/{sessionId}/attachments/{attachment}", None,
        ("sessionId", "attachment"), (), False, "json",
    ),
    "sessions.cancelMessage": Operation(
        "sessions.cancelMessage", "DELETE", "/sessions/{sessionId}/messages/{messageId}", None,
        ("sessionId", "messageId"), (), False, "empty",
    ),
    "sessions.getEvents": Operation(
        "sessions.getEvents", "GET", "/sessions/{sessionId}/events", None,
        ("sessionId",), ("offset", "raw", "deltas", "as", "limit"), False, "json",
    ),
    "sessions.streamEvents": Operation(
        "sessions.streamEvents", "GET", "/sessions/{sessionId}/events/sse", None,
        ("sessionId",), ("offset", "raw", "deltas", "as"), False, "sse",
    ),
    "sessions.listRequests": Operation(
        "sessions.listRequests", "GET", "/sessions/{sessionId}/requests", None,
        ("sessionId",), (), False, "json",
    ),
    "sessions.replyQuestion": Operation(
        "sessions.replyQuestion", "POST", "/sessions/{sessionId}/questions/{questionId}/reply", None,
        ("sessionId", "questionId"), (), True, "empty",
    ),
    "sessions.rejectQuestion": Operation(
        "sessions.rejectQuestion", "POST", "/sessions/{sessionId}/questions/{questionId}/reject", None,
        ("sessionId", "questionId"), (), True, "empty",
    ),
    "sessions.replyPermission": Operation(
        "sessions.replyPermission", "POST", "/sessions/{sessionId}/permissions/{permissionId}/reply", None,
        ("sessionId", "permissionId"), (), True, "empty",
    ),
    "sessions.interrupt": Operation(
        "sessions.interrupt", "POST", "/sessions/{sessionId}/interrupt", None,
        ("sessionId",), (), True, "empty",
    ),
    "sessions.terminate": Operation(
        "sessions.terminate", "POST", "/sessions/{sessionId}/terminate", None,
        ("sessionId",), (), True, "empty",
    ),
    "sessions.rewind": Operation(
        "sessions.rewind", "POST", "/sessions/{sessionId}/rewind", None,
        ("sessionId",), (), True, "json",
    ),
    "sessions.undoRewind": Operation(
        "sessions.undoRewind", "POST", "/sessions/{sessionId}/rewind/undo", None,
        ("sessionId",), (), True, "json",
    ),
    "sessions.fork": Operation(
        "sessions.fork", "POST", "/sessions/{sourceId}/fork", None,
        ("sourceId",), (), True, "json",
    ),
    "sessions.handOver": Operation(
        "sessions.handOver", "POST", "/sessions/{sessionId}/hand-over", None,
        ("sessionId",), (), True, "json",
    ),
    "sessions.changes": Operation(
        "sessions.changes", "GET", "/sessions/{sessionId}/changes", None,
        ("sessionId",), ("from", "to", "other"), False, "json",
    ),
    "events.stream": Operation(
        "events.stream", "GET", "/events/sse", None,
        (), ("sessions", "deltas"), False, "sse",
    ),
    "ui.getMessages": Operation(
        "ui.getMessages", "GET", "/ui/{sessionId}/messages", None,
        ("sessionId",), (), False, "json",
    ),
    "credentials.list": Operation(
        "credentials.list", "GET", "/credentials", None,
        (), (), False, "json",
    ),
    "tickets.create": Operation(
        "tickets.create", "POST", "/tickets", None,
        (), (), True, "json",
    ),
    "tickets.redeem": Operation(
        "tickets.redeem", "POST", "/tickets/redeem", None,
        (), (), True, "json",
    ),
    "tokens.create": Operation(
        "tokens.create", "POST", "/tokens", None,
        (), (), True, "json",
    ),
    "tokens.list": Operation(
        "tokens.list", "GET", "/tokens", None,
        (), (), False, "json",
    ),
    "tokens.revoke": Operation(
        "tokens.revoke", "DELETE", "/tokens/{tokenId}", None,
        ("tokenId",), (), False, "empty",
    ),
}
