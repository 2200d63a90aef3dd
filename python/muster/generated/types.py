# made by npm run generate
"""The shapes of the API. Every value is a plain dict: a newer daemon may send types and fields not listed here."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

AgentName = Union[Literal["claude", "codex", "opencode", "amp", "codebuff", "mock"], str]


PermissionMode = Literal["default", "acceptEdits", "plan", "bypass"]


SessionState = Literal["starting", "idle", "running", "waiting", "asleep", "ended", "unreadable"]


AgentState = Literal["starting", "ready", "asleep"]


LiveSetting = Literal["model", "agentMode", "variant", "permissionMode"]


ItemKind = Literal["message", "reasoning", "tool_call", "tool_result", "plan", "status"]


ItemStatus = Literal["in_progress", "completed", "failed", "cancelled"]


Role = Literal["user", "assistant", "system", "tool"]


ToolKind = Literal["read", "edit", "execute", "search", "fetch", "think", "agent", "other"]


MessageStatus = Literal["queued", "given", "joined", "cancelled", "failed"]


Delivery = Literal["queue", "steer", "reject"]


TurnStatus = Literal["completed", "interrupted", "failed", "uncertain"]


Cause = Literal[
    "agent_timeout",
    "tool_timeout",
    "turn_timeout",
    "agent_exited",
    "agent_unresponsive",
    "agent_error",
    "agent_protocol_error",
    "spawn_failed",
    "daemon_restarted",
    "daemon_stopped",
    "interrupted_by_user",
    "terminated",
    "auth_failed",
    "rate_limited",
    "provider_error",
    "context_overflow",
    "model_not_found",
    "max_steps",
    "out_of_credits",
    "account_suspended",
    "free_mode_unavailable",
    "output_limit",
    "refused",
    "budget_exceeded",
    "storage_full",
]


ProblemCode = Literal[
    "invalid_request",
    "unsupported_agent",
    "unsupported_option",
    "unauthorized",
    "scope_required",
    "token_limited",
    "forbidden_host",
    "forbidden_origin",
    "not_found",
    "session_not_found",
    "request_not_found",
    "message_not_found",
    "attachment_not_found",
    "token_not_found",
    "method_not_allowed",
    "request_timeout",
    "process_not_found",
    "process_exists",
    "process_ended",
    "process_not_started",
    "input_refused",
    "no_terminal",
    "memory_limit_unavailable",
    "terminal_unavailable",
    "processes_disabled",
    "session_exists",
    "session_deleted",
    "message_conflict",
    "already_resolved",
    "agent_in_use",
    "already_given",
    "session_busy",
    "cursor_ahead",
    "turn_not_found",
    "cannot_rewind",
    "rewind_conflict",
    "nothing_to_undo",
    "cannot_hand_over",
    "cannot_fork",
    "body_too_large",
    "unsupported_media_type",
    "agent_unhealthy",
    "credentials_required",
    "unsupported_agent_version",
    "install_failed",
    "too_many_requests",
    "session_unreadable",
    "internal",
    "shutting_down",
    "too_many_sessions",
    "writer_replaced",
    "storage_full",
    "files_off",
    "path_outside_roots",
    "file_denied",
    "file_not_found",
    "file_exists",
    "not_a_directory",
    "not_a_file",
    "directory_not_empty",
    "precondition_failed",
    "archive_refused",
    "range_not_satisfiable",
    "files_unavailable",
    "disk_full",
]


PermissionAction = Literal["execute", "edit", "read", "fetch", "mcp", "other"]


QuestionKind = Literal["question", "plan_approval"]


EventSource = Literal["agent", "daemon"]


class TextPart(TypedDict):
    "A text that was said"
    type: Literal["text"]
    "A text"
    text: str
    "The text, as Markdown"


class ReasoningPart(TypedDict):
    "What the model thinks before it speaks or acts"
    type: Literal["reasoning"]
    "A thought"
    text: str
    "The thought, or the provider's summary of it"
    visibility: Literal["public", "private"]
    "Whether the agent shows it to its own users"


class _ToolCallPart(TypedDict):
    type: Literal["tool_call"]
    "A tool call"
    callId: str
    "The call's id, by which its result is found"
    name: str
    "The tool as the agent names it"
    toolKind: ToolKind
    "What kind of tool it is, the same words for all agents"
    input: Any
    "What the tool is given; its form is the tool's own"


class ToolCallPart(_ToolCallPart, total=False):
    "The agent uses a tool"
    title: str
    "The call in a few words, for people"


class _ToolResultPart(TypedDict):
    type: Literal["tool_result"]
    "The result of a tool call"
    callId: str
    "The call it answers"
    output: str
    "What the tool gave, as text"
    isError: bool
    "Whether the tool failed"


class ToolResultPart(_ToolResultPart, total=False):
    "What a tool gave"
    exitCode: int
    "The exit code, where the tool was a command"
    json: Any
    "What the tool gave, where it is a value"


class _FilePart(TypedDict):
    type: Literal["file"]
    "A file the agent touched"
    path: str
    "Its path on the daemon's machine"
    action: Literal["read", "write", "patch", "delete"]
    "What was done with it"


class FilePart(_FilePart, total=False):
    "A file that was read or changed"
    diff: str
    "The change as a unified diff"


class _ImagePart(TypedDict):
    type: Literal["image"]
    "A picture"
    mime: str
    "Its media type, such as image/png"


class ImagePart(_ImagePart, total=False):
    "A picture"
    data: str
    "Its content in base64"
    path: str
    "Where it lies on the daemon's machine"


class PlanPart(TypedDict):
    "A plan that the agent proposes"
    type: Literal["plan"]
    "A plan"
    text: str
    "The plan, as Markdown"


class _StatusPart(TypedDict):
    type: Literal["status"]
    "A notice"
    label: str
    "The notice in a few words"


class StatusPart(_StatusPart, total=False):
    "A notice of the agent, such as that it shortens its context"
    detail: str
    "More of it"


class JsonPart(TypedDict):
    "A value without a form of its own"
    type: Literal["json"]
    "A value"
    json: Any
    "The value"


Part = Union[
    TextPart,
    ReasoningPart,
    ToolCallPart,
    ToolResultPart,
    FilePart,
    ImagePart,
    PlanPart,
    StatusPart,
    JsonPart,
]


class _Item(TypedDict):
    itemId: str
    "The item's id, the same from its start to its end"
    kind: ItemKind
    "What kind of thing it is"
    status: ItemStatus
    "How far it is"
    content: List[Part]
    "What it holds, piece by piece"


class Item(_Item, total=False):
    "One thing in a turn: a message, a thought, a tool call, a result"
    nativeItemId: str
    "The id under which the agent itself knows it"
    parentId: str
    "The tool call of the sub-agent that it belongs to"
    role: Role
    "Who speaks"
    phase: Literal["commentary", "final"]
    "Of a message, where the agent tells: said on the way, or the answer"
    background: bool
    "May stay open after its turn; it closes when it finishes or with the life"
    supersededBy: str
    "The item that replaces this one"


class _Usage(TypedDict):
    inputTokens: int
    "Tokens the model read, those from the cache included"
    outputTokens: int
    "Tokens the model wrote, thoughts included"


class Usage(_Usage, total=False):
    "Tokens of a turn"
    cachedInputTokens: int
    "Of the tokens read, those from the cache"
    reasoningTokens: int
    "Of the tokens written, those of thoughts"
    contextTokens: int
    "How full the model's context is"
    contextWindow: int
    "How much the model's context holds"


class _WireUsage(TypedDict):
    requests: int
    "How many requests were made"
    inputTokens: int
    "Tokens that were sent, those from the cache included"
    cachedInputTokens: int
    "Of the tokens sent, those from the cache"
    outputTokens: int
    "Tokens that were answered, thoughts included"
    reasoningTokens: int
    "Of the tokens answered, those of thoughts"
    listUsd: float
    "What that costs by our table of prices, in US dollars"


class WireUsage(_WireUsage, total=False):
    "Model requests as the gateway counted them, whatever the agent says"
    billedUsd: float
    "What the provider says it billed, where it says so"
    open: int
    "Requests that are not over: their input is counted, by estimate"
    estimated: int
    "Requests whose answer told no usage, or was cut: counted by their characters"


class _ModelRequest(TypedDict):
    requestId: str
    "The request's id, in both of its events"
    state: Literal["open", "settled"]
    "Whether it has begun or is over"
    provider: str
    "Who was asked"
    protocol: Literal["messages", "responses", "chat", "gemini"]
    "In which protocol"
    model: str
    "The model that was asked for"
    inputTokens: int
    "Tokens that were sent, those from the cache included"
    cachedInputTokens: int
    "Of the tokens sent, those from the cache"
    outputTokens: int
    "Tokens that were answered, thoughts included"
    reasoningTokens: int
    "Of the tokens answered, those of thoughts"
    listUsd: float
    "What that costs by our table of prices, in US dollars"
    requests: int
    "1, or 0 for a request that was not made after all"


class ModelRequest(_ModelRequest, total=False):
    "A model request: told when it begins, with what its input costs by estimate, and when it is over"
    subAgent: str
    "The agent's own name of the sub-agent that asked"
    billedUsd: float
    "What the provider says it billed, where it says so"
    estimated: bool
    "Counted by estimate; so is one that was open when its daemon died"
    status: int
    "The status of the answer; absent when there was none"
    firstByteMs: float
    "Milliseconds to the first byte of the answer"
    durationMs: float
    "Milliseconds to its end"


class _PlanEntry(TypedDict):
    content: str
    "The task in words"
    status: Literal["pending", "in_progress", "completed", "cancelled"]
    "How far it is"


class PlanEntry(_PlanEntry, total=False):
    "One line of an agent's todo list"
    priority: Literal["high", "medium", "low"]
    "How important the agent says it is"


class _AgentCommand(TypedDict):
    name: str
    "How it is called, without the slash"


class AgentCommand(_AgentCommand, total=False):
    "A slash command that the agent understands in a message"
    description: str
    "What it does"


class StderrExcerpt(TypedDict):
    "What the agent's process wrote to its standard error"
    head: str
    "The first lines"
    tail: str
    "The last lines"
    truncated: bool
    "Whether lines between them were left out"
    totalLines: int
    "How many lines there were"


class _AttachmentInfo(TypedDict):
    path: str
    "Where the file lies on the daemon's machine"
    mime: str
    "Its media type"


class AttachmentInfo(_AttachmentInfo, total=False):
    "An attached file as the log knows it"
    filename: str
    "Its name"


class _QuestionOption(TypedDict):
    id: str
    "The option's id; an answer may name it"
    label: str
    "The option for people; an answer may name it"


class QuestionOption(_QuestionOption, total=False):
    "One of the answers a question offers"
    description: str
    "What choosing it means"


class _Question(TypedDict):
    id: str
    "The question's id within the request"
    question: str
    "What is asked"
    type: Literal["string", "boolean", "number"]
    "What kind of answer is wanted"
    options: List[QuestionOption]
    "The answers it offers; empty where only own words are wanted"
    multiSelect: bool
    "Whether several options may be chosen"
    allowCustom: bool
    "Whether own words are taken beside the options"


class Question(_Question, total=False):
    "One question to a person"
    header: str
    "A few words that stand above it"
    body: str
    "Longer material to decide on, as Markdown: the plan of a plan approval"
    secret: bool
    "true: the answer is a secret and must not be shown"


class _AllowedPrompt(TypedDict):
    prompt: str
    "What it would do, in words"


class AllowedPrompt(_AllowedPrompt, total=False):
    "What a plan asks leave for in advance"
    tool: str
    "The tool it would use"


class PermissionScope(TypedDict):
    "What the answer always grants for the rest of the session"
    action: PermissionAction
    "What kind of thing the agent wants to do"
    pattern: str
    "On exactly this command, path or tool"


class PermissionDetail(TypedDict, total=False):
    "What exactly the agent wants to do"
    command: str
    "The command it wants to run"
    directory: str
    "Where the command would run"
    paths: List[str]
    "The files it wants to touch"
    diff: str
    "The change it wants to make, as a unified diff"
    url: str
    "The address it wants to read"
    tool: str
    "The tool it wants to use"
    input: Any
    "What the tool would be given"
    reason: str
    "Why it asks, in the agent's words"


class Truncated(TypedDict):
    "A text of the event was too long and was cut"
    field: str
    "Which field was cut"
    bytes: int
    "How long it was before"


Keys = Literal["gateway", "agent", "none"]


class _SessionStarted(TypedDict):
    agent: str
    "Which agent works in this session"
    permissionMode: PermissionMode
    "What it may do without asking"
    directory: str
    "Where it works, on the daemon's machine"
    resumed: bool
    "Whether it goes on with an earlier conversation"


class SessionStarted(_SessionStarted, total=False):
    "A life of the agent has begun: its process is ready"
    agentVersion: str
    "The version of the agent's program"
    nativeSessionId: str
    "The id under which the agent itself knows the conversation"
    model: str
    "The model it works with"
    agentMode: str
    "What the agent does: build, plan …"
    variant: str
    "How hard the model thinks"
    contextLost: bool
    "true: the agent does not remember what was said before"
    keys: Keys
    "Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it"
    metadata: Dict[str, Any]
    "Whatever else the agent said of itself"


class _SessionStartedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["session.started"]
    "What happened; it says what data holds"
    data: SessionStarted
    "A life of the agent has begun: its process is ready"


class SessionStartedEvent(_SessionStartedEvent, total=False):
    "A life of the agent has begun: its process is ready"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class SessionUpdated(TypedDict, total=False):
    "Settings of the session have changed; what is absent stayed as it was"
    model: str
    "The model from now on"
    agentMode: str
    "The agent mode from now on"
    variant: str
    "How hard the model thinks from now on"
    permissionMode: PermissionMode
    "What it may do without asking, from now on"
    title: str
    "The name for people from now on"
    nativeSessionId: str
    "The agent's own id of the conversation from now on"
    agentVersion: str
    "The version of the agent's program from now on"
    commands: List[AgentCommand]
    "The slash commands the agent takes"
    agentState: AgentState
    "What the agent's process does"
    contextLost: bool
    "true: the agent does not remember what was said before"
    keys: Keys
    "Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it"


class _SessionUpdatedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["session.updated"]
    "What happened; it says what data holds"
    data: SessionUpdated
    "Settings of the session have changed; what is absent stayed as it was"


class SessionUpdatedEvent(_SessionUpdatedEvent, total=False):
    "Settings of the session have changed; what is absent stayed as it was"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _SessionEnded(TypedDict):
    reason: Literal["completed", "error", "terminated"]
    "Why the life ended"
    terminatedBy: Literal["agent", "daemon", "client"]
    "Who ended it"


class SessionEnded(_SessionEnded, total=False):
    "A life of the agent has ended; the session stays, and a message begins a new life"
    message: str
    "Why, in words"
    exitCode: int
    "The exit code of the process"
    signal: str
    "The signal that ended the process"
    stderr: StderrExcerpt
    "What the process wrote to its standard error"
    metadata: Dict[str, Any]
    "Whatever else is known of the end"


class _SessionEndedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["session.ended"]
    "What happened; it says what data holds"
    data: SessionEnded
    "A life of the agent has ended; the session stays, and a message begins a new life"


class SessionEndedEvent(_SessionEndedEvent, total=False):
    "A life of the agent has ended; the session stays, and a message begins a new life"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class SessionRewoundPlaces(TypedDict, total=False):
    "Where a turn stands in the agent's own history: what a rewind drops, and what it keeps"
    first: str
    "The agent's name of the first thing in it"
    last: str
    "The agent's name of the last thing in it"


class _SessionRewound(TypedDict):
    toTurn: int
    "The turn after which the session goes on; 0 is the beginning"
    turns: List[str]
    "The turns that the conversation now goes without, or with undone has again"
    chat: bool
    "Whether the conversation was rewound"
    files: bool
    "Whether the files were rewound"
    token: str
    "With which this rewind is taken back, or which one was"


class SessionRewound(_SessionRewound, total=False):
    "The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log"
    paths: List[str]
    "The files that were changed; the first 1000"
    undone: bool
    "true: a rewind was taken back, the turns are part of the conversation again"
    fileUndo: str
    "By which the store of the files knows the way back"
    nativeSessionId: str
    "The agent's own id of the conversation from now on; with chat and without it a new one begins"
    places: List[SessionRewoundPlaces]
    "Where the turns that are left stand in it, in their order, where that has changed"


class _SessionRewoundEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["session.rewound"]
    "What happened; it says what data holds"
    data: SessionRewound
    "The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log"


class SessionRewoundEvent(_SessionRewoundEvent, total=False):
    "The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class SessionForkedPlaces(TypedDict, total=False):
    "Where a turn stands in the agent's own history: what a rewind drops, and what it keeps"
    first: str
    "The agent's name of the first thing in it"
    last: str
    "The agent's name of the last thing in it"


_SessionForked = TypedDict("_SessionForked", {
    "from": str,
    "at": int,
    "directory": str,
})


class SessionForked(_SessionForked, total=False):
    "Here a session begins that goes on from a turn of another one; the events before are that one's"
    nativeSessionId: str
    "The agent's own id of the conversation from now on"
    places: List[SessionForkedPlaces]
    "Where the turns stand in it, in their order, where that has changed"


class _SessionForkedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["session.forked"]
    "What happened; it says what data holds"
    data: SessionForked
    "Here a session begins that goes on from a turn of another one; the events before are that one's"


class SessionForkedEvent(_SessionForkedEvent, total=False):
    "Here a session begins that goes on from a turn of another one; the events before are that one's"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


_AgentChanged = TypedDict("_AgentChanged", {
    "from": str,
    "to": str,
    "how": Literal["imported", "digest"],
    "notCarried": List[str],
})


class AgentChanged(_AgentChanged, total=False):
    "Another agent goes on with the session"
    model: str
    "Its model, where one was named"
    nativeSessionId: str
    "The new agent's own id of the conversation"


class _AgentChangedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["agent.changed"]
    "What happened; it says what data holds"
    data: AgentChanged
    "Another agent goes on with the session"


class AgentChangedEvent(_AgentChangedEvent, total=False):
    "Another agent goes on with the session"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _MessageUpdated(TypedDict):
    messageId: str
    "The message's id: your own, or one the daemon made"
    status: MessageStatus
    "queued: accepted; given: its turn has begun; joined: it went into the open turn; cancelled; failed: never given"


class MessageUpdated(_MessageUpdated, total=False):
    "A message was accepted, given to the agent, taken back or failed"
    turnId: str
    "The turn it was given to"
    message: str
    "With queued: the text that was sent"
    attachments: List[AttachmentInfo]
    "With queued: the files that were sent with it"
    delivery: Literal["queue", "steer"]
    "With queued: for a turn of its own, or for the open one"
    digest: str
    "With queued: by which the same message is known again"


class _MessageUpdatedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["message.updated"]
    "What happened; it says what data holds"
    data: MessageUpdated
    "A message was accepted, given to the agent, taken back or failed"


class MessageUpdatedEvent(_MessageUpdatedEvent, total=False):
    "A message was accepted, given to the agent, taken back or failed"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class TurnStarted(TypedDict):
    "The agent begins to work on a message"
    turnId: str
    "The turn's id, in all of its events"
    messageIds: List[str]
    "The messages it answers"
    origin: Literal["user", "agent"]
    "Who began it: a message, or the agent by itself"


class _TurnStartedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["turn.started"]
    "What happened; it says what data holds"
    data: TurnStarted
    "The agent begins to work on a message"


class TurnStartedEvent(_TurnStartedEvent, total=False):
    "The agent begins to work on a message"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class TurnEndedPlace(TypedDict, total=False):
    "Where a turn stands in the agent's own history: what a rewind drops, and what it keeps"
    first: str
    "The agent's name of the first thing in it"
    last: str
    "The agent's name of the last thing in it"


class _TurnEnded(TypedDict):
    turnId: str
    "The turn that is over"
    status: TurnStatus
    "How a turn ended; uncertain: the daemon was killed and cannot know whether the agent finished"
    durationMs: float
    "How long it took, in milliseconds"


class TurnEnded(_TurnEnded, total=False):
    "A turn is over: how it ended, what it used and what it cost"
    cause: Cause
    "Why it did not complete, for programs"
    message: str
    "Why it did not complete, in words"
    usage: Usage
    "The tokens of the whole turn"
    costUsd: float
    "What the turn cost, in US dollars"
    wire: WireUsage
    "Its model requests as the gateway counted them"
    output: Any
    "The answer as a value, where a JSON schema was asked for"
    place: TurnEndedPlace
    "Where a turn stands in the agent's own history: what a rewind drops, and what it keeps"
    workMayHaveContinued: bool
    "true: the agent did not confirm the interrupt and may have gone on for a moment"


class _TurnEndedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["turn.ended"]
    "What happened; it says what data holds"
    data: TurnEnded
    "A turn is over: how it ended, what it used and what it cost"


class TurnEndedEvent(_TurnEndedEvent, total=False):
    "A turn is over: how it ended, what it used and what it cost"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class ItemStarted(TypedDict):
    "Something new in the turn has begun: a text, a thought, a tool call"
    item: Item
    "The item as it begins; its content grows by item.delta"


class _ItemStartedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["item.started"]
    "What happened; it says what data holds"
    data: ItemStarted
    "Something new in the turn has begun: a text, a thought, a tool call"


class ItemStartedEvent(_ItemStartedEvent, total=False):
    "Something new in the turn has begun: a text, a thought, a tool call"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class ItemDelta(TypedDict):
    "A piece of an item that is still being written; left out with deltas=false"
    itemId: str
    "The item that grows"
    index: int
    "Which of the item's parts grows, counted from 0"
    part: Literal["text", "reasoning", "input", "output"]
    "What grows: a text, a thought, the input of a tool call, or the output of a tool that runs"
    delta: str
    "The next piece; pieces in a row make the whole"


class _ItemDeltaEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["item.delta"]
    "What happened; it says what data holds"
    data: ItemDelta
    "A piece of an item that is still being written; left out with deltas=false"


class ItemDeltaEvent(_ItemDeltaEvent, total=False):
    "A piece of an item that is still being written; left out with deltas=false"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class ItemCompleted(TypedDict):
    "An item is finished: this is all of it, whether or not pieces came before"
    item: Item
    "The whole item, with its final content and status"


class _ItemCompletedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["item.completed"]
    "What happened; it says what data holds"
    data: ItemCompleted
    "An item is finished: this is all of it, whether or not pieces came before"


class ItemCompletedEvent(_ItemCompletedEvent, total=False):
    "An item is finished: this is all of it, whether or not pieces came before"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _QuestionRequested(TypedDict):
    questionId: str
    "The request's id, by which it is answered"
    kind: QuestionKind
    "A question, or a plan that waits for approval"
    questions: List[Question]
    "What is asked; an answer has one entry for each"


class QuestionRequested(_QuestionRequested, total=False):
    "The agent asks a person something, or proposes a plan, and waits"
    itemId: str
    "The tool call it belongs to"
    expiresAt: str
    "When it expires, in UTC; never where it is absent"
    allowedPrompts: List[AllowedPrompt]
    "Of a plan: what it asks leave for in advance"


class _QuestionRequestedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["question.requested"]
    "What happened; it says what data holds"
    data: QuestionRequested
    "The agent asks a person something, or proposes a plan, and waits"


class QuestionRequestedEvent(_QuestionRequestedEvent, total=False):
    "The agent asks a person something, or proposes a plan, and waits"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _QuestionResolved(TypedDict):
    questionId: str
    "The request that no longer waits"
    status: Literal["answered", "rejected", "cancelled", "expired"]
    "How it ended"


class QuestionResolved(_QuestionResolved, total=False):
    "A question was answered, or no longer waits"
    answers: List[List[str]]
    "The answers, one list for each question"
    message: str
    "Why it was declined, in words"


class _QuestionResolvedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["question.resolved"]
    "What happened; it says what data holds"
    data: QuestionResolved
    "A question was answered, or no longer waits"


class QuestionResolvedEvent(_QuestionResolvedEvent, total=False):
    "A question was answered, or no longer waits"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _PermissionRequested(TypedDict):
    permissionId: str
    "The request's id, by which it is answered"
    action: PermissionAction
    "What kind of thing the agent wants to do"
    title: str
    "What the agent wants to do, in one line for people"
    alwaysScope: List[PermissionScope]
    "What the answer always would grant for the rest of the session"


class PermissionRequested(_PermissionRequested, total=False):
    "The agent asks whether it may do something, and waits"
    detail: PermissionDetail
    "What exactly it wants to do"
    itemId: str
    "The tool call it belongs to"
    expiresAt: str
    "When it expires, in UTC; never where it is absent"


class _PermissionRequestedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["permission.requested"]
    "What happened; it says what data holds"
    data: PermissionRequested
    "The agent asks whether it may do something, and waits"


class PermissionRequestedEvent(_PermissionRequestedEvent, total=False):
    "The agent asks whether it may do something, and waits"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _PermissionResolved(TypedDict):
    permissionId: str
    "The request that no longer waits"
    decision: Literal["allow", "reject", "cancelled", "expired"]
    "What was decided"
    by: Literal["user", "rule", "mode", "agent", "daemon", "client"]
    "Who decided: a person, an earlier always, the permission mode, the agent, the daemon, or a client for which nobody was there"


class PermissionResolved(_PermissionResolved, total=False):
    "A permission was decided, or no longer waits"
    scope: Literal["once", "session"]
    "Of an allow: this once, or for the rest of the session"
    message: str
    "Why it was rejected, in words"


class _PermissionResolvedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["permission.resolved"]
    "What happened; it says what data holds"
    data: PermissionResolved
    "A permission was decided, or no longer waits"


class PermissionResolvedEvent(_PermissionResolvedEvent, total=False):
    "A permission was decided, or no longer waits"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class PlanUpdated(TypedDict):
    "The agent's todo list has changed"
    entries: List[PlanEntry]
    "The whole list as it is now; it replaces the one before"


class _PlanUpdatedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["plan.updated"]
    "What happened; it says what data holds"
    data: PlanUpdated
    "The agent's todo list has changed"


class PlanUpdatedEvent(_PlanUpdatedEvent, total=False):
    "The agent's todo list has changed"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _UsageUpdated(TypedDict):
    inputTokens: int
    "Tokens the model read, those from the cache included"
    outputTokens: int
    "Tokens the model wrote, thoughts included"


class UsageUpdated(_UsageUpdated, total=False):
    "Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them"
    cachedInputTokens: int
    "Of the tokens read, those from the cache"
    reasoningTokens: int
    "Of the tokens written, those of thoughts"
    contextTokens: int
    "How full the model's context is"
    contextWindow: int
    "How much the model's context holds"
    costUsd: float
    "What the turn has cost so far, in US dollars"
    wire: WireUsage
    "The same as the gateway counted it"
    request: ModelRequest
    "The model request that has begun or is over"


class _UsageUpdatedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["usage.updated"]
    "What happened; it says what data holds"
    data: UsageUpdated
    "Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them"


class UsageUpdatedEvent(_UsageUpdatedEvent, total=False):
    "Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class BudgetWarned(TypedDict):
    "Four fifths of a budget are spent; told once for each budget"
    spentUsd: float
    "What is spent, in US dollars"
    budgetUsd: float
    "The budget, in US dollars"


class _BudgetWarnedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["budget.warned"]
    "What happened; it says what data holds"
    data: BudgetWarned
    "Four fifths of a budget are spent; told once for each budget"


class BudgetWarnedEvent(_BudgetWarnedEvent, total=False):
    "Four fifths of a budget are spent; told once for each budget"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class _ErrorReported(TypedDict):
    code: Cause
    "What went wrong, for programs"
    message: str
    "What went wrong, in the agent's or the daemon's words"
    retryable: bool
    "Whether the same message may succeed later"


class ErrorReported(_ErrorReported, total=False):
    "A trouble of the agent; whether the turn failed is told by turn.ended"
    details: Dict[str, Any]
    "Whatever else the agent said of it"


class _ErrorEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["error"]
    "What happened; it says what data holds"
    data: ErrorReported
    "A trouble of the agent; whether the turn failed is told by turn.ended"


class ErrorEvent(_ErrorEvent, total=False):
    "A trouble of the agent; whether the turn failed is told by turn.ended"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class AgentUnparsed(TypedDict):
    "The agent said something this daemon cannot read; nothing is dropped in silence"
    raw: Any
    "The line as the agent wrote it"
    error: str
    "Why it could not be read"
    location: str
    "Where in the daemon it was to be read"


class _AgentUnparsedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["agent.unparsed"]
    "What happened; it says what data holds"
    data: AgentUnparsed
    "The agent said something this daemon cannot read; nothing is dropped in silence"


class AgentUnparsedEvent(_AgentUnparsedEvent, total=False):
    "The agent said something this daemon cannot read; nothing is dropped in silence"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


class SnapshotSkipped(TypedDict):
    "There is no snapshot of the directory; its files cannot be rewound to this moment"
    turnId: str
    "The turn whose begin or end has no snapshot"
    moment: Literal["begin", "end"]
    "Before its prompt was given, or at its end"
    reason: Literal["unavailable", "timeout", "too_many_files", "too_many_bytes", "no_space", "failed"]
    "Why; unavailable: there can be none of this directory"
    detail: str
    "Why, in words"


class _SnapshotSkippedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["snapshot.skipped"]
    "What happened; it says what data holds"
    data: SnapshotSkipped
    "There is no snapshot of the directory; its files cannot be rewound to this moment"


class SnapshotSkippedEvent(_SnapshotSkippedEvent, total=False):
    "There is no snapshot of the directory; its files cannot be rewound to this moment"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


_LogDamaged = TypedDict("_LogDamaged", {
    "from": int,
    "to": int,
    "bytes": int,
})


class LogDamaged(_LogDamaged, total=False):
    "Stands for events that cannot be read any more; its sequence is the last of theirs"
    keptAs: str
    "The file in which the unreadable bytes were kept"


class _LogDamagedEvent(TypedDict):
    sequence: int
    "The event's number, from 1 in each session without holes; also the SSE id"
    time: str
    "When it was written, in UTC"
    sessionId: str
    "The session it happened in"
    source: EventSource
    "Who says so: the agent, or the daemon itself"
    type: Literal["log.damaged"]
    "What happened; it says what data holds"
    data: LogDamaged
    "Stands for events that cannot be read any more; its sequence is the last of theirs"


class LogDamagedEvent(_LogDamagedEvent, total=False):
    "Stands for events that cannot be read any more; its sequence is the last of theirs"
    turnId: str
    "The turn it belongs to; absent outside any turn"
    truncated: Truncated
    "Present where a text was too long for an event and was cut"
    raw: Any
    "The agent's own message, with raw=true"


UniversalEvent = Union[
    SessionStartedEvent,
    SessionUpdatedEvent,
    SessionEndedEvent,
    SessionRewoundEvent,
    SessionForkedEvent,
    AgentChangedEvent,
    MessageUpdatedEvent,
    TurnStartedEvent,
    TurnEndedEvent,
    ItemStartedEvent,
    ItemDeltaEvent,
    ItemCompletedEvent,
    QuestionRequestedEvent,
    QuestionResolvedEvent,
    PermissionRequestedEvent,
    PermissionResolvedEvent,
    PlanUpdatedEvent,
    UsageUpdatedEvent,
    BudgetWarnedEvent,
    ErrorEvent,
    AgentUnparsedEvent,
    SnapshotSkippedEvent,
    LogDamagedEvent,
]


class Problem(TypedDict):
    "A request that was refused or failed, as RFC 7807 has it; further fields such as sessionId may stand beside"
    type: str
    "An address that names the kind of problem"
    title: str
    "The kind of problem in words, the same each time"
    status: int
    "The HTTP status"
    detail: str
    "What happened this time, with names"
    code: ProblemCode
    "What went wrong, for programs; docs/problems.md lists the codes"


class _AgentError(TypedDict):
    type: Literal["token_error", "install_failed", "unsupported_agent_version", "spawn_failed", "process_exited", "unsupported", "timeout"]
    "What went wrong, for programs"
    message: str
    "What went wrong, in words"


class AgentError(_AgentError, total=False):
    "Why a session exists but its agent does not run"
    details: Dict[str, Any]
    "Whatever else is known of it"


class Limits(TypedDict, total=False):
    "Times after which the daemon steps in, in milliseconds, and a budget"
    turnIdleMs: int
    "No sign of life while the model works"
    toolIdleMs: int
    "No sign of life while a tool call is open"
    turnMs: int
    "The whole turn; none by default"
    requestMs: int
    "A question or permission expires after this; never by default"
    agentIdleMs: int
    "An agent idle this long is put to sleep"
    budgetUsd: float
    "The session may cost this much; then its turn ends"
    budgetTokens: int
    "The session may use this many tokens, counted by the gateway; then its turn ends"
    requestsPerMinute: int
    "Model requests in a minute, counted by the gateway"


class MarkedSecret(TypedDict):
    "A value that is kept in memory only, wherever its name would not say so"
    secret: Literal[True]
    "Marks the value as a secret"
    value: str
    "The secret itself"


EnvironmentValue = Union[str, MarkedSecret]


class _McpCommand(TypedDict):
    command: str
    "The program to start"


class McpCommand(_McpCommand, total=False):
    "An MCP server that is a program on the daemon's machine"
    args: List[EnvironmentValue]
    "Its arguments"
    env: Dict[str, EnvironmentValue]
    "Further variables of its environment"


class McpUrlUrl1(TypedDict):
    secret: Literal[True]
    "Marks the value as a secret"
    value: str
    "The address itself"


class _McpUrl(TypedDict):
    url: Union[str, McpUrlUrl1]
    "Its address"


class McpUrl(_McpUrl, total=False):
    "An MCP server that is reached by HTTP"
    headers: Dict[str, EnvironmentValue]
    "Headers sent with every request to it"


McpServer = Union[McpCommand, McpUrl]


class _CreateSession(TypedDict):
    agent: AgentName
    "Who works: claude, codex, opencode, amp, codebuff, mock"


class CreateSession(_CreateSession, total=False):
    "With what a session is created"
    model: str
    "Which model; `agents list-models` names them"
    agentMode: str
    "What the agent does: build, plan …; `agents list-modes` names them"
    variant: str
    "How hard the model thinks: low, medium, high, xhigh"
    permissionMode: PermissionMode
    "default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing"
    title: str
    "A name for people"
    limits: Limits
    "Times in milliseconds and a budget: {\"turnMs\":600000,\"turnIdleMs\":300000,\"toolIdleMs\":3600000,\"requestMs\":60000,\"agentIdleMs\":600000,\"budgetUsd\":5,\"budgetTokens\":2000000,\"requestsPerMinute\":60}"
    token: str
    "The agent's API key for this session; kept in memory only"
    env: Dict[str, EnvironmentValue]
    "Further variables of the agent's environment"
    mcp: Dict[str, McpServer]
    "MCP servers by name: {\"files\":{\"command\":\"mcp-files\",\"args\":[\".\"],\"env\":{}},\"web\":{\"url\":\"https://…\",\"headers\":{}}}"
    dangerouslySkipPermissions: bool
    "true asks nothing, whatever permissionMode says"
    baseUrl: str
    "The model endpoint, without a version path such as /v1"
    validateToken: bool
    "Asks the provider whether it takes the token"
    agentVersion: str
    "This version of the agent, installed if it is not there"
    directory: str
    "Where the agent works; must exist; default: the daemon's"
    systemPrompt: str
    "Appended to the agent's own"
    agentOptions: Dict[str, Any]
    "The agent's own settings"
    budgetGroup: str
    "Sessions of one group share their budget: limits hold for what all of them spend"
    route: str
    "The route of routes.yaml that its model requests take"


class UpdateSession(TypedDict, total=False):
    "What can be changed of a session; what is absent stays as it is"
    model: str
    "Which model; `agents list-models` names them"
    agentMode: str
    "What the agent does: build, plan …; `agents list-modes` names them"
    variant: str
    "How hard the model thinks: low, medium, high, xhigh"
    permissionMode: PermissionMode
    "default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing"
    title: str
    "A name for people"
    limits: Limits
    "Times in milliseconds and a budget: {\"turnMs\":600000,\"turnIdleMs\":300000,\"toolIdleMs\":3600000,\"requestMs\":60000,\"agentIdleMs\":600000,\"budgetUsd\":5,\"budgetTokens\":2000000,\"requestsPerMinute\":60}"
    token: str
    "The agent's API key for this session; kept in memory only"
    env: Dict[str, EnvironmentValue]
    "Further variables of the agent's environment"
    mcp: Dict[str, McpServer]
    "MCP servers by name: {\"files\":{\"command\":\"mcp-files\",\"args\":[\".\"],\"env\":{}},\"web\":{\"url\":\"https://…\",\"headers\":{}}}"


class _SessionUsage(TypedDict):
    inputTokens: int
    "Tokens the models read, those from the cache included"
    outputTokens: int
    "Tokens the models wrote, thoughts included"


class SessionUsage(_SessionUsage, total=False):
    "Tokens of all turns of a session"
    cachedInputTokens: int
    "Of the tokens read, those from the cache"
    reasoningTokens: int
    "Of the tokens written, those of thoughts"


class UsedTokens(TypedDict):
    "Tokens of model requests"
    input: int
    "Tokens that were sent, those from the cache included"
    cached: int
    "Of the tokens sent, those from the cache"
    output: int
    "Tokens that were answered, thoughts included"
    reasoning: int
    "Of the tokens answered, those of thoughts"


class _ModelUsage(TypedDict):
    provider: str
    "Who was asked"
    model: str
    "The model that was asked for"
    requests: int
    "How many requests were made"
    tokens: UsedTokens
    "Tokens of model requests"
    listUsd: float
    "What that costs by our table of prices, in US dollars"


class ModelUsage(_ModelUsage, total=False):
    "What requests to one model used and cost"
    billedUsd: float
    "What the provider says it billed, where it says so"
    open: int
    "Requests that are not over: their input is counted, by estimate"
    estimated: int
    "Requests whose answer told no usage, or was cut: counted by their characters"


class _TurnUsage(TypedDict):
    requests: int
    "How many requests were made"
    tokens: UsedTokens
    "Tokens of model requests"
    listUsd: float
    "What that costs by our table of prices, in US dollars"


class TurnUsage(_TurnUsage, total=False):
    "What the requests of one turn used and cost"
    turnId: str
    "The turn; absent for what no turn asked for"
    billedUsd: float
    "What the provider says it billed, where it says so"
    open: int
    "Requests that are not over: their input is counted, by estimate"
    estimated: int
    "Requests whose answer told no usage, or was cut: counted by their characters"


class _SubAgentUsage(TypedDict):
    subAgent: str
    "The agent's own name of the sub-agent"
    requests: int
    "How many requests were made"
    tokens: UsedTokens
    "Tokens of model requests"
    listUsd: float
    "What that costs by our table of prices, in US dollars"


class SubAgentUsage(_SubAgentUsage, total=False):
    "What the requests of one sub-agent used and cost"
    billedUsd: float
    "What the provider says it billed, where it says so"
    open: int
    "Requests that are not over: their input is counted, by estimate"
    estimated: int
    "Requests whose answer told no usage, or was cut: counted by their characters"


class _UsageReport(TypedDict):
    requests: int
    "How many requests were made"
    tokens: UsedTokens
    "Tokens of model requests"
    listUsd: float
    "What that costs by our table of prices, in US dollars"
    byModel: List[ModelUsage]
    "By model"
    byTurn: List[TurnUsage]
    "By turn, the newest 1000"
    bySubAgent: List[SubAgentUsage]
    "Only what sub-agents asked for, by sub-agent"


class UsageReport(_UsageReport, total=False):
    "What a session's model requests used and cost, and whose they were"
    billedUsd: float
    "What the provider says it billed, where it says so"
    open: int
    "Requests that are not over: their input is counted, by estimate"
    estimated: int
    "Requests whose answer told no usage, or was cut: counted by their characters"


class _Session(TypedDict):
    sessionId: str
    "The session's id: your own, or one the daemon made"
    agent: str
    "Which agent works in it"
    permissionMode: PermissionMode
    "What the agent may do without asking"
    directory: str
    "Where the agent works, on the daemon's machine"
    state: SessionState
    "starting: its agent is being started; idle: ready; running: a turn is open; waiting: for a person; asleep: its agent was put to sleep and wakes with a message; ended: its agent's process is over; unreadable: its files are damaged"
    healthy: bool
    "false: its agent cannot be started; error says why"
    lastSequence: int
    "The number of its newest event; 0 while there is none"
    queued: int
    "How many messages wait for a turn"
    pendingRequests: int
    "How many questions and permissions wait for a person"
    usage: SessionUsage
    "Tokens of all its turns"
    costUsd: float
    "What all its turns have cost, in US dollars"
    keys: Keys
    "Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it"
    createdAt: str
    "When it was created, in UTC"
    updatedAt: str
    "When something last happened in it, whatever it was, in UTC"
    lastUsedAt: str
    "When a person last sent a message or answered; not moved by sleep, restart or stop"


class Session(_Session, total=False):
    "A session: one conversation with one agent, and how it stands"
    agentVersion: str
    "The version of the agent's program"
    nativeSessionId: str
    "The id under which the agent itself knows the conversation"
    model: str
    "The model it works with, once it is known"
    agentMode: str
    "What the agent does: build, plan …"
    variant: str
    "How hard the model thinks"
    title: str
    "What was given as a name, by a client or by the agent"
    name: str
    "What a list shows: the title, or else the beginning of the first message in one line, without secrets"
    error: AgentError
    "Why its agent does not run"
    needsCredentials: List[str]
    "Secrets that were lost with a restart of the daemon and must be given again"
    turnId: str
    "The turn that is open"
    wire: WireUsage
    "What its model requests were, as the gateway counted them"
    limits: Limits
    "The limits it was given"
    budgetGroup: str
    "The group whose budget it shares"
    route: str
    "The route that its model requests take"


class _CreatedSession(TypedDict):
    healthy: bool
    "Whether its agent runs; the session exists either way"
    session: Session
    "The session as it is now"


class CreatedSession(_CreatedSession, total=False):
    "A session that was created, or was there with the same settings"
    error: AgentError
    "Why its agent does not run"
    validated: bool
    "Only with validateToken: whether the token could be checked"


class InterruptSession(TypedDict, total=False):
    "How a turn is interrupted"
    queue: Literal["keep", "cancel"]
    "What happens to queued messages; keep by default"


class _Attachment(TypedDict):
    mime: str
    "Its media type, such as image/png"


class Attachment(_Attachment, total=False):
    "A file for the agent: by its path on the daemon's machine, or with its content"
    path: str
    "A file on the daemon's machine"
    data: str
    "The content itself, base64"
    filename: str
    "Its name, for the agent"


class _SendMessage(TypedDict):
    message: str
    "What the agent is told"


class SendMessage(_SendMessage, total=False):
    "A message to the agent"
    attachments: List[Attachment]
    "A file: {\"path\":\"/on/the/daemon.png\",\"mime\":\"image/png\"}, or its content: {\"data\":\"<base64>\",\"mime\":…}"
    messageId: str
    "Makes a retry harmless: the same message with the same id is given once"
    delivery: Delivery
    "queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open"


class SentMessage(TypedDict):
    "A message that is safe on the daemon's disk"
    messageId: str
    "The message's id: your own, or one the daemon made"
    sequence: int
    "The number of the event that says it was accepted: read on from here"


class _ConversationMessage(TypedDict):
    role: Role
    "Who speaks"
    messageId: str
    "The message's id"
    createdAt: str
    "When it was written, in UTC"
    status: Literal["queued", "in_progress", "completed", "failed", "cancelled"]
    "How far it is"
    parts: List[Part]
    "What it says, piece by piece"


class ConversationMessage(_ConversationMessage, total=False):
    "What a person, a model or a tool said"
    turnId: str
    "The turn it belongs to"
    rewound: bool
    "true: the session was rewound to before it; the agent does not know of it"


class _UnparsedMessage(TypedDict):
    role: Literal["unparsed"]
    "Something of the agent that this daemon cannot read"
    messageId: str
    "The message's id"
    createdAt: str
    "When it was written, in UTC"
    raw: Any
    "It as the agent wrote it"
    error: str
    "Why it could not be read"


class UnparsedMessage(_UnparsedMessage, total=False):
    "Something the agent said that this daemon cannot read"
    turnId: str
    "The turn it belongs to"
    rewound: bool
    "true: the session was rewound to before it; the agent does not know of it"


UniversalMessage = Union[ConversationMessage, UnparsedMessage]


class PendingRequests(TypedDict):
    "Questions and permissions that wait for a person"
    questions: List[QuestionRequested]
    "Questions and plans that wait"
    permissions: List[PermissionRequested]
    "Permissions that wait"


class _ReplyQuestion(TypedDict):
    answers: List[List[str]]
    "One array per question: option labels or ids, or own text where the question allows it; empty is no answer"


class ReplyQuestion(_ReplyQuestion, total=False):
    "The answer to a question or plan"
    editedText: str
    "The plan as edited by the person, for a plan approval"


class RejectQuestion(TypedDict, total=False):
    "How a question is declined"
    message: str
    "Told to the agent"


class _ReplyPermission(TypedDict):
    reply: Literal["once", "always", "reject"]
    "always: for the rest of the session, what alwaysScope says"


class ReplyPermission(_ReplyPermission, total=False):
    "The answer to a permission"
    message: str
    "Told to the agent with a rejection"
    automatic: bool
    "true tells that no person decided: the log says by client, not by user"


class Capabilities(TypedDict):
    "What an agent can do through this API; what it cannot do is refused with unsupported_option"
    questions: bool
    "It asks a person and hears the answer"
    permissions: bool
    "It asks before it acts"
    planApproval: bool
    "It proposes a plan and waits for its approval"
    interrupt: bool
    "A turn can be stopped"
    steer: bool
    "A message can be sent into the open turn"
    resume: bool
    "A new process goes on with the conversation"
    models: bool
    "The model can be chosen"
    modes: bool
    "It has agent modes to choose from"
    variants: bool
    "The effort of the model can be chosen"
    reasoning: bool
    "What the model thinks is told"
    deltas: bool
    "Texts are told piece by piece"
    toolInputDeltas: bool
    "The input of a call is told while it is written"
    toolOutputDeltas: bool
    "The output of a tool is told while it runs"
    diffs: bool
    "Edits come with their difference"
    todos: bool
    "Its todo list is told"
    subagents: bool
    "What its sub-agents do is told under their call"
    usage: bool
    "Tokens are counted"
    cost: bool
    "Costs are told"
    gateway: bool
    "Its model requests pass the daemon's gateway: keys are hidden, costs are counted"
    images: bool
    "Pictures in a message are seen by the model"
    attachments: bool
    "Files can be attached to a message"
    mcp: bool
    "MCP servers can be added"
    systemPrompt: bool
    "Instructions can be appended to its own"
    structuredOutput: bool
    "A turn can answer in the form of a JSON schema (agentOptions)"
    sharedServer: bool
    "One process serves many sessions"
    live: List[LiveSetting]
    "Settings a running agent takes over; the others start another process"
    permissionModes: List[PermissionMode]
    "The permission modes it has"


class ServerStatus(TypedDict):
    "The shared processes of an agent"
    processes: int
    "How many processes of it run"
    sessions: int
    "How many sessions they serve"


class _AgentInfo(TypedDict):
    id: str
    "The name a session is created with"
    name: str
    "Its name for people"
    installed: bool
    "Whether its program is there"
    credentialsAvailable: bool
    "Whether a key or login for it was found on the daemon's machine"


class AgentInfo(_AgentInfo, total=False):
    "An agent that the daemon can drive"
    version: str
    "The installed version"
    path: str
    "Where its program lies"
    source: str
    "Where its program came from"
    supported: bool
    "Whether the version that is installed is one the daemon drives"
    capabilities: Capabilities
    "Absent while the agent can be installed but not driven"
    serverStatus: ServerStatus
    "Of an agent whose process serves many sessions"


class _Model(TypedDict):
    id: str
    "What to give as model"


class Model(_Model, total=False):
    "A model that an agent offers"
    name: str
    "Its name for people"
    provider: str
    "Who serves it"
    default: bool
    "true: taken when no model is named"
    resolvesTo: str
    "The model that this id stands for, as a session that runs names it"
    variants: List[str]
    "What to give as variant: how hard it can think"
    contextWindow: int
    "How many tokens its context holds"


class _Mode(TypedDict):
    id: str
    "What to give as agentMode"


class Mode(_Mode, total=False):
    "A mode that an agent offers"
    name: str
    "Its name for people"
    description: str
    "What the agent does in it"
    default: bool
    "true: taken when no mode is named"


class InstallAgent(TypedDict, total=False):
    "Which version is installed"
    version: str
    "This version, or latest; default: the one that is there, or the newest"
    reinstall: bool
    "Downloads it again, also when it is there"


class _InstalledAgent(TypedDict):
    version: str
    "The version that is there now"
    path: str
    "Where its program lies"
    source: str
    "Where it came from"
    verifiedBy: str
    "How it was made sure that the download is the right one"
    alreadyInstalled: bool
    "Whether nothing had to be done"


class InstalledAgent(_InstalledAgent, total=False):
    "An agent that is installed and verified"
    tested: bool
    "It is the version this daemon was tested with"


class UninstalledAgent(TypedDict):
    "What was removed of an agent"
    removed: List[str]
    "The versions that were removed"


class _CredentialInfo(TypedDict):
    agent: str
    "The agent it is for"
    provider: str
    "Whose models it opens"
    found: bool
    "Whether it is there"


class CredentialInfo(_CredentialInfo, total=False):
    "That a credential exists and where, never the credential"
    source: str
    "Where it was found: a variable or a file"
    kind: Literal["api_key", "oauth"]
    "A key, or a login"
    note: str
    "What else there is to know, such as that it has expired"


class _AccessToken(TypedDict):
    tokenId: str
    "The token's id, by which it is revoked"
    scope: Literal["read", "answer", "work", "admin"]
    "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all"
    createdAt: str
    "When it was made, in UTC"


class AccessToken(_AccessToken, total=False):
    "An access token as it is listed: never the token itself"
    sessions: List[str]
    "Only these sessions; every one by default"
    agents: List[str]
    "Only sessions of these agents"
    expiresAt: str
    "When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default"
    name: str
    "What it is for, in lists"
    lastUsedAt: str
    "To the minute; missing where it never was"


class _CreateToken(TypedDict):
    scope: Literal["read", "answer", "work", "admin"]
    "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all"


class CreateToken(_CreateToken, total=False):
    "What a new access token lets its holder do"
    sessions: List[str]
    "Only these sessions; every one by default"
    agents: List[str]
    "Only sessions of these agents"
    expiresAt: str
    "When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default"
    name: str
    "What it is for, in lists"


class _CreatedToken(TypedDict):
    tokenId: str
    "The token's id, by which it is revoked"
    scope: Literal["read", "answer", "work", "admin"]
    "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all"
    createdAt: str
    "When it was made, in UTC"
    token: str
    "The token itself, told this once: only its hash is kept"


class CreatedToken(_CreatedToken, total=False):
    "An access token that was just made, with the token itself"
    sessions: List[str]
    "Only these sessions; every one by default"
    agents: List[str]
    "Only sessions of these agents"
    expiresAt: str
    "When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default"
    name: str
    "What it is for, in lists"
    lastUsedAt: str
    "To the minute; missing where it never was"


class _SendUi(TypedDict):
    id: str
    "The chat is the session with this id"
    messages: List[Any]
    "Only the last is read: {\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"Say hello\"}]}"


class SendUi(_SendUi, total=False):
    "What useChat of the AI SDK posts"
    trigger: str
    "submit-message; regenerate-message is refused: a log is never rewritten"
    messageId: str
    "The message useChat changes; not needed here"
    reply: Literal["once", "always"]
    "What an approval grants: once by default"


class UiPart(TypedDict):
    "One part of a message of the AI SDK; its further fields are the AI SDK's"
    type: str
    "What kind of part it is, in the AI SDK's words"


class _UiMessage(TypedDict):
    role: Literal["user", "assistant", "system"]
    "Who speaks"
    parts: List[UiPart]
    "What it says, part by part"


class UiMessage(_UiMessage, total=False):
    "A message of the AI SDK, as far as it is read"
    id: str
    "The message's id"


class UiChunk(TypedDict):
    "One chunk of the AI SDK's UI message stream; its further fields are the AI SDK's"
    type: str
    "What kind of chunk it is, in the AI SDK's words"


class ChatMessage(TypedDict):
    "A message of the AI SDK; its parts are what the chunks of the stream would have made"
    id: str
    "The message's id"
    role: Literal["user", "assistant", "system"]
    "Who speaks"
    parts: List[UiPart]
    "What it says, part by part"


class UiHistory(TypedDict):
    "A session's past as the AI SDK's chat takes it"
    messages: List[ChatMessage]
    "The conversation for `useChat({ messages })`, oldest first"


class TerminalSize(TypedDict):
    "The size of a terminal"
    columns: int
    "Characters in a row"
    rows: int
    "Rows on the screen"


class ProcessLimits(TypedDict, total=False):
    "What a process may use; behind a limit it is ended, with all it has started"
    timeoutMs: int
    "It is ended after so many milliseconds; by default a process may run for ever, and a run one minute"
    outputBytes: int
    "It is ended when it has written so much; 1 GiB by default"
    memoryBytes: int
    "What it and all it starts may use together; refused where the kernel lets us make no group of processes"


class _StartProcess(TypedDict):
    command: str
    "The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c"


class StartProcess(_StartProcess, total=False):
    "A process to start"
    args: List[str]
    "Its arguments"
    directory: str
    "Where it runs; the directory of its session, or the daemon's"
    env: Dict[str, str]
    "Added to the variables that agents get too; they are kept nowhere"
    owner: str
    "The session it belongs to: it ends with that; without one it is the daemon's"
    pty: TerminalSize
    "It gets a terminal of this size in place of pipes"
    limits: ProcessLimits
    "What a process may use; behind a limit it is ended, with all it has started"


class _RunProcess(TypedDict):
    command: str
    "The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c"


class RunProcess(_RunProcess, total=False):
    "A process to run to its end"
    args: List[str]
    "Its arguments"
    directory: str
    "Where it runs; the directory of its session, or the daemon's"
    env: Dict[str, str]
    "Added to the variables that agents get too; they are kept nowhere"
    owner: str
    "The session it belongs to: it ends with that; without one it is the daemon's"
    input: str
    "Written to it, followed by the end of input"
    maxOutput: int
    "How many bytes of each output are in the answer; 1 MiB by default, the rest is in its log"
    limits: ProcessLimits
    "What a process may use; behind a limit it is ended, with all it has started"


class ProcessEnd(TypedDict):
    "How a process ended"
    reason: Literal["exited", "time_limit", "output_limit", "ended", "lost"]
    "exited by itself or by a signal; ended by the daemon, for a limit or because somebody asked; lost: the machine or what held it went away, and it with it"
    exitCode: Union[int, None]
    "null when a signal ended it, or nobody knows"
    signal: Any
    "The signal that ended it"
    outputBytes: int
    "How much it has written in all"
    endedAt: str
    "When its end was seen"


class _Process(TypedDict):
    processId: str
    "Its id"
    command: str
    "The program"
    args: List[str]
    "Its arguments"
    directory: str
    "Where it runs"
    limits: ProcessLimits
    "What a process may use; behind a limit it is ended, with all it has started"
    state: Literal["running", "ended"]
    "ended: it and all it started are gone"
    createdAt: str
    "When it was started"
    outputBytes: int
    "How much it has written so far"
    adopted: int
    "How often a daemon that started anew has taken it over"


class Process(_Process, total=False):
    "A process that the daemon runs"
    owner: str
    "The session it belongs to; none: the daemon's own"
    pty: TerminalSize
    "It has a terminal of this size"
    pid: int
    "Its number in the system"
    end: ProcessEnd
    "How a process ended"


class _OutputChunk(TypedDict):
    sequence: int
    "Its number in the log"
    time: str
    "When the daemon had it"
    type: Literal["output"]
    "It wrote something"
    offset: int
    "How many bytes of output were before it"
    end: int
    "The offset behind it: where to go on"
    stream: Literal["stdout", "stderr", "pty"]
    "Where it was written"


class OutputChunk(_OutputChunk, total=False):
    "What a process wrote"
    data: str
    "The bytes in base64"
    text: str
    "In place of data, with text, where the bytes are whole characters"


class ResizedChunk(TypedDict):
    "Its terminal got another size"
    sequence: int
    "Its number in the log"
    time: str
    "When the daemon had it"
    type: Literal["resized"]
    "Its terminal got another size"
    offset: int
    "How many bytes of output were before it"
    columns: int
    "Characters in a row from here on"
    rows: int
    "Rows from here on"


class AdoptedChunk(TypedDict):
    "A daemon that started anew took it over; of its output nothing is missing"
    sequence: int
    "Its number in the log"
    time: str
    "When the daemon had it"
    type: Literal["adopted"]
    "Another daemon took it over"
    offset: int
    "How many bytes of output were before it"


class EndedChunk(TypedDict):
    "It has ended; nothing follows"
    sequence: int
    "Its number in the log"
    time: str
    "When the daemon had it"
    type: Literal["ended"]
    "It has ended"
    offset: int
    "How many bytes of output were before it"
    reason: Literal["exited", "time_limit", "output_limit", "ended", "lost"]
    "exited by itself or by a signal; ended by the daemon, for a limit or because somebody asked; lost: the machine or what held it went away, and it with it"
    exitCode: Union[int, None]
    "null when a signal ended it, or nobody knows"
    signal: Any
    "The signal that ended it"
    outputBytes: int
    "How much it has written in all"
    endedAt: str
    "When its end was seen"


DamagedChunk = TypedDict("DamagedChunk", {
    "sequence": int,
    "time": str,
    "type": Literal["damaged"],
    "from": int,
    "bytes": int,
})


ProcessChunk = Union[OutputChunk, ResizedChunk, AdoptedChunk, EndedChunk, DamagedChunk]


class ProcessPort(TypedDict):
    "A port on which a process or one it started listens"
    port: int
    "Its number"
    address: str
    "The address it listens on"
    pid: int
    "Which of the processes listens"


class _ScreenRun(TypedDict):
    text: str
    "Characters of one style"


class ScreenRun(_ScreenRun, total=False):
    "Characters of one style"
    style: str
    "Their style as parameters of an SGR sequence, such as 1;38;5;2; none: plain"


class TerminalScreenCursor(TypedDict):
    "Where the cursor is"
    row: int
    "From 0"
    column: int
    "From 0; the number of columns when the next character wraps"
    visible: bool
    "Whether the program shows it"


class TerminalScreenLines(TypedDict):
    text: str
    "Without blanks at its end"
    runs: List[ScreenRun]
    "By style"


class TerminalScreen(TypedDict):
    "What is on a terminal"
    offset: int
    "All output up to here is on the screen"
    columns: int
    "Characters in a row"
    rows: int
    "Rows"
    cursor: TerminalScreenCursor
    "Where the cursor is"
    alternate: bool
    "Whether a program has the whole screen"
    title: str
    "The title the program gave its window"
    lines: List[TerminalScreenLines]
    "Top to bottom"


class _FileEntry(TypedDict):
    path: str
    "Relative to directory in a list, else absolute; bytes that are no UTF-8 stand as U+FFFD in it"
    type: Literal["file", "directory", "link", "other"]
    "other: a pipe, a socket or a device, which is named and never opened"
    size: int
    "In bytes"
    mode: str
    "The permissions in octal, such as 644"
    modifiedAt: str
    "When its content was changed last, in UTC"


class FileEntry(_FileEntry, total=False):
    "A file, a directory or a link"
    pathBytes: str
    "The path in base64, where it is no UTF-8"
    target: str
    "Where a link points"
    etag: str
    "Of a file: another one whenever its content is another"


class WrittenFile(TypedDict):
    "A file that was written"
    path: str
    "Absolute, with links resolved"
    created: bool
    "There was none before"
    size: int
    "In bytes, now"
    etag: str
    "Of the content as it is now"


class FileMatch(TypedDict):
    "A line in which it was found"
    path: str
    "Relative to directory"
    line: int
    "Counted from 1"
    column: int
    "In bytes, counted from 1"
    text: str
    "The line, cut after 500 characters"


class UploadedTree(TypedDict):
    "A tree that was unpacked"
    path: str
    "Absolute: where the tree lies"
    files: int
    "How many files came"
    directories: int
    "How many directories came"
    links: int
    "How many links came"
    bytes: int
    "How much the files hold together"


class _FileChange(TypedDict):
    number: int
    "Counts from 1 in a stream, and goes on where a stream is taken up again"
    type: Literal["watching", "created", "changed", "removed", "overflow"]
    "watching: from here on nothing is missed; overflow: something was, so look again at all of it"


class FileChange(_FileChange, total=False):
    "A change below a watched directory"
    path: str
    "Relative to the watched directory; nothing for the directory as a whole"
    pathBytes: str
    "The path in base64, where it is no UTF-8"
    kind: Literal["file", "directory", "link", "other"]
    "What it is now"


class HealthAnswer(TypedDict):
    "Tells that the daemon answers"
    status: Literal["ok"]
    "It answers, so it is well"


class InfoAnswer(TypedDict):
    "Name, version and what the daemon serves"
    name: str
    "sandbox-daemon"
    version: str
    "The daemon's version"
    agents: List[str]
    "The ids of the agents it can drive"
    durability: Literal["batch", "sync", "none"]
    "When an event is safe: written and synced in groups, one by one, or when the system likes"
    startedAt: str
    "When it was started, in UTC"
    gateway: bool
    "Agents reach their models through the daemon, which keeps the keys and counts"


class OpenapiAnswer(TypedDict):
    "This API as OpenAPI 3.1"
    openapi: str
    "The version of OpenAPI it is written in"


class AgentsListAnswer(TypedDict):
    "Every agent the daemon can drive"
    agents: List[AgentInfo]
    "All of them, installed or not"


class AgentsListModelsAnswer(TypedDict):
    "The models an agent offers"
    models: List[Model]
    "What can be given as model"


class AgentsListModesAnswer(TypedDict):
    "The modes an agent offers"
    modes: List[Mode]
    "What can be given as agentMode"


class SessionsListAnswer(TypedDict):
    "Sessions in the order they were created, or the last used first, or first those that wait for a person"
    sessions: List[Session]
    "One page of them"
    hasMore: bool
    "Whether another page follows"


class SessionsGetMessagesAnswer(TypedDict):
    "The conversation, folded from the log"
    messages: List[UniversalMessage]
    "All of them, oldest first"


class SessionsGetAttachmentAnswer(TypedDict):
    "The content of a file that came with a message"
    size: int
    "In bytes"
    data: str
    "The content in base64"


class _SessionsGetEventsAnswer(TypedDict):
    events: List[UniversalEvent]
    "With `as`, lines of that agent's protocol"
    hasMore: bool
    "Whether another page follows"


class SessionsGetEventsAnswer(_SessionsGetEventsAnswer, total=False):
    "A page of events"
    last: int
    "With `as`: the offset of the next page"
    leftOut: Dict[str, int]
    "With `as`: what that agent has no words for, and how often it was left out"


class _RewindSession(TypedDict):
    to: int
    "The turn after which the session goes on; turns count from 1, 0 is the beginning"


class RewindSession(_RewindSession, total=False):
    "To where a session is rewound, and what of it"
    files: bool
    "Rewinds the files; both, when neither files nor chat is named"
    chat: bool
    "Rewinds the conversation; both, when neither files nor chat is named"
    preview: bool
    "Tells what would change, and changes nothing"
    interrupt: bool
    "Ends the open turn, its requests and the queue first"
    force: List[str]
    "Files that are rewound although somebody else changed them"


class _SessionsRewindAnswerChangesBy(TypedDict):
    how: Literal["edit", "command", "hook", "rewind", "person"]
    "By an edit tool, a command, a hook, a rewind, or by a person"


class SessionsRewindAnswerChangesBy(_SessionsRewindAnswerChangesBy, total=False):
    "Who changed a file, and how"
    session: str
    "The session that made it; absent for a person"
    turn: int
    "In which of its turns"
    call: str
    "By which call of a tool, where that is known"


class SessionsRewindAnswerChanges(TypedDict):
    "What a rewind does to one file"
    path: str
    "The file, from the session's directory"
    change: Literal["restored", "removed", "added"]
    "restored: as it was; removed: it was not there then; added: it was there and is gone now"
    by: List[SessionsRewindAnswerChangesBy]
    "Whose changes go with it"


class _SessionsRewindAnswerConflictsBy(TypedDict):
    how: Literal["edit", "command", "hook", "rewind", "person"]
    "By an edit tool, a command, a hook, a rewind, or by a person"


class SessionsRewindAnswerConflictsBy(_SessionsRewindAnswerConflictsBy, total=False):
    "Who changed a file, and how"
    session: str
    "The session that made it; absent for a person"
    turn: int
    "In which of its turns"
    call: str
    "By which call of a tool, where that is known"


class SessionsRewindAnswerConflicts(TypedDict):
    "A file that is left alone because somebody else changed it"
    path: str
    "The file, from the session's directory"
    by: List[SessionsRewindAnswerConflictsBy]
    "Who else changed it"
    reason: Literal["changed_since", "in_the_way", "unknown"]
    "changed_since: somebody else changed it; in_the_way: something else lies there; unknown: nobody knows"


class _SessionsRewindAnswer(TypedDict):
    changes: List[SessionsRewindAnswerChanges]
    "What was done, or with preview would be done, to each file"
    conflicts: List[SessionsRewindAnswerConflicts]
    "Files that keep a rewind from being done; force names them"
    turns: List[str]
    "The turns that the conversation goes without from now on"


class SessionsRewindAnswer(_SessionsRewindAnswer, total=False):
    "What a rewind has done"
    undo: str
    "With which the rewind is taken back; absent when nothing was done"
    filesSkipped: str
    "Why the files were left as they are, where they were"


class UndoRewind(TypedDict, total=False):
    "Which rewind is taken back"
    undo: str
    "Which rewind; by default the last one"
    force: List[str]
    "Files that are brought back although somebody else changed them"


class _SessionsUndoRewindAnswerChangesBy(TypedDict):
    how: Literal["edit", "command", "hook", "rewind", "person"]
    "By an edit tool, a command, a hook, a rewind, or by a person"


class SessionsUndoRewindAnswerChangesBy(_SessionsUndoRewindAnswerChangesBy, total=False):
    "Who changed a file, and how"
    session: str
    "The session that made it; absent for a person"
    turn: int
    "In which of its turns"
    call: str
    "By which call of a tool, where that is known"


class SessionsUndoRewindAnswerChanges(TypedDict):
    "What a rewind does to one file"
    path: str
    "The file, from the session's directory"
    change: Literal["restored", "removed", "added"]
    "restored: as it was; removed: it was not there then; added: it was there and is gone now"
    by: List[SessionsUndoRewindAnswerChangesBy]
    "Whose changes go with it"


class _SessionsUndoRewindAnswerConflictsBy(TypedDict):
    how: Literal["edit", "command", "hook", "rewind", "person"]
    "By an edit tool, a command, a hook, a rewind, or by a person"


class SessionsUndoRewindAnswerConflictsBy(_SessionsUndoRewindAnswerConflictsBy, total=False):
    "Who changed a file, and how"
    session: str
    "The session that made it; absent for a person"
    turn: int
    "In which of its turns"
    call: str
    "By which call of a tool, where that is known"


class SessionsUndoRewindAnswerConflicts(TypedDict):
    "A file that is left alone because somebody else changed it"
    path: str
    "The file, from the session's directory"
    by: List[SessionsUndoRewindAnswerConflictsBy]
    "Who else changed it"
    reason: Literal["changed_since", "in_the_way", "unknown"]
    "changed_since: somebody else changed it; in_the_way: something else lies there; unknown: nobody knows"


class _SessionsUndoRewindAnswer(TypedDict):
    changes: List[SessionsUndoRewindAnswerChanges]
    "What was done, or with preview would be done, to each file"
    conflicts: List[SessionsUndoRewindAnswerConflicts]
    "Files that keep a rewind from being done; force names them"
    turns: List[str]
    "The turns that the conversation goes without from now on"


class SessionsUndoRewindAnswer(_SessionsUndoRewindAnswer, total=False):
    "What a rewind has done"
    undo: str
    "With which the rewind is taken back; absent when nothing was done"
    filesSkipped: str
    "Why the files were left as they are, where they were"


class ForkSession(TypedDict, total=False):
    "Where a session is forked, and how often"
    at: int
    "After which turn it begins; by default the last one that is over"
    sessionId: str
    "Its id; with times the further ones are numbered: -2, -3 …"
    directory: str
    "Where it works: a directory that does not exist yet, made as the session's was; by default the same one"
    worktree: bool
    "Makes the directory as a git worktree instead of a copy"
    times: int
    "How many of them; with directory those are numbered: -2, -3 …"


class SessionsForkAnswer(TypedDict):
    "Sessions that go on from a turn of another one"
    sessions: List[CreatedSession]
    "The new sessions"


class _HandOver(TypedDict):
    agent: AgentName
    "Who goes on"


class HandOver(_HandOver, total=False):
    "To whom a session is handed over"
    model: str
    "With which model; by default the agent's own"
    foreignCalls: Literal["calls", "text"]
    "How the other agent's tool calls are told: as calls (default), or as text"
    token: str
    "The new agent's API key for this session; kept in memory only"
    baseUrl: str
    "The new agent's model endpoint; by default the one it has without a session"


class SessionsHandOverAnswer(TypedDict):
    "How a session went over to another agent"
    how: Literal["imported", "digest"]
    "imported: its conversation has the earlier turns as its own; digest: it is told of them with the next message"
    notCarried: List[str]
    "What the new agent does not know of"


class _SessionsChangesAnswerFilesBy(TypedDict):
    how: Literal["edit", "command", "hook", "rewind", "person"]
    "By an edit tool, a command, a hook, a rewind, or by a person"


class SessionsChangesAnswerFilesBy(_SessionsChangesAnswerFilesBy, total=False):
    "Who changed a file, and how"
    session: str
    "The session that made it; absent for a person"
    turn: int
    "In which of its turns"
    call: str
    "By which call of a tool, where that is known"


class SessionsChangesAnswerFiles(TypedDict):
    "How one file differs between two turns"
    path: str
    "The file, from the session's directory"
    change: Literal["added", "changed", "deleted"]
    "What became of it"
    diff: str
    "The difference as a unified diff; empty for what is no text"
    by: List[SessionsChangesAnswerFilesBy]
    "Who changed it"


class _SessionsChangesAnswer(TypedDict):
    files: List[SessionsChangesAnswerFiles]
    "The files that differ"


class SessionsChangesAnswer(_SessionsChangesAnswer, total=False):
    "How a session's directory differs between the ends of two turns"
    truncated: bool
    "true: there are more than are told"
    skipped: str
    "Why nothing is known of the files"


class CredentialsListAnswer(TypedDict):
    "Which credentials were found and where; never the secrets"
    credentials: List[CredentialInfo]
    "One for each agent and provider"


class CreateTicket(TypedDict, total=False):
    "A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect"
    use: Literal["request", "page"]
    "request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes"


class TicketsCreateAnswer(TypedDict):
    "A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect"
    ticket: str
    "To be sent as ?ticket=, or behind /inspect#ticket="
    expiresAt: str
    "Until when it is good, in UTC"


class RedeemTicket(TypedDict):
    "Takes the ticket of a page and gives it a key to send as its bearer token"
    ticket: str
    "Made with use: page; good for one time"


class TicketsRedeemAnswer(TypedDict):
    "Takes the ticket of a page and gives it a key to send as its bearer token"
    key: str
    "To be sent as bearer token"
    expiresAt: str
    "Until when it is good, in UTC"


class TokensListAnswer(TypedDict):
    "The access tokens that let in, without the tokens themselves"
    tokens: List[AccessToken]
    "All that let in"


class ProcessesRunAnswer(TypedDict):
    "Runs a program to its end and answers with its exit code and its outputs"
    processId: str
    "Under which its log is kept"
    end: ProcessEnd
    "How a process ended"
    stdout: str
    "Its output as text; what is no text is shown as replacement characters"
    stderr: str
    "The same of its errors"
    truncated: bool
    "There is more in the log than here"
    durationMs: int
    "From its start to its end"


class ProcessesListAnswer(TypedDict):
    "Processes in the order they were started"
    processes: List[Process]
    "Oldest first"


class ProcessesGetLogsAnswer(TypedDict):
    "A page of what a process has written, from any byte on"
    chunks: List[ProcessChunk]
    "Oldest first"
    next: int
    "The offset of the next page"
    hasMore: bool
    "Whether there is more now"


class InputProcesse(TypedDict, total=False):
    "Writes to the input of a process, or to its terminal"
    text: str
    "What to write"
    data: str
    "The same as bytes in base64"
    end: bool
    "Ends its input afterwards; in a terminal this presses Ctrl-D"


class SignalProcesse(TypedDict, total=False):
    "Sends a signal to a process and its group"
    signal: Literal["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT", "SIGWINCH"]
    "SIGTERM by default"


class ResizeProcesse(TypedDict):
    "Gives the terminal of a process another size"
    columns: int
    "Characters in a row"
    rows: int
    "Rows on the screen"


class EndProcesse(TypedDict, total=False):
    "Ends a process and all it has started; its log stays"
    graceMs: int
    "How long it may take to end by itself; 2,000 by default"


class ProcessesPortsAnswer(TypedDict):
    "The ports a process and all it has started listen on"
    ports: List[ProcessPort]
    "By their numbers; none where there is no /proc"


class FilesListAnswer(TypedDict):
    "What a directory holds"
    directory: str
    "Absolute, with links resolved"
    entries: List[FileEntry]
    "One page of them"
    hasMore: bool
    "Whether another page follows"


class _MakeDirectory(TypedDict):
    path: str
    "Absolute, or relative to the session's directory"


class MakeDirectory(_MakeDirectory, total=False):
    "Makes a directory"
    session: str
    "Paths are relative to the directory of this session, and nothing else is reached"
    parents: bool
    "Makes those above it that are missing"


_MoveFile = TypedDict("_MoveFile", {
    "from": str,
    "to": str,
})


class MoveFile(_MoveFile, total=False):
    "Copies a file or directory"
    session: str
    "Paths are relative to the directory of this session, and nothing else is reached"
    overwrite: bool
    "Whether a file that is there may be replaced; false by default"


_CopyFile = TypedDict("_CopyFile", {
    "from": str,
    "to": str,
})


class CopyFile(_CopyFile, total=False):
    "Copies a file or directory"
    session: str
    "Paths are relative to the directory of this session, and nothing else is reached"
    overwrite: bool
    "Whether a file that is there may be replaced; false by default"


class FilesSearchAnswer(TypedDict):
    "The lines of files that hold a text"
    directory: str
    "Absolute, with links resolved"
    matches: List[FileMatch]
    "In the order of the paths"
    hasMore: bool
    "Whether there are more than were wanted"


class SessionOptions(TypedDict, total=False):
    agent: AgentName
    "Who works: claude, codex, opencode, amp, codebuff, mock"
    model: str
    "Which model; `agents list-models` names them"
    agent_mode: str
    "What the agent does: build, plan …; `agents list-modes` names them"
    variant: str
    "How hard the model thinks: low, medium, high, xhigh"
    permission_mode: PermissionMode
    "default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing"
    title: str
    "A name for people"
    limits: Limits
    "Times in milliseconds and a budget: {\"turnMs\":600000,\"turnIdleMs\":300000,\"toolIdleMs\":3600000,\"requestMs\":60000,\"agentIdleMs\":600000,\"budgetUsd\":5,\"budgetTokens\":2000000,\"requestsPerMinute\":60}"
    token: str
    "The agent's API key for this session; kept in memory only"
    env: Dict[str, EnvironmentValue]
    "Further variables of the agent's environment"
    mcp: Dict[str, McpServer]
    "MCP servers by name: {\"files\":{\"command\":\"mcp-files\",\"args\":[\".\"],\"env\":{}},\"web\":{\"url\":\"https://…\",\"headers\":{}}}"
    dangerously_skip_permissions: bool
    "true asks nothing, whatever permissionMode says"
    base_url: str
    "The model endpoint, without a version path such as /v1"
    validate_token: bool
    "Asks the provider whether it takes the token"
    agent_version: str
    "This version of the agent, installed if it is not there"
    directory: str
    "Where the agent works; must exist; default: the daemon's"
    system_prompt: str
    "Appended to the agent's own"
    agent_options: Dict[str, Any]
    "The agent's own settings"
    budget_group: str
    "Sessions of one group share their budget: limits hold for what all of them spend"
    route: str
    "The route of routes.yaml that its model requests take"
