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
    headers: Tuple[str, ...]
    """Fields that travel as headers: `ifMatch` is If-Match."""
    has_body: bool
    takes_bytes: bool
    """The body is bytes, the field `content`."""
    answer: str


OPERATIONS: Dict[str, Operation] = {
    "health": Operation(
        "health", "GET", "/health", None,
        (), (), (), False, False, "json",
    ),
    "info": Operation(
        "info", "GET", "/", None,
        (), (), (), False, False, "json",
    ),
    "openapi": Operation(
        "openapi", "GET", "/openapi.json", None,
        (), (), (), False, False, "json",
    ),
    "metrics": Operation(
        "metrics", "GET", "/metrics", None,
        (), (), (), False, False, "text",
    ),
    "agents.list": Operation(
        "agents.list", "GET", "/agents", None,
        (), (), (), False, False, "json",
    ),
    "agents.get": Operation(
        "agents.get", "GET", "/agents/{agent}", None,
        ("agent",), (), (), False, False, "json",
    ),
    "agents.install": Operation(
        "agents.install", "POST", "/agents/{agent}/install", None,
        ("agent",), (), (), True, False, "json",
    ),
    "agents.uninstall": Operation(
        "agents.uninstall", "DELETE", "/agents/{agent}/install", None,
        ("agent",), ("version",), (), False, False, "json",
    ),
    "agents.listModels": Operation(
        "agents.listModels", "GET", "/agents/{agent}/models", None,
        ("agent",), (), (), False, False, "json",
    ),
    "agents.listModes": Operation(
        "agents.listModes", "GET", "/agents/{agent}/modes", None,
        ("agent",), (), (), False, False, "json",
    ),
    "sessions.create": Operation(
        "sessions.create", "POST", "/sessions/{sessionId}", "sessionId",
        ("sessionId",), ("reuse",), (), True, False, "json",
    ),
    "sessions.list": Operation(
        "sessions.list", "GET", "/sessions", None,
        (), ("after", "limit", "state", "agent", "directory", "search", "order"), (), False, False, "json",
    ),
    "sessions.get": Operation(
        "sessions.get", "GET", "/sessions/{sessionId}", None,
        ("sessionId",), (), (), False, False, "json",
    ),
    "sessions.usage": Operation(
        "sessions.usage", "GET", "/sessions/{sessionId}/usage", None,
        ("sessionId",), (), (), False, False, "json",
    ),
    "sessions.update": Operation(
        "sessions.update", "PATCH", "/sessions/{sessionId}", None,
        ("sessionId",), (), (), True, False, "json",
    ),
    "sessions.delete": Operation(
        "sessions.delete", "DELETE", "/sessions/{sessionId}", None,
        ("sessionId",), (), (), False, False, "empty",
    ),
    "sessions.sendMessage": Operation(
        "sessions.sendMessage", "POST", "/sessions/{sessionId}/messages", None,
        ("sessionId",), (), (), True, False, "json",
    ),
    "sessions.streamMessage": Operation(
        "sessions.streamMessage", "POST", "/sessions/{sessionId}/messages/stream", None,
        ("sessionId",), ("raw", "deltas"), (), True, False, "sse",
    ),
    "sessions.getMessages": Operation(
        "sessions.getMessages", "GET", "/sessions/{sessionId}/messages", None,
        ("sessionId",), (), (), False, False, "json",
    ),
    "sessions.getAttachment": Operation(
        "sessions.getAttachment", "GET", "/sessions/{sessionId}/attachments/{attachment}", None,
        ("sessionId", "attachment"), (), (), False, False, "json",
    ),
    "sessions.cancelMessage": Operation(
        "sessions.cancelMessage", "DELETE", "/sessions/{sessionId}/messages/{messageId}", None,
        ("sessionId", "messageId"), (), (), False, False, "empty",
    ),
    "sessions.getEvents": Operation(
        "sessions.getEvents", "GET", "/sessions/{sessionId}/events", None,
        ("sessionId",), ("offset", "raw", "deltas", "as", "limit"), (), False, False, "json",
    ),
    "sessions.streamEvents": Operation(
        "sessions.streamEvents", "GET", "/sessions/{sessionId}/events/sse", None,
        ("sessionId",), ("offset", "raw", "deltas", "as"), (), False, False, "sse",
    ),
    "sessions.listRequests": Operation(
        "sessions.listRequests", "GET", "/sessions/{sessionId}/requests", None,
        ("sessionId",), (), (), False, False, "json",
    ),
    "sessions.replyQuestion": Operation(
        "sessions.replyQuestion", "POST", "/sessions/{sessionId}/questions/{questionId}/reply", None,
        ("sessionId", "questionId"), (), (), True, False, "empty",
    ),
    "sessions.rejectQuestion": Operation(
        "sessions.rejectQuestion", "POST", "/sessions/{sessionId}/questions/{questionId}/reject", None,
        ("sessionId", "questionId"), (), (), True, False, "empty",
    ),
    "sessions.replyPermission": Operation(
        "sessions.replyPermission", "POST", "/sessions/{sessionId}/permissions/{permissionId}/reply", None,
        ("sessionId", "permissionId"), (), (), True, False, "empty",
    ),
    "sessions.interrupt": Operation(
        "sessions.interrupt", "POST", "/sessions/{sessionId}/interrupt", None,
        ("sessionId",), (), (), True, False, "empty",
    ),
    "sessions.terminate": Operation(
        "sessions.terminate", "POST", "/sessions/{sessionId}/terminate", None,
        ("sessionId",), (), (), True, False, "empty",
    ),
    "sessions.rewind": Operation(
        "sessions.rewind", "POST", "/sessions/{sessionId}/rewind", None,
        ("sessionId",), (), (), True, False, "json",
    ),
    "sessions.undoRewind": Operation(
        "sessions.undoRewind", "POST", "/sessions/{sessionId}/rewind/undo", None,
        ("sessionId",), (), (), True, False, "json",
    ),
    "sessions.fork": Operation(
        "sessions.fork", "POST", "/sessions/{sourceId}/fork", None,
        ("sourceId",), (), (), True, False, "json",
    ),
    "sessions.handOver": Operation(
        "sessions.handOver", "POST", "/sessions/{sessionId}/hand-over", None,
        ("sessionId",), (), (), True, False, "json",
    ),
    "sessions.changes": Operation(
        "sessions.changes", "GET", "/sessions/{sessionId}/changes", None,
        ("sessionId",), ("from", "to", "other"), (), False, False, "json",
    ),
    "events.stream": Operation(
        "events.stream", "GET", "/events/sse", None,
        (), ("sessions", "deltas"), (), False, False, "sse",
    ),
    "ui.getMessages": Operation(
        "ui.getMessages", "GET", "/ui/{sessionId}/messages", None,
        ("sessionId",), (), (), False, False, "json",
    ),
    "credentials.list": Operation(
        "credentials.list", "GET", "/credentials", None,
        (), (), (), False, False, "json",
    ),
    "tickets.create": Operation(
        "tickets.create", "POST", "/tickets", None,
        (), (), (), True, False, "json",
    ),
    "tickets.redeem": Operation(
        "tickets.redeem", "POST", "/tickets/redeem", None,
        (), (), (), True, False, "json",
    ),
    "tokens.create": Operation(
        "tokens.create", "POST", "/tokens", None,
        (), (), (), True, False, "json",
    ),
    "tokens.list": Operation(
        "tokens.list", "GET", "/tokens", None,
        (), (), (), False, False, "json",
    ),
    "tokens.revoke": Operation(
        "tokens.revoke", "DELETE", "/tokens/{tokenId}", None,
        ("tokenId",), (), (), False, False, "empty",
    ),
    "processes.run": Operation(
        "processes.run", "POST", "/processes/run", None,
        (), (), (), True, False, "json",
    ),
    "processes.start": Operation(
        "processes.start", "POST", "/processes/{processId}", "processId",
        ("processId",), (), (), True, False, "json",
    ),
    "processes.list": Operation(
        "processes.list", "GET", "/processes", None,
        (), ("owner", "state"), (), False, False, "json",
    ),
    "processes.get": Operation(
        "processes.get", "GET", "/processes/{processId}", None,
        ("processId",), (), (), False, False, "json",
    ),
    "processes.wait": Operation(
        "processes.wait", "GET", "/processes/{processId}/wait", None,
        ("processId",), ("timeoutMs",), (), False, False, "json",
    ),
    "processes.getLogs": Operation(
        "processes.getLogs", "GET", "/processes/{processId}/logs", None,
        ("processId",), ("offset", "limit", "text"), (), False, False, "json",
    ),
    "processes.streamLogs": Operation(
        "processes.streamLogs", "GET", "/processes/{processId}/logs/sse", None,
        ("processId",), ("offset", "text"), (), False, False, "sse",
    ),
    "processes.input": Operation(
        "processes.input", "POST", "/processes/{processId}/input", None,
        ("processId",), (), (), True, False, "empty",
    ),
    "processes.signal": Operation(
        "processes.signal", "POST", "/processes/{processId}/signal", None,
        ("processId",), (), (), True, False, "empty",
    ),
    "processes.resize": Operation(
        "processes.resize", "POST", "/processes/{processId}/resize", None,
        ("processId",), (), (), True, False, "empty",
    ),
    "processes.end": Operation(
        "processes.end", "POST", "/processes/{processId}/end", None,
        ("processId",), (), (), True, False, "json",
    ),
    "processes.delete": Operation(
        "processes.delete", "DELETE", "/processes/{processId}", None,
        ("processId",), (), (), False, False, "empty",
    ),
    "processes.ports": Operation(
        "processes.ports", "GET", "/processes/{processId}/ports", None,
        ("processId",), (), (), False, False, "json",
    ),
    "terminals.screen": Operation(
        "terminals.screen", "GET", "/processes/{processId}/screen", None,
        ("processId",), (), (), False, False, "json",
    ),
    "terminals.recording": Operation(
        "terminals.recording", "GET", "/processes/{processId}/recording", None,
        ("processId",), ("offset",), (), False, False, "text",
    ),
    "files.list": Operation(
        "files.list", "GET", "/files", None,
        (), ("session", "path", "pathBytes", "recursive", "ignored", "limit", "after", "afterBytes"), (), False, False, "json",
    ),
    "files.stat": Operation(
        "files.stat", "GET", "/files/stat", None,
        (), ("session", "path", "pathBytes"), (), False, False, "json",
    ),
    "files.read": Operation(
        "files.read", "GET", "/files/content", None,
        (), ("session", "path", "pathBytes"), ("range", "ifNoneMatch"), False, False, "bytes",
    ),
    "files.write": Operation(
        "files.write", "PUT", "/files/content", None,
        (), ("session", "path", "pathBytes", "mode", "parents"), ("ifMatch", "ifNoneMatch"), False, True, "json",
    ),
    "files.append": Operation(
        "files.append", "POST", "/files/content", None,
        (), ("session", "path", "pathBytes"), (), False, True, "json",
    ),
    "files.makeDirectory": Operation(
        "files.makeDirectory", "POST", "/files/directories", None,
        (), (), (), True, False, "json",
    ),
    "files.move": Operation(
        "files.move", "POST", "/files/move", None,
        (), (), (), True, False, "json",
    ),
    "files.copy": Operation(
        "files.copy", "POST", "/files/copy", None,
        (), (), (), True, False, "json",
    ),
    "files.delete": Operation(
        "files.delete", "DELETE", "/files", None,
        (), ("session", "path", "pathBytes", "recursive"), (), False, False, "empty",
    ),
    "files.download": Operation(
        "files.download", "GET", "/files/tree", None,
        (), ("session", "path", "pathBytes", "format", "ignored"), (), False, False, "bytes",
    ),
    "files.upload": Operation(
        "files.upload", "PUT", "/files/tree", None,
        (), ("session", "path", "pathBytes", "format"), (), False, True, "json",
    ),
    "files.search": Operation(
        "files.search", "GET", "/files/search", None,
        (), ("session", "path", "pathBytes", "query", "regex", "glob", "ignored", "limit"), (), False, False, "json",
    ),
    "files.watch": Operation(
        "files.watch", "GET", "/files/watch", None,
        (), ("session", "path", "pathBytes", "ignored"), (), False, False, "sse",
    ),
}
