# made by npm run generate
"""The shapes of the API. Every value is a plain dict: a newer daemon may send types and fields not listed here."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

class TextPart(TypedDict):
    type: Literal["text"]
    text: str


class ReasoningPart(TypedDict):
    type: Literal["reasoning"]
    text: str
    visibility: Literal["public", "private"]


ToolKind = Literal["read", "edit", "execute", "search", "fetch", "think", "agent", "other"]


class _ToolCallPart(TypedDict):
    type: Literal["tool_call"]
    callId: str
    name: str
    toolKind: ToolKind
    input: Any


class ToolCallPart(_ToolCallPart, total=False):
    title: str


class _ToolResultPart(TypedDict):
    type: Literal["tool_result"]
    callId: str
    output: str
    isError: bool


class ToolResultPart(_ToolResultPart, total=False):
    exitCode: int
    json: Any


class _FilePart(TypedDict):
    type: Literal["file"]
    path: str
    action: Literal["read", "write", "patch", "delete"]


class FilePart(_FilePart, total=False):
    diff: str


class _ImagePart(TypedDict):
    type: Literal["image"]
    mime: str


class ImagePart(_ImagePart, total=False):
    data: str
    path: str


class PlanPart(TypedDict):
    type: Literal["plan"]
    text: str


class _StatusPart(TypedDict):
    type: Literal["status"]
    label: str


class StatusPart(_StatusPart, total=False):
    detail: str


class JsonPart(TypedDict):
    type: Literal["json"]
    json: Any


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


ItemKind = Literal["message", "reasoning", "tool_call", "tool_result", "plan", "status"]


Role = Literal["user", "assistant", "system", "tool"]


ItemStatus = Literal["in_progress", "completed", "failed", "cancelled"]


class _Item(TypedDict):
    itemId: str
    kind: ItemKind
    status: ItemStatus
    content: List[Part]


class Item(_Item, total=False):
    nativeItemId: str
    parentId: str
    role: Role
    phase: Literal["commentary", "final"]
    background: bool
    supersededBy: str


PermissionMode = Literal["default", "acceptEdits", "plan", "bypass"]


class _SessionStarted(TypedDict):
    agent: str
    permissionMode: PermissionMode
    directory: str
    resumed: bool


class SessionStarted(_SessionStarted, total=False):
    agentVersion: str
    nativeSessionId: str
    model: str
    agentMode: str
    variant: str
    contextLost: bool
    metadata: Dict[str, Any]


EventSource = Literal["agent", "daemon"]


class Truncated(TypedDict):
    field: str
    bytes: int


class _SessionStartedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["session.started"]
    data: SessionStarted


class SessionStartedEvent(_SessionStartedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _AgentCommand(TypedDict):
    name: str


class AgentCommand(_AgentCommand, total=False):
    description: str


AgentState = Literal["starting", "ready", "asleep"]


class SessionUpdated(TypedDict, total=False):
    model: str
    agentMode: str
    variant: str
    permissionMode: PermissionMode
    title: str
    nativeSessionId: str
    agentVersion: str
    commands: List[AgentCommand]
    agentState: AgentState
    contextLost: bool


class _SessionUpdatedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["session.updated"]
    data: SessionUpdated


class SessionUpdatedEvent(_SessionUpdatedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class StderrExcerpt(TypedDict):
    head: str
    tail: str
    truncated: bool
    totalLines: int


class _SessionEnded(TypedDict):
    reason: Literal["completed", "error", "terminated"]
    terminatedBy: Literal["agent", "daemon", "client"]


class SessionEnded(_SessionEnded, total=False):
    message: str
    exitCode: int
    signal: str
    stderr: StderrExcerpt
    metadata: Dict[str, Any]


class _SessionEndedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["session.ended"]
    data: SessionEnded


class SessionEndedEvent(_SessionEndedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


MessageStatus = Literal["queued", "given", "joined", "cancelled", "failed"]


class _AttachmentInfo(TypedDict):
    path: str
    mime: str


class AttachmentInfo(_AttachmentInfo, total=False):
    filename: str


class _MessageUpdated(TypedDict):
    messageId: str
    status: MessageStatus


class MessageUpdated(_MessageUpdated, total=False):
    turnId: str
    message: str
    attachments: List[AttachmentInfo]
    delivery: Literal["queue", "steer"]
    digest: str


class _MessageUpdatedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["message.updated"]
    data: MessageUpdated


class MessageUpdatedEvent(_MessageUpdatedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class TurnStarted(TypedDict):
    turnId: str
    messageIds: List[str]
    origin: Literal["user", "agent"]


class _TurnStartedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["turn.started"]
    data: TurnStarted


class TurnStartedEvent(_TurnStartedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


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


class _Usage(TypedDict):
    inputTokens: int
    outputTokens: int


class Usage(_Usage, total=False):
    cachedInputTokens: int
    reasoningTokens: int
    contextTokens: int
    contextWindow: int


class _TurnEnded(TypedDict):
    turnId: str
    status: TurnStatus
    durationMs: float


class TurnEnded(_TurnEnded, total=False):
    cause: Cause
    message: str
    usage: Usage
    costUsd: float
    output: Any
    workMayHaveContinued: bool


class _TurnEndedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["turn.ended"]
    data: TurnEnded


class TurnEndedEvent(_TurnEndedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class ItemStarted(TypedDict):
    item: Item


class _ItemStartedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["item.started"]
    data: ItemStarted


class ItemStartedEvent(_ItemStartedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class ItemDelta(TypedDict):
    itemId: str
    index: int
    part: Literal["text", "reasoning", "input", "output"]
    delta: str


class _ItemDeltaEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["item.delta"]
    data: ItemDelta


class ItemDeltaEvent(_ItemDeltaEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class ItemCompleted(TypedDict):
    item: Item


class _ItemCompletedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["item.completed"]
    data: ItemCompleted


class ItemCompletedEvent(_ItemCompletedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _QuestionOption(TypedDict):
    id: str
    label: str


class QuestionOption(_QuestionOption, total=False):
    description: str


class _Question(TypedDict):
    id: str
    question: str
    type: Literal["string", "boolean", "number"]
    options: List[QuestionOption]
    multiSelect: bool
    allowCustom: bool


class Question(_Question, total=False):
    header: str
    body: str
    secret: bool


class _AllowedPrompt(TypedDict):
    prompt: str


class AllowedPrompt(_AllowedPrompt, total=False):
    tool: str


class _QuestionRequested(TypedDict):
    questionId: str
    kind: Literal["question", "plan_approval"]
    questions: List[Question]


class QuestionRequested(_QuestionRequested, total=False):
    itemId: str
    expiresAt: str
    allowedPrompts: List[AllowedPrompt]


class _QuestionRequestedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["question.requested"]
    data: QuestionRequested


class QuestionRequestedEvent(_QuestionRequestedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _QuestionResolved(TypedDict):
    questionId: str
    status: Literal["answered", "rejected", "cancelled", "expired"]


class QuestionResolved(_QuestionResolved, total=False):
    answers: List[List[str]]
    message: str


class _QuestionResolvedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["question.resolved"]
    data: QuestionResolved


class QuestionResolvedEvent(_QuestionResolvedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


PermissionAction = Literal["execute", "edit", "read", "fetch", "mcp", "other"]


class PermissionDetail(TypedDict, total=False):
    command: str
    directory: str
    paths: List[str]
    diff: str
    url: str
    tool: str
    input: Any
    reason: str


class PermissionScope(TypedDict):
    action: PermissionAction
    pattern: str


class _PermissionRequested(TypedDict):
    permissionId: str
    action: PermissionAction
    title: str
    alwaysScope: List[PermissionScope]


class PermissionRequested(_PermissionRequested, total=False):
    detail: PermissionDetail
    itemId: str
    expiresAt: str


class _PermissionRequestedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["permission.requested"]
    data: PermissionRequested


class PermissionRequestedEvent(_PermissionRequestedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _PermissionResolved(TypedDict):
    permissionId: str
    decision: Literal["allow", "reject", "cancelled", "expired"]
    by: Literal["user", "rule", "mode", "agent", "daemon"]


class PermissionResolved(_PermissionResolved, total=False):
    scope: Literal["once", "session"]
    message: str


class _PermissionResolvedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["permission.resolved"]
    data: PermissionResolved


class PermissionResolvedEvent(_PermissionResolvedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _PlanEntry(TypedDict):
    content: str
    status: Literal["pending", "in_progress", "completed", "cancelled"]


class PlanEntry(_PlanEntry, total=False):
    priority: Literal["high", "medium", "low"]


class PlanUpdated(TypedDict):
    entries: List[PlanEntry]


class _PlanUpdatedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["plan.updated"]
    data: PlanUpdated


class PlanUpdatedEvent(_PlanUpdatedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _UsageUpdated(TypedDict):
    inputTokens: int
    outputTokens: int


class UsageUpdated(_UsageUpdated, total=False):
    cachedInputTokens: int
    reasoningTokens: int
    contextTokens: int
    contextWindow: int
    costUsd: float


class _UsageUpdatedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["usage.updated"]
    data: UsageUpdated


class UsageUpdatedEvent(_UsageUpdatedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class _Error(TypedDict):
    code: Cause
    message: str
    retryable: bool


class Error(_Error, total=False):
    details: Dict[str, Any]


class _ErrorEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["error"]
    data: Error


class ErrorEvent(_ErrorEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


class AgentUnparsed(TypedDict):
    raw: Any
    error: str
    location: str


class _AgentUnparsedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["agent.unparsed"]
    data: AgentUnparsed


class AgentUnparsedEvent(_AgentUnparsedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


_LogDamaged = TypedDict("_LogDamaged", {
    "from": int,
    "to": int,
    "bytes": int,
})


class LogDamaged(_LogDamaged, total=False):
    keptAs: str


class _LogDamagedEvent(TypedDict):
    sequence: int
    time: str
    sessionId: str
    source: EventSource
    type: Literal["log.damaged"]
    data: LogDamaged


class LogDamagedEvent(_LogDamagedEvent, total=False):
    turnId: str
    truncated: Truncated
    raw: Any


UniversalEvent = Union[
    SessionStartedEvent,
    SessionUpdatedEvent,
    SessionEndedEvent,
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
    ErrorEvent,
    AgentUnparsedEvent,
    LogDamagedEvent,
]


class _AccessToken(TypedDict):
    tokenId: str
    scope: Literal["read", "answer", "work", "admin"]
    "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all"
    createdAt: str


class AccessToken(_AccessToken, total=False):
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


class _CreatedToken(TypedDict):
    tokenId: str
    scope: Literal["read", "answer", "work", "admin"]
    "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all"
    createdAt: str
    token: str
    "The token itself, told this once: only its hash is kept"


class CreatedToken(_CreatedToken, total=False):
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


class Capabilities(TypedDict):
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
    live: List[Literal["model", "agentMode", "variant", "permissionMode"]]
    "Settings a running agent takes over; the others start another process"
    permissionModes: List[PermissionMode]
    "The permission modes it has"


class AgentInfoServerStatus(TypedDict):
    processes: int
    sessions: int


class _AgentInfo(TypedDict):
    id: str
    name: str
    installed: bool
    credentialsAvailable: bool


class AgentInfo(_AgentInfo, total=False):
    version: str
    path: str
    source: str
    capabilities: Capabilities
    "Absent while the agent can be installed but not driven"
    serverStatus: AgentInfoServerStatus


class _AgentError(TypedDict):
    type: Literal["token_error", "install_failed", "spawn_failed", "process_exited", "unsupported", "timeout"]
    message: str


class AgentError(_AgentError, total=False):
    details: Dict[str, Any]


class _CreatedSession(TypedDict):
    healthy: bool
    session: Session


class CreatedSession(_CreatedSession, total=False):
    error: AgentError
    validated: bool
    "Only with validateToken: whether the token could be checked"


class Limits(TypedDict, total=False):
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
    "No further turn once the session has cost this much"


class MarkedSecret(TypedDict):
    secret: Literal[True]
    value: str


EnvironmentValue = Union[str, MarkedSecret]


class _McpCommand(TypedDict):
    command: str


class McpCommand(_McpCommand, total=False):
    args: List[EnvironmentValue]
    env: Dict[str, EnvironmentValue]


class _McpUrl(TypedDict):
    url: EnvironmentValue


class McpUrl(_McpUrl, total=False):
    headers: Dict[str, EnvironmentValue]


McpServer = Union[McpCommand, McpUrl]


class _CreateSession(TypedDict):
    agent: str
    "Who works: claude, codex, opencode, amp, codebuff or mock"


class CreateSession(_CreateSession, total=False):
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
    "Times in milliseconds and a budget: {\"turnMs\":600000,\"turnIdleMs\":300000,\"toolIdleMs\":3600000,\"requestMs\":60000,\"agentIdleMs\":600000,\"budgetUsd\":5}"
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


class _CredentialInfo(TypedDict):
    agent: str
    provider: str
    found: bool


class CredentialInfo(_CredentialInfo, total=False):
    source: str
    kind: Literal["api_key", "oauth"]
    note: str


class _InstalledAgent(TypedDict):
    version: str
    path: str
    source: str
    verifiedBy: str
    alreadyInstalled: bool


class InstalledAgent(_InstalledAgent, total=False):
    tested: bool
    "It is the version this daemon was tested with"


class _Mode(TypedDict):
    id: str


class Mode(_Mode, total=False):
    name: str
    description: str
    default: bool


class _Model(TypedDict):
    id: str


class Model(_Model, total=False):
    name: str
    provider: str
    default: bool
    variants: List[str]
    contextWindow: int


class PendingRequests(TypedDict):
    questions: List[QuestionRequested]
    permissions: List[PermissionRequested]


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
    "token_not_found",
    "method_not_allowed",
    "request_timeout",
    "session_exists",
    "session_deleted",
    "message_conflict",
    "already_resolved",
    "agent_in_use",
    "already_given",
    "session_busy",
    "cursor_ahead",
    "body_too_large",
    "unsupported_media_type",
    "agent_unhealthy",
    "credentials_required",
    "install_failed",
    "too_many_requests",
    "session_unreadable",
    "internal",
    "shutting_down",
    "too_many_sessions",
    "writer_replaced",
    "storage_full",
]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: ProblemCode


class _Attachment(TypedDict):
    mime: str


class Attachment(_Attachment, total=False):
    path: str
    "A file on the daemon's machine"
    data: str
    "The content itself, base64"
    filename: str


Delivery = Literal["queue", "steer", "reject"]


class _SendMessage(TypedDict):
    message: str
    "What the agent is told"


class SendMessage(_SendMessage, total=False):
    attachments: List[Attachment]
    "A file: {\"path\":\"/on/the/daemon.png\",\"mime\":\"image/png\"}, or its content: {\"data\":\"<base64>\",\"mime\":…}"
    messageId: str
    "Makes a retry harmless: the same message with the same id is given once"
    delivery: Delivery
    "queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open"


class SentMessage(TypedDict):
    messageId: str
    sequence: int


SessionState = Literal["starting", "idle", "running", "waiting", "asleep", "ended", "unreadable"]


class _SessionUsage(TypedDict):
    inputTokens: int
    outputTokens: int


class SessionUsage(_SessionUsage, total=False):
    cachedInputTokens: int
    reasoningTokens: int


class _Session(TypedDict):
    sessionId: str
    agent: str
    permissionMode: PermissionMode
    directory: str
    state: SessionState
    healthy: bool
    lastSequence: int
    queued: int
    pendingRequests: int
    usage: SessionUsage
    costUsd: float
    createdAt: str
    updatedAt: str


class Session(_Session, total=False):
    agentVersion: str
    nativeSessionId: str
    model: str
    agentMode: str
    variant: str
    title: str
    error: AgentError
    needsCredentials: List[str]
    turnId: str


class _ConversationMessage(TypedDict):
    role: Role
    messageId: str
    status: Literal["queued", "in_progress", "completed", "failed", "cancelled"]
    parts: List[Part]
    createdAt: str


class ConversationMessage(_ConversationMessage, total=False):
    turnId: str


class _UnparsedMessage(TypedDict):
    role: Literal["unparsed"]
    messageId: str
    raw: Any
    error: str
    createdAt: str


class UnparsedMessage(_UnparsedMessage, total=False):
    turnId: str


UniversalMessage = Union[ConversationMessage, UnparsedMessage]


class UpdateSession(TypedDict, total=False):
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
    "Times in milliseconds and a budget: {\"turnMs\":600000,\"turnIdleMs\":300000,\"toolIdleMs\":3600000,\"requestMs\":60000,\"agentIdleMs\":600000,\"budgetUsd\":5}"
    token: str
    "The agent's API key for this session; kept in memory only"
    env: Dict[str, EnvironmentValue]
    "Further variables of the agent's environment"
    mcp: Dict[str, McpServer]
    "MCP servers by name: {\"files\":{\"command\":\"mcp-files\",\"args\":[\".\"],\"env\":{}},\"web\":{\"url\":\"https://…\",\"headers\":{}}}"


class HealthAnswer(TypedDict):
    status: Literal["ok"]


class InfoAnswer(TypedDict):
    name: str
    version: str
    agents: List[str]
    durability: Literal["batch", "sync", "none"]
    startedAt: str


class OpenapiAnswer(TypedDict):
    openapi: str


class AgentsListAnswer(TypedDict):
    agents: List[AgentInfo]


class InstallAgent(TypedDict, total=False):
    version: str
    "This version, or latest; default: the one that is there, or the newest"
    reinstall: bool
    "Downloads it again, also when it is there"


class AgentsUninstallAnswer(TypedDict):
    removed: List[str]
    "The versions that were removed"


class AgentsListModelsAnswer(TypedDict):
    models: List[Model]


class AgentsListModesAnswer(TypedDict):
    modes: List[Mode]


class SessionsListAnswer(TypedDict):
    sessions: List[Session]
    hasMore: bool


class SessionsGetMessagesAnswer(TypedDict):
    messages: List[UniversalMessage]


class _SessionsGetEventsAnswer(TypedDict):
    events: List[UniversalEvent]
    "With `as`, lines of that agent's protocol"
    hasMore: bool


class SessionsGetEventsAnswer(_SessionsGetEventsAnswer, total=False):
    last: int
    "With `as`: the offset of the next page"
    leftOut: Dict[str, int]
    "With `as`: what that agent has no words for, and how often it was left out"


class _ReplyQuestion(TypedDict):
    answers: List[List[str]]
    "One array per question: option labels or ids, or own text where the question allows it; empty is no answer"


class ReplyQuestion(_ReplyQuestion, total=False):
    editedText: str
    "The plan as edited by the person, for a plan approval"


class RejectQuestion(TypedDict, total=False):
    message: str
    "Told to the agent"


class _ReplyPermission(TypedDict):
    reply: Literal["once", "always", "reject"]
    "always: for the rest of the session, what alwaysScope says"


class ReplyPermission(_ReplyPermission, total=False):
    message: str
    "Told to the agent with a rejection"


class InterruptSession(TypedDict, total=False):
    queue: Literal["keep", "cancel"]
    "What happens to queued messages; keep by default"


class CredentialsListAnswer(TypedDict):
    credentials: List[CredentialInfo]


class CreateTicket(TypedDict, total=False):
    use: Literal["request", "page"]
    "request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes"


class TicketsCreateAnswer(TypedDict):
    ticket: str
    expiresAt: str


class RedeemTicket(TypedDict):
    ticket: str
    "Made with use: page; good for one time"


class TicketsRedeemAnswer(TypedDict):
    key: str
    expiresAt: str


class _CreateToken(TypedDict):
    scope: Literal["read", "answer", "work", "admin"]
    "read sees; answer also replies to questions and permissions; work also creates and sends; admin does all"


class CreateToken(_CreateToken, total=False):
    sessions: List[str]
    "Only these sessions; every one by default"
    agents: List[str]
    "Only sessions of these agents"
    expiresAt: str
    "When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default"
    name: str
    "What it is for, in lists"


class TokensListAnswer(TypedDict):
    tokens: List[AccessToken]


class SessionOptions(TypedDict, total=False):
    agent: str
    "Who works: claude, codex, opencode, amp, codebuff or mock"
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
    "Times in milliseconds and a budget: {\"turnMs\":600000,\"turnIdleMs\":300000,\"toolIdleMs\":3600000,\"requestMs\":60000,\"agentIdleMs\":600000,\"budgetUsd\":5}"
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
