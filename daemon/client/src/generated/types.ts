/** Made by npm run generate. */

/** An agent's id */
export type AgentName = "claude" | "codex" | "opencode" | "amp" | "codebuff" | "mock" | (string & {});

/** default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing */
export type PermissionMode = "default" | "acceptEdits" | "plan" | "bypass";

/** starting: its agent is being started; idle: ready; running: a turn is open; waiting: for a person; asleep: its agent was put to sleep and wakes with a message; ended: its agent's process is over; unreadable: its files are damaged */
export type SessionState = "starting" | "idle" | "running" | "waiting" | "asleep" | "ended" | "unreadable";

/** What the agent's process does */
export type AgentState = "starting" | "ready" | "asleep";

/** A setting that can be changed in the middle of a session */
export type LiveSetting = "model" | "agentMode" | "variant" | "permissionMode";

/** What kind of thing it is */
export type ItemKind = "message" | "reasoning" | "tool_call" | "tool_result" | "plan" | "status";

/** How far it is */
export type ItemStatus = "in_progress" | "completed" | "failed" | "cancelled";

/** Who speaks */
export type Role = "user" | "assistant" | "system" | "tool";

/** What kind of tool it is, the same words for all agents */
export type ToolKind = "read" | "edit" | "execute" | "search" | "fetch" | "think" | "agent" | "other";

/** queued: accepted; given: its turn has begun; joined: it went into the open turn; cancelled; failed: never given */
export type MessageStatus = "queued" | "given" | "joined" | "cancelled" | "failed";

/** queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open */
export type Delivery = "queue" | "steer" | "reject";

/** How a turn ended; uncertain: the daemon was killed and cannot know whether the agent finished */
export type TurnStatus = "completed" | "interrupted" | "failed" | "uncertain";

/** Why a turn did not complete; docs/problems.md lists the causes */
export type Cause = "agent_timeout" | "tool_timeout" | "turn_timeout" | "agent_exited" | "agent_unresponsive" | "agent_error" | "agent_protocol_error" | "spawn_failed" | "daemon_restarted" | "daemon_stopped" | "interrupted_by_user" | "terminated" | "auth_failed" | "rate_limited" | "provider_error" | "context_overflow" | "model_not_found" | "max_steps" | "out_of_credits" | "account_suspended" | "free_mode_unavailable" | "output_limit" | "refused" | "budget_exceeded" | "storage_full";

/** What went wrong, for programs; docs/problems.md lists the codes */
export type ProblemCode = "invalid_request" | "unsupported_agent" | "unsupported_option" | "unauthorized" | "scope_required" | "token_limited" | "forbidden_host" | "forbidden_origin" | "not_found" | "session_not_found" | "request_not_found" | "message_not_found" | "attachment_not_found" | "token_not_found" | "method_not_allowed" | "request_timeout" | "process_not_found" | "process_exists" | "process_ended" | "process_not_started" | "input_refused" | "no_terminal" | "memory_limit_unavailable" | "terminal_unavailable" | "processes_disabled" | "session_exists" | "session_deleted" | "message_conflict" | "already_resolved" | "agent_in_use" | "already_given" | "session_busy" | "cursor_ahead" | "turn_not_found" | "cannot_rewind" | "rewind_conflict" | "nothing_to_undo" | "cannot_hand_over" | "cannot_fork" | "body_too_large" | "unsupported_media_type" | "agent_unhealthy" | "credentials_required" | "unsupported_agent_version" | "install_failed" | "too_many_requests" | "session_unreadable" | "internal" | "shutting_down" | "too_many_sessions" | "writer_replaced" | "storage_full" | "files_off" | "path_outside_roots" | "file_denied" | "file_not_found" | "file_exists" | "not_a_directory" | "not_a_file" | "directory_not_empty" | "precondition_failed" | "archive_refused" | "range_not_satisfiable" | "files_unavailable" | "disk_full";

/** What kind of thing the agent wants to do */
export type PermissionAction = "execute" | "edit" | "read" | "fetch" | "mcp" | "other";

/** A question, or a plan that waits for approval */
export type QuestionKind = "question" | "plan_approval";

/** Who says so: the agent, or the daemon itself */
export type EventSource = "agent" | "daemon";

/** A text that was said */
export interface TextPart {
  /** A text */
  type: "text";
  /** The text, as Markdown */
  text: string;
}

/** What the model thinks before it speaks or acts */
export interface ReasoningPart {
  /** A thought */
  type: "reasoning";
  /** The thought, or the provider's summary of it */
  text: string;
  /** Whether the agent shows it to its own users */
  visibility: "public" | "private";
}

/** The agent uses a tool */
export interface ToolCallPart {
  /** A tool call */
  type: "tool_call";
  /** The call's id, by which its result is found */
  callId: string;
  /** The tool as the agent names it */
  name: string;
  /** What kind of tool it is, the same words for all agents */
  toolKind: ToolKind;
  /** What the tool is given; its form is the tool's own */
  input: unknown;
  /** The call in a few words, for people */
  title?: string | undefined;
}

/** What a tool gave */
export interface ToolResultPart {
  /** The result of a tool call */
  type: "tool_result";
  /** The call it answers */
  callId: string;
  /** What the tool gave, as text */
  output: string;
  /** Whether the tool failed */
  isError: boolean;
  /** The exit code, where the tool was a command */
  exitCode?: number | undefined;
  /** What the tool gave, where it is a value */
  json?: unknown | undefined;
}

/** A file that was read or changed */
export interface FilePart {
  /** A file the agent touched */
  type: "file";
  /** Its path on the daemon's machine */
  path: string;
  /** What was done with it */
  action: "read" | "write" | "patch" | "delete";
  /** The change as a unified diff */
  diff?: string | undefined;
}

/** A picture */
export interface ImagePart {
  /** A picture */
  type: "image";
  /** Its media type, such as image/png */
  mime: string;
  /** Its content in base64 */
  data?: string | undefined;
  /** Where it lies on the daemon's machine */
  path?: string | undefined;
}

/** A plan that the agent proposes */
export interface PlanPart {
  /** A plan */
  type: "plan";
  /** The plan, as Markdown */
  text: string;
}

/** A notice of the agent, such as that it shortens its context */
export interface StatusPart {
  /** A notice */
  type: "status";
  /** The notice in a few words */
  label: string;
  /** More of it */
  detail?: string | undefined;
}

/** A value without a form of its own */
export interface JsonPart {
  /** A value */
  type: "json";
  /** The value */
  json: unknown;
}

/** One piece of an item's content; type says which */
export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | FilePart | ImagePart | PlanPart | StatusPart | JsonPart;

/** One thing in a turn: a message, a thought, a tool call, a result */
export interface Item {
  /** The item's id, the same from its start to its end */
  itemId: string;
  /** The id under which the agent itself knows it */
  nativeItemId?: string | undefined;
  /** The tool call of the sub-agent that it belongs to */
  parentId?: string | undefined;
  /** What kind of thing it is */
  kind: ItemKind;
  /** Who speaks */
  role?: Role | undefined;
  /** How far it is */
  status: ItemStatus;
  /** Of a message, where the agent tells: said on the way, or the answer */
  phase?: "commentary" | "final" | undefined;
  /** May stay open after its turn; it closes when it finishes or with the life */
  background?: boolean | undefined;
  /** The item that replaces this one */
  supersededBy?: string | undefined;
  /** What it holds, piece by piece */
  content: Part[];
}

/** Tokens of a turn */
export interface Usage {
  /** Tokens the model read, those from the cache included */
  inputTokens: number;
  /** Tokens the model wrote, thoughts included */
  outputTokens: number;
  /** Of the tokens read, those from the cache */
  cachedInputTokens?: number | undefined;
  /** Of the tokens written, those of thoughts */
  reasoningTokens?: number | undefined;
  /** How full the model's context is */
  contextTokens?: number | undefined;
  /** How much the model's context holds */
  contextWindow?: number | undefined;
}

/** Model requests as the gateway counted them, whatever the agent says */
export interface WireUsage {
  /** How many requests were made */
  requests: number;
  /** Tokens that were sent, those from the cache included */
  inputTokens: number;
  /** Of the tokens sent, those from the cache */
  cachedInputTokens: number;
  /** Tokens that were answered, thoughts included */
  outputTokens: number;
  /** Of the tokens answered, those of thoughts */
  reasoningTokens: number;
  /** What that costs by our table of prices, in US dollars */
  listUsd: number;
  /** What the provider says it billed, where it says so */
  billedUsd?: number | undefined;
  /** Requests that are not over: their input is counted, by estimate */
  open?: number | undefined;
  /** Requests whose answer told no usage, or was cut: counted by their characters */
  estimated?: number | undefined;
}

/** A model request: told when it begins, with what its input costs by estimate, and when it is over */
export interface ModelRequest {
  /** The request's id, in both of its events */
  requestId: string;
  /** Whether it has begun or is over */
  state: "open" | "settled";
  /** Who was asked */
  provider: string;
  /** In which protocol */
  protocol: "messages" | "responses" | "chat" | "gemini";
  /** The model that was asked for */
  model: string;
  /** The agent's own name of the sub-agent that asked */
  subAgent?: string | undefined;
  /** Tokens that were sent, those from the cache included */
  inputTokens: number;
  /** Of the tokens sent, those from the cache */
  cachedInputTokens: number;
  /** Tokens that were answered, thoughts included */
  outputTokens: number;
  /** Of the tokens answered, those of thoughts */
  reasoningTokens: number;
  /** What that costs by our table of prices, in US dollars */
  listUsd: number;
  /** What the provider says it billed, where it says so */
  billedUsd?: number | undefined;
  /** 1, or 0 for a request that was not made after all */
  requests: number;
  /** Counted by estimate; so is one that was open when its daemon died */
  estimated?: boolean | undefined;
  /** The status of the answer; absent when there was none */
  status?: number | undefined;
  /** Milliseconds to the first byte of the answer */
  firstByteMs?: number | undefined;
  /** Milliseconds to its end */
  durationMs?: number | undefined;
}

/** One line of an agent's todo list */
export interface PlanEntry {
  /** The task in words */
  content: string;
  /** How far it is */
  status: "pending" | "in_progress" | "completed" | "cancelled";
  /** How important the agent says it is */
  priority?: "high" | "medium" | "low" | undefined;
}

/** A slash command that the agent understands in a message */
export interface AgentCommand {
  /** How it is called, without the slash */
  name: string;
  /** What it does */
  description?: string | undefined;
}

/** What the agent's process wrote to its standard error */
export interface StderrExcerpt {
  /** The first lines */
  head: string;
  /** The last lines */
  tail: string;
  /** Whether lines between them were left out */
  truncated: boolean;
  /** How many lines there were */
  totalLines: number;
}

/** An attached file as the log knows it */
export interface AttachmentInfo {
  /** Where the file lies on the daemon's machine */
  path: string;
  /** Its media type */
  mime: string;
  /** Its name */
  filename?: string | undefined;
}

/** One of the answers a question offers */
export interface QuestionOption {
  /** The option's id; an answer may name it */
  id: string;
  /** The option for people; an answer may name it */
  label: string;
  /** What choosing it means */
  description?: string | undefined;
}

/** One question to a person */
export interface Question {
  /** The question's id within the request */
  id: string;
  /** A few words that stand above it */
  header?: string | undefined;
  /** What is asked */
  question: string;
  /** Longer material to decide on, as Markdown: the plan of a plan approval */
  body?: string | undefined;
  /** What kind of answer is wanted */
  type: "string" | "boolean" | "number";
  /** The answers it offers; empty where only own words are wanted */
  options: QuestionOption[];
  /** Whether several options may be chosen */
  multiSelect: boolean;
  /** Whether own words are taken beside the options */
  allowCustom: boolean;
  /** true: the answer is a secret and must not be shown */
  secret?: boolean | undefined;
}

/** What a plan asks leave for in advance */
export interface AllowedPrompt {
  /** The tool it would use */
  tool?: string | undefined;
  /** What it would do, in words */
  prompt: string;
}

/** What the answer always grants for the rest of the session */
export interface PermissionScope {
  /** What kind of thing the agent wants to do */
  action: PermissionAction;
  /** On exactly this command, path or tool */
  pattern: string;
}

/** What exactly the agent wants to do */
export interface PermissionDetail {
  /** The command it wants to run */
  command?: string | undefined;
  /** Where the command would run */
  directory?: string | undefined;
  /** The files it wants to touch */
  paths?: string[] | undefined;
  /** The change it wants to make, as a unified diff */
  diff?: string | undefined;
  /** The address it wants to read */
  url?: string | undefined;
  /** The tool it wants to use */
  tool?: string | undefined;
  /** What the tool would be given */
  input?: unknown | undefined;
  /** Why it asks, in the agent's words */
  reason?: string | undefined;
}

/** A text of the event was too long and was cut */
export interface Truncated {
  /** Which field was cut */
  field: string;
  /** How long it was before */
  bytes: number;
}

/** A life of the agent has begun: its process is ready */
export interface SessionStarted {
  /** Which agent works in this session */
  agent: string;
  /** The version of the agent's program */
  agentVersion?: string | undefined;
  /** The id under which the agent itself knows the conversation */
  nativeSessionId?: string | undefined;
  /** The model it works with */
  model?: string | undefined;
  /** What the agent does: build, plan … */
  agentMode?: string | undefined;
  /** How hard the model thinks */
  variant?: string | undefined;
  /** What it may do without asking */
  permissionMode: PermissionMode;
  /** Where it works, on the daemon's machine */
  directory: string;
  /** Whether it goes on with an earlier conversation */
  resumed: boolean;
  /** true: the agent does not remember what was said before */
  contextLost?: boolean | undefined;
  /** Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it */
  keys?: Keys | undefined;
  /** Whatever else the agent said of itself */
  metadata?: Record<string, unknown> | undefined;
}

/** A life of the agent has begun: its process is ready */
export interface SessionStartedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "session.started";
  /** A life of the agent has begun: its process is ready */
  data: SessionStarted;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Settings of the session have changed; what is absent stayed as it was */
export interface SessionUpdated {
  /** The model from now on */
  model?: string | undefined;
  /** The agent mode from now on */
  agentMode?: string | undefined;
  /** How hard the model thinks from now on */
  variant?: string | undefined;
  /** What it may do without asking, from now on */
  permissionMode?: PermissionMode | undefined;
  /** The name for people from now on */
  title?: string | undefined;
  /** The agent's own id of the conversation from now on */
  nativeSessionId?: string | undefined;
  /** The version of the agent's program from now on */
  agentVersion?: string | undefined;
  /** The slash commands the agent takes */
  commands?: AgentCommand[] | undefined;
  /** What the agent's process does */
  agentState?: AgentState | undefined;
  /** true: the agent does not remember what was said before */
  contextLost?: boolean | undefined;
  /** Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it */
  keys?: Keys | undefined;
}

/** Settings of the session have changed; what is absent stayed as it was */
export interface SessionUpdatedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "session.updated";
  /** Settings of the session have changed; what is absent stayed as it was */
  data: SessionUpdated;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A life of the agent has ended; the session stays, and a message begins a new life */
export interface SessionEnded {
  /** Why the life ended */
  reason: "completed" | "error" | "terminated";
  /** Who ended it */
  terminatedBy: "agent" | "daemon" | "client";
  /** Why, in words */
  message?: string | undefined;
  /** The exit code of the process */
  exitCode?: number | undefined;
  /** The signal that ended the process */
  signal?: string | undefined;
  /** What the process wrote to its standard error */
  stderr?: StderrExcerpt | undefined;
  /** Whatever else is known of the end */
  metadata?: Record<string, unknown> | undefined;
}

/** A life of the agent has ended; the session stays, and a message begins a new life */
export interface SessionEndedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "session.ended";
  /** A life of the agent has ended; the session stays, and a message begins a new life */
  data: SessionEnded;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log */
export interface SessionRewound {
  /** The turn after which the session goes on; 0 is the beginning */
  toTurn: number;
  /** The turns that the conversation now goes without, or with undone has again */
  turns: string[];
  /** Whether the conversation was rewound */
  chat: boolean;
  /** Whether the files were rewound */
  files: boolean;
  /** The files that were changed; the first 1000 */
  paths?: string[] | undefined;
  /** true: a rewind was taken back, the turns are part of the conversation again */
  undone?: boolean | undefined;
  /** With which this rewind is taken back, or which one was */
  token: string;
  /** By which the store of the files knows the way back */
  fileUndo?: string | undefined;
  /** The agent's own id of the conversation from now on; with chat and without it a new one begins */
  nativeSessionId?: string | undefined;
  /** Where the turns that are left stand in it, in their order, where that has changed */
  places?: Array<{
    /** The agent's name of the first thing in it */
    first?: string | undefined;
    /** The agent's name of the last thing in it */
    last?: string | undefined;
  }> | undefined;
}

/** The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log */
export interface SessionRewoundEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "session.rewound";
  /** The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log */
  data: SessionRewound;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Here a session begins that goes on from a turn of another one; the events before are that one's */
export interface SessionForked {
  /** The session whose events stand before this one */
  from: string;
  /** After which of its turns; 0 is the beginning */
  at: number;
  /** Where the session works from now on */
  directory: string;
  /** The agent's own id of the conversation from now on */
  nativeSessionId?: string | undefined;
  /** Where the turns stand in it, in their order, where that has changed */
  places?: Array<{
    /** The agent's name of the first thing in it */
    first?: string | undefined;
    /** The agent's name of the last thing in it */
    last?: string | undefined;
  }> | undefined;
}

/** Here a session begins that goes on from a turn of another one; the events before are that one's */
export interface SessionForkedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "session.forked";
  /** Here a session begins that goes on from a turn of another one; the events before are that one's */
  data: SessionForked;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Another agent goes on with the session */
export interface AgentChanged {
  /** The agent that worked in the session */
  from: string;
  /** The agent that works in it from now on */
  to: string;
  /** Its model, where one was named */
  model?: string | undefined;
  /** imported: its conversation has the earlier turns as its own; digest: it is told of them with the next message */
  how: "imported" | "digest";
  /** What the new agent does not know of */
  notCarried: string[];
  /** The new agent's own id of the conversation */
  nativeSessionId?: string | undefined;
}

/** Another agent goes on with the session */
export interface AgentChangedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "agent.changed";
  /** Another agent goes on with the session */
  data: AgentChanged;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A message was accepted, given to the agent, taken back or failed */
export interface MessageUpdated {
  /** The message's id: your own, or one the daemon made */
  messageId: string;
  /** queued: accepted; given: its turn has begun; joined: it went into the open turn; cancelled; failed: never given */
  status: MessageStatus;
  /** The turn it was given to */
  turnId?: string | undefined;
  /** With queued: the text that was sent */
  message?: string | undefined;
  /** With queued: the files that were sent with it */
  attachments?: AttachmentInfo[] | undefined;
  /** With queued: for a turn of its own, or for the open one */
  delivery?: "queue" | "steer" | undefined;
  /** With queued: by which the same message is known again */
  digest?: string | undefined;
}

/** A message was accepted, given to the agent, taken back or failed */
export interface MessageUpdatedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "message.updated";
  /** A message was accepted, given to the agent, taken back or failed */
  data: MessageUpdated;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** The agent begins to work on a message */
export interface TurnStarted {
  /** The turn's id, in all of its events */
  turnId: string;
  /** The messages it answers */
  messageIds: string[];
  /** Who began it: a message, or the agent by itself */
  origin: "user" | "agent";
}

/** The agent begins to work on a message */
export interface TurnStartedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "turn.started";
  /** The agent begins to work on a message */
  data: TurnStarted;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A turn is over: how it ended, what it used and what it cost */
export interface TurnEnded {
  /** The turn that is over */
  turnId: string;
  /** How a turn ended; uncertain: the daemon was killed and cannot know whether the agent finished */
  status: TurnStatus;
  /** Why it did not complete, for programs */
  cause?: Cause | undefined;
  /** Why it did not complete, in words */
  message?: string | undefined;
  /** The tokens of the whole turn */
  usage?: Usage | undefined;
  /** What the turn cost, in US dollars */
  costUsd?: number | undefined;
  /** Its model requests as the gateway counted them */
  wire?: WireUsage | undefined;
  /** How long it took, in milliseconds */
  durationMs: number;
  /** The answer as a value, where a JSON schema was asked for */
  output?: unknown | undefined;
  /** Where a turn stands in the agent's own history: what a rewind drops, and what it keeps */
  place?: {
    /** The agent's name of the first thing in it */
    first?: string | undefined;
    /** The agent's name of the last thing in it */
    last?: string | undefined;
  } | undefined;
  /** true: the agent did not confirm the interrupt and may have gone on for a moment */
  workMayHaveContinued?: boolean | undefined;
}

/** A turn is over: how it ended, what it used and what it cost */
export interface TurnEndedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "turn.ended";
  /** A turn is over: how it ended, what it used and what it cost */
  data: TurnEnded;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Something new in the turn has begun: a text, a thought, a tool call */
export interface ItemStarted {
  /** The item as it begins; its content grows by item.delta */
  item: Item;
}

/** Something new in the turn has begun: a text, a thought, a tool call */
export interface ItemStartedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "item.started";
  /** Something new in the turn has begun: a text, a thought, a tool call */
  data: ItemStarted;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A piece of an item that is still being written; left out with deltas=false */
export interface ItemDelta {
  /** The item that grows */
  itemId: string;
  /** Which of the item's parts grows, counted from 0 */
  index: number;
  /** What grows: a text, a thought, the input of a tool call, or the output of a tool that runs */
  part: "text" | "reasoning" | "input" | "output";
  /** The next piece; pieces in a row make the whole */
  delta: string;
}

/** A piece of an item that is still being written; left out with deltas=false */
export interface ItemDeltaEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "item.delta";
  /** A piece of an item that is still being written; left out with deltas=false */
  data: ItemDelta;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** An item is finished: this is all of it, whether or not pieces came before */
export interface ItemCompleted {
  /** The whole item, with its final content and status */
  item: Item;
}

/** An item is finished: this is all of it, whether or not pieces came before */
export interface ItemCompletedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "item.completed";
  /** An item is finished: this is all of it, whether or not pieces came before */
  data: ItemCompleted;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** The agent asks a person something, or proposes a plan, and waits */
export interface QuestionRequested {
  /** The request's id, by which it is answered */
  questionId: string;
  /** A question, or a plan that waits for approval */
  kind: QuestionKind;
  /** The tool call it belongs to */
  itemId?: string | undefined;
  /** When it expires, in UTC; never where it is absent */
  expiresAt?: string | undefined;
  /** What is asked; an answer has one entry for each */
  questions: Question[];
  /** Of a plan: what it asks leave for in advance */
  allowedPrompts?: AllowedPrompt[] | undefined;
}

/** The agent asks a person something, or proposes a plan, and waits */
export interface QuestionRequestedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "question.requested";
  /** The agent asks a person something, or proposes a plan, and waits */
  data: QuestionRequested;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A question was answered, or no longer waits */
export interface QuestionResolved {
  /** The request that no longer waits */
  questionId: string;
  /** How it ended */
  status: "answered" | "rejected" | "cancelled" | "expired";
  /** The answers, one list for each question */
  answers?: string[][] | undefined;
  /** Why it was declined, in words */
  message?: string | undefined;
}

/** A question was answered, or no longer waits */
export interface QuestionResolvedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "question.resolved";
  /** A question was answered, or no longer waits */
  data: QuestionResolved;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** The agent asks whether it may do something, and waits */
export interface PermissionRequested {
  /** The request's id, by which it is answered */
  permissionId: string;
  /** What kind of thing the agent wants to do */
  action: PermissionAction;
  /** What the agent wants to do, in one line for people */
  title: string;
  /** What exactly it wants to do */
  detail?: PermissionDetail | undefined;
  /** The tool call it belongs to */
  itemId?: string | undefined;
  /** What the answer always would grant for the rest of the session */
  alwaysScope: PermissionScope[];
  /** When it expires, in UTC; never where it is absent */
  expiresAt?: string | undefined;
}

/** The agent asks whether it may do something, and waits */
export interface PermissionRequestedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "permission.requested";
  /** The agent asks whether it may do something, and waits */
  data: PermissionRequested;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A permission was decided, or no longer waits */
export interface PermissionResolved {
  /** The request that no longer waits */
  permissionId: string;
  /** What was decided */
  decision: "allow" | "reject" | "cancelled" | "expired";
  /** Who decided: a person, an earlier always, the permission mode, the agent, the daemon, or a client for which nobody was there */
  by: "user" | "rule" | "mode" | "agent" | "daemon" | "client";
  /** Of an allow: this once, or for the rest of the session */
  scope?: "once" | "session" | undefined;
  /** Why it was rejected, in words */
  message?: string | undefined;
}

/** A permission was decided, or no longer waits */
export interface PermissionResolvedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "permission.resolved";
  /** A permission was decided, or no longer waits */
  data: PermissionResolved;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** The agent's todo list has changed */
export interface PlanUpdated {
  /** The whole list as it is now; it replaces the one before */
  entries: PlanEntry[];
}

/** The agent's todo list has changed */
export interface PlanUpdatedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "plan.updated";
  /** The agent's todo list has changed */
  data: PlanUpdated;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them */
export interface UsageUpdated {
  /** Tokens the model read, those from the cache included */
  inputTokens: number;
  /** Tokens the model wrote, thoughts included */
  outputTokens: number;
  /** Of the tokens read, those from the cache */
  cachedInputTokens?: number | undefined;
  /** Of the tokens written, those of thoughts */
  reasoningTokens?: number | undefined;
  /** How full the model's context is */
  contextTokens?: number | undefined;
  /** How much the model's context holds */
  contextWindow?: number | undefined;
  /** What the turn has cost so far, in US dollars */
  costUsd?: number | undefined;
  /** The same as the gateway counted it */
  wire?: WireUsage | undefined;
  /** The model request that has begun or is over */
  request?: ModelRequest | undefined;
}

/** Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them */
export interface UsageUpdatedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "usage.updated";
  /** Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them */
  data: UsageUpdated;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Four fifths of a budget are spent; told once for each budget */
export interface BudgetWarned {
  /** What is spent, in US dollars */
  spentUsd: number;
  /** The budget, in US dollars */
  budgetUsd: number;
}

/** Four fifths of a budget are spent; told once for each budget */
export interface BudgetWarnedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "budget.warned";
  /** Four fifths of a budget are spent; told once for each budget */
  data: BudgetWarned;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** A trouble of the agent; whether the turn failed is told by turn.ended */
export interface ErrorReported {
  /** What went wrong, for programs */
  code: Cause;
  /** What went wrong, in the agent's or the daemon's words */
  message: string;
  /** Whether the same message may succeed later */
  retryable: boolean;
  /** Whatever else the agent said of it */
  details?: Record<string, unknown> | undefined;
}

/** A trouble of the agent; whether the turn failed is told by turn.ended */
export interface ErrorEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "error";
  /** A trouble of the agent; whether the turn failed is told by turn.ended */
  data: ErrorReported;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** The agent said something this daemon cannot read; nothing is dropped in silence */
export interface AgentUnparsed {
  /** The line as the agent wrote it */
  raw: unknown;
  /** Why it could not be read */
  error: string;
  /** Where in the daemon it was to be read */
  location: string;
}

/** The agent said something this daemon cannot read; nothing is dropped in silence */
export interface AgentUnparsedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "agent.unparsed";
  /** The agent said something this daemon cannot read; nothing is dropped in silence */
  data: AgentUnparsed;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** There is no snapshot of the directory; its files cannot be rewound to this moment */
export interface SnapshotSkipped {
  /** The turn whose begin or end has no snapshot */
  turnId: string;
  /** Before its prompt was given, or at its end */
  moment: "begin" | "end";
  /** Why; unavailable: there can be none of this directory */
  reason: "unavailable" | "timeout" | "too_many_files" | "too_many_bytes" | "no_space" | "failed";
  /** Why, in words */
  detail: string;
}

/** There is no snapshot of the directory; its files cannot be rewound to this moment */
export interface SnapshotSkippedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "snapshot.skipped";
  /** There is no snapshot of the directory; its files cannot be rewound to this moment */
  data: SnapshotSkipped;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** Stands for events that cannot be read any more; its sequence is the last of theirs */
export interface LogDamaged {
  /** The first sequence that cannot be read */
  from: number;
  /** The last sequence that cannot be read */
  to: number;
  /** How many bytes of the log they were */
  bytes: number;
  /** The file in which the unreadable bytes were kept */
  keptAs?: string | undefined;
}

/** Stands for events that cannot be read any more; its sequence is the last of theirs */
export interface LogDamagedEvent {
  /** The event's number, from 1 in each session without holes; also the SSE id */
  sequence: number;
  /** When it was written, in UTC */
  time: string;
  /** The session it happened in */
  sessionId: string;
  /** The turn it belongs to; absent outside any turn */
  turnId?: string | undefined;
  /** Who says so: the agent, or the daemon itself */
  source: EventSource;
  /** What happened; it says what data holds */
  type: "log.damaged";
  /** Stands for events that cannot be read any more; its sequence is the last of theirs */
  data: LogDamaged;
  /** Present where a text was too long for an event and was cut */
  truncated?: Truncated | undefined;
  /** The agent's own message, with raw=true */
  raw?: unknown | undefined;
}

/** One numbered fact of a session, never changed; type says what data holds */
export type UniversalEvent = SessionStartedEvent | SessionUpdatedEvent | SessionEndedEvent | SessionRewoundEvent | SessionForkedEvent | AgentChangedEvent | MessageUpdatedEvent | TurnStartedEvent | TurnEndedEvent | ItemStartedEvent | ItemDeltaEvent | ItemCompletedEvent | QuestionRequestedEvent | QuestionResolvedEvent | PermissionRequestedEvent | PermissionResolvedEvent | PlanUpdatedEvent | UsageUpdatedEvent | BudgetWarnedEvent | ErrorEvent | AgentUnparsedEvent | SnapshotSkippedEvent | LogDamagedEvent;

/** A request that was refused or failed, as RFC 7807 has it; further fields such as sessionId may stand beside */
export interface Problem {
  /** An address that names the kind of problem */
  type: string;
  /** The kind of problem in words, the same each time */
  title: string;
  /** The HTTP status */
  status: number;
  /** What happened this time, with names */
  detail: string;
  /** What went wrong, for programs; docs/problems.md lists the codes */
  code: ProblemCode;
  /** Further fields. */
  [field: string]: unknown;
}

/** Why a session exists but its agent does not run */
export interface AgentError {
  /** What went wrong, for programs */
  type: "token_error" | "install_failed" | "unsupported_agent_version" | "spawn_failed" | "process_exited" | "unsupported" | "timeout";
  /** What went wrong, in words */
  message: string;
  /** Whatever else is known of it */
  details?: Record<string, unknown> | undefined;
}

/** Times after which the daemon steps in, in milliseconds, and a budget */
export interface Limits {
  /** No sign of life while the model works */
  turnIdleMs?: number | undefined;
  /** No sign of life while a tool call is open */
  toolIdleMs?: number | undefined;
  /** The whole turn; none by default */
  turnMs?: number | undefined;
  /** A question or permission expires after this; never by default */
  requestMs?: number | undefined;
  /** An agent idle this long is put to sleep */
  agentIdleMs?: number | undefined;
  /** The session may cost this much; then its turn ends */
  budgetUsd?: number | undefined;
  /** The session may use this many tokens, counted by the gateway; then its turn ends */
  budgetTokens?: number | undefined;
  /** Model requests in a minute, counted by the gateway */
  requestsPerMinute?: number | undefined;
}

/** A value that is kept in memory only, wherever its name would not say so */
export interface MarkedSecret {
  /** Marks the value as a secret */
  secret: true;
  /** The secret itself */
  value: string;
}

/** A text, or one marked as a secret */
export type EnvironmentValue = string | MarkedSecret;

/** An MCP server that is a program on the daemon's machine */
export interface McpCommand {
  /** The program to start */
  command: string;
  /** Its arguments */
  args?: EnvironmentValue[] | undefined;
  /** Further variables of its environment */
  env?: Record<string, EnvironmentValue> | undefined;
}

/** An MCP server that is reached by HTTP */
export interface McpUrl {
  /** Its address */
  url: string | {
    /** Marks the value as a secret */
    secret: true;
    /** The address itself */
    value: string;
  };
  /** Headers sent with every request to it */
  headers?: Record<string, EnvironmentValue> | undefined;
}

/** One MCP server, by command or by URL */
export type McpServer = McpCommand | McpUrl;

/** With what a session is created */
export interface CreateSession {
  /** Who works: claude, codex, opencode, amp, codebuff, mock */
  agent: AgentName;
  /** Which model; `agents list-models` names them */
  model?: string | undefined;
  /** What the agent does: build, plan …; `agents list-modes` names them */
  agentMode?: string | undefined;
  /** How hard the model thinks: low, medium, high, xhigh */
  variant?: string | undefined;
  /** default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing */
  permissionMode?: PermissionMode | undefined;
  /** A name for people */
  title?: string | undefined;
  /** Times in milliseconds and a budget: {"turnMs":600000,"turnIdleMs":300000,"toolIdleMs":3600000,"requestMs":60000,"agentIdleMs":600000,"budgetUsd":5,"budgetTokens":2000000,"requestsPerMinute":60} */
  limits?: Limits | undefined;
  /** The agent's API key for this session; kept in memory only */
  token?: string | undefined;
  /** Further variables of the agent's environment */
  env?: Record<string, EnvironmentValue> | undefined;
  /** MCP servers by name: {"files":{"command":"mcp-files","args":["."],"env":{}},"web":{"url":"https://…","headers":{}}} */
  mcp?: Record<string, McpServer> | undefined;
  /** true asks nothing, whatever permissionMode says */
  dangerouslySkipPermissions?: boolean | undefined;
  /** The model endpoint, without a version path such as /v1 */
  baseUrl?: string | undefined;
  /** Asks the provider whether it takes the token */
  validateToken?: boolean | undefined;
  /** This version of the agent, installed if it is not there */
  agentVersion?: string | undefined;
  /** Where the agent works; must exist; default: the daemon's */
  directory?: string | undefined;
  /** Appended to the agent's own */
  systemPrompt?: string | undefined;
  /** The agent's own settings */
  agentOptions?: Record<string, unknown> | undefined;
  /** Sessions of one group share their budget: limits hold for what all of them spend */
  budgetGroup?: string | undefined;
  /** The route of routes.yaml that its model requests take */
  route?: string | undefined;
}

/** What can be changed of a session; what is absent stays as it is */
export interface UpdateSession {
  /** Which model; `agents list-models` names them */
  model?: string | undefined;
  /** What the agent does: build, plan …; `agents list-modes` names them */
  agentMode?: string | undefined;
  /** How hard the model thinks: low, medium, high, xhigh */
  variant?: string | undefined;
  /** default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing */
  permissionMode?: PermissionMode | undefined;
  /** A name for people */
  title?: string | undefined;
  /** Times in milliseconds and a budget: {"turnMs":600000,"turnIdleMs":300000,"toolIdleMs":3600000,"requestMs":60000,"agentIdleMs":600000,"budgetUsd":5,"budgetTokens":2000000,"requestsPerMinute":60} */
  limits?: Limits | undefined;
  /** The agent's API key for this session; kept in memory only */
  token?: string | undefined;
  /** Further variables of the agent's environment */
  env?: Record<string, EnvironmentValue> | undefined;
  /** MCP servers by name: {"files":{"command":"mcp-files","args":["."],"env":{}},"web":{"url":"https://…","headers":{}}} */
  mcp?: Record<string, McpServer> | undefined;
}

/** Tokens of all turns of a session */
export interface SessionUsage {
  /** Tokens the models read, those from the cache included */
  inputTokens: number;
  /** Tokens the models wrote, thoughts included */
  outputTokens: number;
  /** Of the tokens read, those from the cache */
  cachedInputTokens?: number | undefined;
  /** Of the tokens written, those of thoughts */
  reasoningTokens?: number | undefined;
}

/** Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it */
export type Keys = "gateway" | "agent" | "none";

/** Tokens of model requests */
export interface UsedTokens {
  /** Tokens that were sent, those from the cache included */
  input: number;
  /** Of the tokens sent, those from the cache */
  cached: number;
  /** Tokens that were answered, thoughts included */
  output: number;
  /** Of the tokens answered, those of thoughts */
  reasoning: number;
}

/** What requests to one model used and cost */
export interface ModelUsage {
  /** Who was asked */
  provider: string;
  /** The model that was asked for */
  model: string;
  /** How many requests were made */
  requests: number;
  /** Tokens of model requests */
  tokens: UsedTokens;
  /** What that costs by our table of prices, in US dollars */
  listUsd: number;
  /** What the provider says it billed, where it says so */
  billedUsd?: number | undefined;
  /** Requests that are not over: their input is counted, by estimate */
  open?: number | undefined;
  /** Requests whose answer told no usage, or was cut: counted by their characters */
  estimated?: number | undefined;
}

/** What the requests of one turn used and cost */
export interface TurnUsage {
  /** The turn; absent for what no turn asked for */
  turnId?: string | undefined;
  /** How many requests were made */
  requests: number;
  /** Tokens of model requests */
  tokens: UsedTokens;
  /** What that costs by our table of prices, in US dollars */
  listUsd: number;
  /** What the provider says it billed, where it says so */
  billedUsd?: number | undefined;
  /** Requests that are not over: their input is counted, by estimate */
  open?: number | undefined;
  /** Requests whose answer told no usage, or was cut: counted by their characters */
  estimated?: number | undefined;
}

/** What the requests of one sub-agent used and cost */
export interface SubAgentUsage {
  /** The agent's own name of the sub-agent */
  subAgent: string;
  /** How many requests were made */
  requests: number;
  /** Tokens of model requests */
  tokens: UsedTokens;
  /** What that costs by our table of prices, in US dollars */
  listUsd: number;
  /** What the provider says it billed, where it says so */
  billedUsd?: number | undefined;
  /** Requests that are not over: their input is counted, by estimate */
  open?: number | undefined;
  /** Requests whose answer told no usage, or was cut: counted by their characters */
  estimated?: number | undefined;
}

/** What a session's model requests used and cost, and whose they were */
export interface UsageReport {
  /** How many requests were made */
  requests: number;
  /** Tokens of model requests */
  tokens: UsedTokens;
  /** What that costs by our table of prices, in US dollars */
  listUsd: number;
  /** What the provider says it billed, where it says so */
  billedUsd?: number | undefined;
  /** Requests that are not over: their input is counted, by estimate */
  open?: number | undefined;
  /** Requests whose answer told no usage, or was cut: counted by their characters */
  estimated?: number | undefined;
  /** By model */
  byModel: ModelUsage[];
  /** By turn, the newest 1000 */
  byTurn: TurnUsage[];
  /** Only what sub-agents asked for, by sub-agent */
  bySubAgent: SubAgentUsage[];
}

/** A session: one conversation with one agent, and how it stands */
export interface Session {
  /** The session's id: your own, or one the daemon made */
  sessionId: string;
  /** Which agent works in it */
  agent: string;
  /** The version of the agent's program */
  agentVersion?: string | undefined;
  /** The id under which the agent itself knows the conversation */
  nativeSessionId?: string | undefined;
  /** The model it works with, once it is known */
  model?: string | undefined;
  /** What the agent does: build, plan … */
  agentMode?: string | undefined;
  /** How hard the model thinks */
  variant?: string | undefined;
  /** What the agent may do without asking */
  permissionMode: PermissionMode;
  /** Where the agent works, on the daemon's machine */
  directory: string;
  /** What was given as a name, by a client or by the agent */
  title?: string | undefined;
  /** What a list shows: the title, or else the beginning of the first message in one line, without secrets */
  name?: string | undefined;
  /** starting: its agent is being started; idle: ready; running: a turn is open; waiting: for a person; asleep: its agent was put to sleep and wakes with a message; ended: its agent's process is over; unreadable: its files are damaged */
  state: SessionState;
  /** false: its agent cannot be started; error says why */
  healthy: boolean;
  /** Why its agent does not run */
  error?: AgentError | undefined;
  /** Secrets that were lost with a restart of the daemon and must be given again */
  needsCredentials?: string[] | undefined;
  /** The number of its newest event; 0 while there is none */
  lastSequence: number;
  /** The turn that is open */
  turnId?: string | undefined;
  /** How many messages wait for a turn */
  queued: number;
  /** How many questions and permissions wait for a person */
  pendingRequests: number;
  /** Tokens of all its turns */
  usage: SessionUsage;
  /** What all its turns have cost, in US dollars */
  costUsd: number;
  /** Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it */
  keys: Keys;
  /** What its model requests were, as the gateway counted them */
  wire?: WireUsage | undefined;
  /** The limits it was given */
  limits?: Limits | undefined;
  /** The group whose budget it shares */
  budgetGroup?: string | undefined;
  /** The route that its model requests take */
  route?: string | undefined;
  /** When it was created, in UTC */
  createdAt: string;
  /** When something last happened in it, whatever it was, in UTC */
  updatedAt: string;
  /** When a person last sent a message or answered; not moved by sleep, restart or stop */
  lastUsedAt: string;
}

/** A session that was created, or was there with the same settings */
export interface CreatedSession {
  /** Whether its agent runs; the session exists either way */
  healthy: boolean;
  /** Why its agent does not run */
  error?: AgentError | undefined;
  /** Only with validateToken: whether the token could be checked */
  validated?: boolean | undefined;
  /** The session as it is now */
  session: Session;
}

/** How a turn is interrupted */
export interface InterruptSession {
  /** What happens to queued messages; keep by default */
  queue?: "keep" | "cancel" | undefined;
}

/** A file for the agent: by its path on the daemon's machine, or with its content */
export interface Attachment {
  /** A file on the daemon's machine */
  path?: string | undefined;
  /** The content itself, base64 */
  data?: string | undefined;
  /** Its media type, such as image/png */
  mime: string;
  /** Its name, for the agent */
  filename?: string | undefined;
}

/** A message to the agent */
export interface SendMessage {
  /** What the agent is told */
  message: string;
  /** A file: {"path":"/on/the/daemon.png","mime":"image/png"}, or its content: {"data":"<base64>","mime":…} */
  attachments?: Attachment[] | undefined;
  /** Makes a retry harmless: the same message with the same id is given once */
  messageId?: string | undefined;
  /** queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open */
  delivery?: Delivery | undefined;
}

/** A message that is safe on the daemon's disk */
export interface SentMessage {
  /** The message's id: your own, or one the daemon made */
  messageId: string;
  /** The number of the event that says it was accepted: read on from here */
  sequence: number;
}

/** What a person, a model or a tool said */
export interface ConversationMessage {
  /** Who speaks */
  role: "user" | "assistant" | "system" | "tool";
  /** The message's id */
  messageId: string;
  /** The turn it belongs to */
  turnId?: string | undefined;
  /** When it was written, in UTC */
  createdAt: string;
  /** true: the session was rewound to before it; the agent does not know of it */
  rewound?: boolean | undefined;
  /** How far it is */
  status: "queued" | "in_progress" | "completed" | "failed" | "cancelled";
  /** What it says, piece by piece */
  parts: Part[];
}

/** Something the agent said that this daemon cannot read */
export interface UnparsedMessage {
  /** Something of the agent that this daemon cannot read */
  role: "unparsed";
  /** The message's id */
  messageId: string;
  /** The turn it belongs to */
  turnId?: string | undefined;
  /** When it was written, in UTC */
  createdAt: string;
  /** true: the session was rewound to before it; the agent does not know of it */
  rewound?: boolean | undefined;
  /** It as the agent wrote it */
  raw: unknown;
  /** Why it could not be read */
  error: string;
}

/** One message of the conversation; role says who speaks */
export type UniversalMessage = ConversationMessage | UnparsedMessage;

/** Questions and permissions that wait for a person */
export interface PendingRequests {
  /** Questions and plans that wait */
  questions: QuestionRequested[];
  /** Permissions that wait */
  permissions: PermissionRequested[];
}

/** The answer to a question or plan */
export interface ReplyQuestion {
  /** One array per question: option labels or ids, or own text where the question allows it; empty is no answer */
  answers: string[][];
  /** The plan as edited by the person, for a plan approval */
  editedText?: string | undefined;
}

/** How a question is declined */
export interface RejectQuestion {
  /** Told to the agent */
  message?: string | undefined;
}

/** The answer to a permission */
export interface ReplyPermission {
  /** always: for the rest of the session, what alwaysScope says */
  reply: "once" | "always" | "reject";
  /** Told to the agent with a rejection */
  message?: string | undefined;
  /** true tells that no person decided: the log says by client, not by user */
  automatic?: boolean | undefined;
}

/** What an agent can do through this API; what it cannot do is refused with unsupported_option */
export interface Capabilities {
  /** It asks a person and hears the answer */
  questions: boolean;
  /** It asks before it acts */
  permissions: boolean;
  /** It proposes a plan and waits for its approval */
  planApproval: boolean;
  /** A turn can be stopped */
  interrupt: boolean;
  /** A message can be sent into the open turn */
  steer: boolean;
  /** A new process goes on with the conversation */
  resume: boolean;
  /** The model can be chosen */
  models: boolean;
  /** It has agent modes to choose from */
  modes: boolean;
  /** The effort of the model can be chosen */
  variants: boolean;
  /** What the model thinks is told */
  reasoning: boolean;
  /** Texts are told piece by piece */
  deltas: boolean;
  /** The input of a call is told while it is written */
  toolInputDeltas: boolean;
  /** The output of a tool is told while it runs */
  toolOutputDeltas: boolean;
  /** Edits come with their difference */
  diffs: boolean;
  /** Its todo list is told */
  todos: boolean;
  /** What its sub-agents do is told under their call */
  subagents: boolean;
  /** Tokens are counted */
  usage: boolean;
  /** Costs are told */
  cost: boolean;
  /** Its model requests pass the daemon's gateway: keys are hidden, costs are counted */
  gateway: boolean;
  /** Pictures in a message are seen by the model */
  images: boolean;
  /** Files can be attached to a message */
  attachments: boolean;
  /** MCP servers can be added */
  mcp: boolean;
  /** Instructions can be appended to its own */
  systemPrompt: boolean;
  /** A turn can answer in the form of a JSON schema (agentOptions) */
  structuredOutput: boolean;
  /** One process serves many sessions */
  sharedServer: boolean;
  /** Settings a running agent takes over; the others start another process */
  live: LiveSetting[];
  /** The permission modes it has */
  permissionModes: PermissionMode[];
}

/** The shared processes of an agent */
export interface ServerStatus {
  /** How many processes of it run */
  processes: number;
  /** How many sessions they serve */
  sessions: number;
}

/** An agent that the daemon can drive */
export interface AgentInfo {
  /** The name a session is created with */
  id: string;
  /** Its name for people */
  name: string;
  /** Whether its program is there */
  installed: boolean;
  /** The installed version */
  version?: string | undefined;
  /** Where its program lies */
  path?: string | undefined;
  /** Where its program came from */
  source?: string | undefined;
  /** Whether the version that is installed is one the daemon drives */
  supported?: boolean | undefined;
  /** Whether a key or login for it was found on the daemon's machine */
  credentialsAvailable: boolean;
  /** Absent while the agent can be installed but not driven */
  capabilities?: Capabilities | undefined;
  /** Of an agent whose process serves many sessions */
  serverStatus?: ServerStatus | undefined;
}

/** A model that an agent offers */
export interface Model {
  /** What to give as model */
  id: string;
  /** Its name for people */
  name?: string | undefined;
  /** Who serves it */
  provider?: string | undefined;
  /** true: taken when no model is named */
  default?: boolean | undefined;
  /** The model that this id stands for, as a session that runs names it */
  resolvesTo?: string | undefined;
  /** What to give as variant: how hard it can think */
  variants?: string[] | undefined;
  /** How many tokens its context holds */
  contextWindow?: number | undefined;
}

/** A mode that an agent offers */
export interface Mode {
  /** What to give as agentMode */
  id: string;
  /** Its name for people */
  name?: string | undefined;
  /** What the agent does in it */
  description?: string | undefined;
  /** true: taken when no mode is named */
  default?: boolean | undefined;
}

/** Which version is installed */
export interface InstallAgent {
  /** This version, or latest; default: the one that is there, or the newest */
  version?: string | undefined;
  /** Downloads it again, also when it is there */
  reinstall?: boolean | undefined;
}

/** An agent that is installed and verified */
export interface InstalledAgent {
  /** The version that is there now */
  version: string;
  /** Where its program lies */
  path: string;
  /** Where it came from */
  source: string;
  /** How it was made sure that the download is the right one */
  verifiedBy: string;
  /** Whether nothing had to be done */
  alreadyInstalled: boolean;
  /** It is the version this daemon was tested with */
  tested?: boolean | undefined;
}

/** What was removed of an agent */
export interface UninstalledAgent {
  /** The versions that were removed */
  removed: string[];
}

/** That a credential exists and where, never the credential */
export interface CredentialInfo {
  /** The agent it is for */
  agent: string;
  /** Whose models it opens */
  provider: string;
  /** Whether it is there */
  found: boolean;
  /** Where it was found: a variable or a file */
  source?: string | undefined;
  /** A key, or a login */
  kind?: "api_key" | "oauth" | undefined;
  /** What else there is to know, such as that it has expired */
  note?: string | undefined;
}

/** An access token as it is listed: never the token itself */
export interface AccessToken {
  /** The token's id, by which it is revoked */
  tokenId: string;
  /** read sees; answer also replies to questions and permissions; work also creates and sends; admin does all */
  scope: "read" | "answer" | "work" | "admin";
  /** Only these sessions; every one by default */
  sessions?: string[] | undefined;
  /** Only sessions of these agents */
  agents?: string[] | undefined;
  /** When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default */
  expiresAt?: string | undefined;
  /** What it is for, in lists */
  name?: string | undefined;
  /** When it was made, in UTC */
  createdAt: string;
  /** To the minute; missing where it never was */
  lastUsedAt?: string | undefined;
}

/** What a new access token lets its holder do */
export interface CreateToken {
  /** read sees; answer also replies to questions and permissions; work also creates and sends; admin does all */
  scope: "read" | "answer" | "work" | "admin";
  /** Only these sessions; every one by default */
  sessions?: string[] | undefined;
  /** Only sessions of these agents */
  agents?: string[] | undefined;
  /** When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default */
  expiresAt?: string | undefined;
  /** What it is for, in lists */
  name?: string | undefined;
}

/** An access token that was just made, with the token itself */
export interface CreatedToken {
  /** The token's id, by which it is revoked */
  tokenId: string;
  /** read sees; answer also replies to questions and permissions; work also creates and sends; admin does all */
  scope: "read" | "answer" | "work" | "admin";
  /** Only these sessions; every one by default */
  sessions?: string[] | undefined;
  /** Only sessions of these agents */
  agents?: string[] | undefined;
  /** When it ends, as 2027-01-31T12:00:00Z (on the command line also 90m, 12h, 30d); never by default */
  expiresAt?: string | undefined;
  /** What it is for, in lists */
  name?: string | undefined;
  /** When it was made, in UTC */
  createdAt: string;
  /** To the minute; missing where it never was */
  lastUsedAt?: string | undefined;
  /** The token itself, told this once: only its hash is kept */
  token: string;
}

/** What useChat of the AI SDK posts */
export interface SendUi {
  /** The chat is the session with this id */
  id: string;
  /** Only the last is read: {"role":"user","parts":[{"type":"text","text":"Say hello"}]} */
  messages: unknown[];
  /** submit-message; regenerate-message is refused: a log is never rewritten */
  trigger?: string | undefined;
  /** The message useChat changes; not needed here */
  messageId?: string | undefined;
  /** What an approval grants: once by default */
  reply?: "once" | "always" | undefined;
  /** Further fields. */
  [field: string]: unknown;
}

/** One part of a message of the AI SDK; its further fields are the AI SDK's */
export interface UiPart {
  /** What kind of part it is, in the AI SDK's words */
  type: string;
  /** Further fields. */
  [field: string]: unknown;
}

/** A message of the AI SDK, as far as it is read */
export interface UiMessage {
  /** The message's id */
  id?: string | undefined;
  /** Who speaks */
  role: "user" | "assistant" | "system";
  /** What it says, part by part */
  parts: UiPart[];
  /** Further fields. */
  [field: string]: unknown;
}

/** One chunk of the AI SDK's UI message stream; its further fields are the AI SDK's */
export interface UiChunk {
  /** What kind of chunk it is, in the AI SDK's words */
  type: string;
  /** Further fields. */
  [field: string]: unknown;
}

/** A message of the AI SDK; its parts are what the chunks of the stream would have made */
export interface ChatMessage {
  /** The message's id */
  id: string;
  /** Who speaks */
  role: "user" | "assistant" | "system";
  /** What it says, part by part */
  parts: UiPart[];
  /** Further fields. */
  [field: string]: unknown;
}

/** A session's past as the AI SDK's chat takes it */
export interface UiHistory {
  /** The conversation for `useChat({ messages })`, oldest first */
  messages: ChatMessage[];
}

/** The size of a terminal */
export interface TerminalSize {
  /** Characters in a row */
  columns: number;
  /** Rows on the screen */
  rows: number;
}

/** What a process may use; behind a limit it is ended, with all it has started */
export interface ProcessLimits {
  /** It is ended after so many milliseconds; by default a process may run for ever, and a run one minute */
  timeoutMs?: number | undefined;
  /** It is ended when it has written so much; 1 GiB by default */
  outputBytes?: number | undefined;
  /** What it and all it starts may use together; refused where the kernel lets us make no group of processes */
  memoryBytes?: number | undefined;
}

/** A process to start */
export interface StartProcess {
  /** The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c */
  command: string;
  /** Its arguments */
  args?: string[] | undefined;
  /** Where it runs; the directory of its session, or the daemon's */
  directory?: string | undefined;
  /** Added to the variables that agents get too; they are kept nowhere */
  env?: Record<string, string> | undefined;
  /** The session it belongs to: it ends with that; without one it is the daemon's */
  owner?: string | undefined;
  /** It gets a terminal of this size in place of pipes */
  pty?: TerminalSize | undefined;
  /** What a process may use; behind a limit it is ended, with all it has started */
  limits?: ProcessLimits | undefined;
}

/** A process to run to its end */
export interface RunProcess {
  /** The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c */
  command: string;
  /** Its arguments */
  args?: string[] | undefined;
  /** Where it runs; the directory of its session, or the daemon's */
  directory?: string | undefined;
  /** Added to the variables that agents get too; they are kept nowhere */
  env?: Record<string, string> | undefined;
  /** The session it belongs to: it ends with that; without one it is the daemon's */
  owner?: string | undefined;
  /** Written to it, followed by the end of input */
  input?: string | undefined;
  /** How many bytes of each output are in the answer; 1 MiB by default, the rest is in its log */
  maxOutput?: number | undefined;
  /** What a process may use; behind a limit it is ended, with all it has started */
  limits?: ProcessLimits | undefined;
}

/** How a process ended */
export interface ProcessEnd {
  /** exited by itself or by a signal; ended by the daemon, for a limit or because somebody asked; lost: the machine or what held it went away, and it with it */
  reason: "exited" | "time_limit" | "output_limit" | "ended" | "lost";
  /** null when a signal ended it, or nobody knows */
  exitCode: number | null;
  /** The signal that ended it */
  signal: string | null;
  /** How much it has written in all */
  outputBytes: number;
  /** When its end was seen */
  endedAt: string;
}

/** A process that the daemon runs */
export interface Process {
  /** Its id */
  processId: string;
  /** The program */
  command: string;
  /** Its arguments */
  args: string[];
  /** Where it runs */
  directory: string;
  /** The session it belongs to; none: the daemon's own */
  owner?: string | undefined;
  /** It has a terminal of this size */
  pty?: TerminalSize | undefined;
  /** What a process may use; behind a limit it is ended, with all it has started */
  limits: ProcessLimits;
  /** ended: it and all it started are gone */
  state: "running" | "ended";
  /** Its number in the system */
  pid?: number | undefined;
  /** When it was started */
  createdAt: string;
  /** How much it has written so far */
  outputBytes: number;
  /** How often a daemon that started anew has taken it over */
  adopted: number;
  /** How a process ended */
  end?: ProcessEnd | undefined;
}

/** What a process wrote */
export interface OutputChunk {
  /** Its number in the log */
  sequence: number;
  /** When the daemon had it */
  time: string;
  /** It wrote something */
  type: "output";
  /** How many bytes of output were before it */
  offset: number;
  /** The offset behind it: where to go on */
  end: number;
  /** Where it was written */
  stream: "stdout" | "stderr" | "pty";
  /** The bytes in base64 */
  data?: string | undefined;
  /** In place of data, with text, where the bytes are whole characters */
  text?: string | undefined;
}

/** Its terminal got another size */
export interface ResizedChunk {
  /** Its number in the log */
  sequence: number;
  /** When the daemon had it */
  time: string;
  /** Its terminal got another size */
  type: "resized";
  /** How many bytes of output were before it */
  offset: number;
  /** Characters in a row from here on */
  columns: number;
  /** Rows from here on */
  rows: number;
}

/** A daemon that started anew took it over; of its output nothing is missing */
export interface AdoptedChunk {
  /** Its number in the log */
  sequence: number;
  /** When the daemon had it */
  time: string;
  /** Another daemon took it over */
  type: "adopted";
  /** How many bytes of output were before it */
  offset: number;
}

/** It has ended; nothing follows */
export interface EndedChunk {
  /** Its number in the log */
  sequence: number;
  /** When the daemon had it */
  time: string;
  /** It has ended */
  type: "ended";
  /** How many bytes of output were before it */
  offset: number;
  /** exited by itself or by a signal; ended by the daemon, for a limit or because somebody asked; lost: the machine or what held it went away, and it with it */
  reason: "exited" | "time_limit" | "output_limit" | "ended" | "lost";
  /** null when a signal ended it, or nobody knows */
  exitCode: number | null;
  /** The signal that ended it */
  signal: string | null;
  /** How much it has written in all */
  outputBytes: number;
  /** When its end was seen */
  endedAt: string;
}

/** Lines that the disk has lost; the offsets around it tell how much of the output that is */
export interface DamagedChunk {
  /** Its number in the log */
  sequence: number;
  /** When the daemon had it */
  time: string;
  /** Lines were lost */
  type: "damaged";
  /** The first line that cannot be read any more */
  from: number;
  /** How many bytes of the file they were */
  bytes: number;
}

/** A piece of the log of a process: output, a new size of its terminal, a daemon that took it over, its end, or lines that a disk has lost */
export type ProcessChunk = OutputChunk | ResizedChunk | AdoptedChunk | EndedChunk | DamagedChunk;

/** A port on which a process or one it started listens */
export interface ProcessPort {
  /** Its number */
  port: number;
  /** The address it listens on */
  address: string;
  /** Which of the processes listens */
  pid: number;
}

/** Characters of one style */
export interface ScreenRun {
  /** Characters of one style */
  text: string;
  /** Their style as parameters of an SGR sequence, such as 1;38;5;2; none: plain */
  style?: string | undefined;
}

/** What is on a terminal */
export interface TerminalScreen {
  /** All output up to here is on the screen */
  offset: number;
  /** Characters in a row */
  columns: number;
  /** Rows */
  rows: number;
  /** Where the cursor is */
  cursor: {
    /** From 0 */
    row: number;
    /** From 0; the number of columns when the next character wraps */
    column: number;
    /** Whether the program shows it */
    visible: boolean;
  };
  /** Whether a program has the whole screen */
  alternate: boolean;
  /** The title the program gave its window */
  title: string;
  /** Top to bottom */
  lines: Array<{
    /** Without blanks at its end */
    text: string;
    /** By style */
    runs: ScreenRun[];
  }>;
}

/** A file, a directory or a link */
export interface FileEntry {
  /** Relative to directory in a list, else absolute; bytes that are no UTF-8 stand as U+FFFD in it */
  path: string;
  /** The path in base64, where it is no UTF-8 */
  pathBytes?: string | undefined;
  /** other: a pipe, a socket or a device, which is named and never opened */
  type: "file" | "directory" | "link" | "other";
  /** In bytes */
  size: number;
  /** The permissions in octal, such as 644 */
  mode: string;
  /** When its content was changed last, in UTC */
  modifiedAt: string;
  /** Where a link points */
  target?: string | undefined;
  /** Of a file: another one whenever its content is another */
  etag?: string | undefined;
}

/** A file that was written */
export interface WrittenFile {
  /** Absolute, with links resolved */
  path: string;
  /** There was none before */
  created: boolean;
  /** In bytes, now */
  size: number;
  /** Of the content as it is now */
  etag: string;
}

/** A line in which it was found */
export interface FileMatch {
  /** Relative to directory */
  path: string;
  /** Counted from 1 */
  line: number;
  /** In bytes, counted from 1 */
  column: number;
  /** The line, cut after 500 characters */
  text: string;
}

/** A tree that was unpacked */
export interface UploadedTree {
  /** Absolute: where the tree lies */
  path: string;
  /** How many files came */
  files: number;
  /** How many directories came */
  directories: number;
  /** How many links came */
  links: number;
  /** How much the files hold together */
  bytes: number;
}

/** A change below a watched directory */
export interface FileChange {
  /** Counts from 1 in a stream, and goes on where a stream is taken up again */
  number: number;
  /** watching: from here on nothing is missed; overflow: something was, so look again at all of it */
  type: "watching" | "created" | "changed" | "removed" | "overflow";
  /** Relative to the watched directory; nothing for the directory as a whole */
  path?: string | undefined;
  /** The path in base64, where it is no UTF-8 */
  pathBytes?: string | undefined;
  /** What it is now */
  kind?: "file" | "directory" | "link" | "other" | undefined;
}

/** Tells that the daemon answers */
export interface HealthAnswer {
  /** It answers, so it is well */
  status: "ok";
}

/** Name, version and what the daemon serves */
export interface InfoAnswer {
  /** sandbox-daemon */
  name: string;
  /** The daemon's version */
  version: string;
  /** The ids of the agents it can drive */
  agents: string[];
  /** When an event is safe: written and synced in groups, one by one, or when the system likes */
  durability: "batch" | "sync" | "none";
  /** When it was started, in UTC */
  startedAt: string;
  /** Agents reach their models through the daemon, which keeps the keys and counts */
  gateway: boolean;
}

/** This API as OpenAPI 3.1 */
export interface OpenapiAnswer {
  /** The version of OpenAPI it is written in */
  openapi: string;
  /** Further fields. */
  [field: string]: unknown;
}

/** Every agent the daemon can drive */
export interface AgentsListAnswer {
  /** All of them, installed or not */
  agents: AgentInfo[];
}

/** The models an agent offers */
export interface AgentsListModelsAnswer {
  /** What can be given as model */
  models: Model[];
}

/** The modes an agent offers */
export interface AgentsListModesAnswer {
  /** What can be given as agentMode */
  modes: Mode[];
}

/** Sessions in the order they were created, or the last used first, or first those that wait for a person */
export interface SessionsListAnswer {
  /** One page of them */
  sessions: Session[];
  /** Whether another page follows */
  hasMore: boolean;
}

/** The conversation, folded from the log */
export interface SessionsGetMessagesAnswer {
  /** All of them, oldest first */
  messages: UniversalMessage[];
}

/** The content of a file that came with a message */
export interface SessionsGetAttachmentAnswer {
  /** In bytes */
  size: number;
  /** The content in base64 */
  data: string;
}

/** A page of events */
export interface SessionsGetEventsAnswer {
  /** With `as`, lines of that agent's protocol */
  events: UniversalEvent[];
  /** Whether another page follows */
  hasMore: boolean;
  /** With `as`: the offset of the next page */
  last?: number | undefined;
  /** With `as`: what that agent has no words for, and how often it was left out */
  leftOut?: Record<string, number> | undefined;
}

/** To where a session is rewound, and what of it */
export interface RewindSession {
  /** The turn after which the session goes on; turns count from 1, 0 is the beginning */
  to: number;
  /** Rewinds the files; both, when neither files nor chat is named */
  files?: boolean | undefined;
  /** Rewinds the conversation; both, when neither files nor chat is named */
  chat?: boolean | undefined;
  /** Tells what would change, and changes nothing */
  preview?: boolean | undefined;
  /** Ends the open turn, its requests and the queue first */
  interrupt?: boolean | undefined;
  /** Files that are rewound although somebody else changed them */
  force?: string[] | undefined;
}

/** What a rewind has done */
export interface SessionsRewindAnswer {
  /** What was done, or with preview would be done, to each file */
  changes: Array<{
    /** The file, from the session's directory */
    path: string;
    /** restored: as it was; removed: it was not there then; added: it was there and is gone now */
    change: "restored" | "removed" | "added";
    /** Whose changes go with it */
    by: Array<{
      /** The session that made it; absent for a person */
      session?: string | undefined;
      /** In which of its turns */
      turn?: number | undefined;
      /** By which call of a tool, where that is known */
      call?: string | undefined;
      /** By an edit tool, a command, a hook, a rewind, or by a person */
      how: "edit" | "command" | "hook" | "rewind" | "person";
    }>;
  }>;
  /** Files that keep a rewind from being done; force names them */
  conflicts: Array<{
    /** The file, from the session's directory */
    path: string;
    /** Who else changed it */
    by: Array<{
      /** The session that made it; absent for a person */
      session?: string | undefined;
      /** In which of its turns */
      turn?: number | undefined;
      /** By which call of a tool, where that is known */
      call?: string | undefined;
      /** By an edit tool, a command, a hook, a rewind, or by a person */
      how: "edit" | "command" | "hook" | "rewind" | "person";
    }>;
    /** changed_since: somebody else changed it; in_the_way: something else lies there; unknown: nobody knows */
    reason: "changed_since" | "in_the_way" | "unknown";
  }>;
  /** The turns that the conversation goes without from now on */
  turns: string[];
  /** With which the rewind is taken back; absent when nothing was done */
  undo?: string | undefined;
  /** Why the files were left as they are, where they were */
  filesSkipped?: string | undefined;
}

/** Which rewind is taken back */
export interface UndoRewind {
  /** Which rewind; by default the last one */
  undo?: string | undefined;
  /** Files that are brought back although somebody else changed them */
  force?: string[] | undefined;
}

/** What a rewind has done */
export interface SessionsUndoRewindAnswer {
  /** What was done, or with preview would be done, to each file */
  changes: Array<{
    /** The file, from the session's directory */
    path: string;
    /** restored: as it was; removed: it was not there then; added: it was there and is gone now */
    change: "restored" | "removed" | "added";
    /** Whose changes go with it */
    by: Array<{
      /** The session that made it; absent for a person */
      session?: string | undefined;
      /** In which of its turns */
      turn?: number | undefined;
      /** By which call of a tool, where that is known */
      call?: string | undefined;
      /** By an edit tool, a command, a hook, a rewind, or by a person */
      how: "edit" | "command" | "hook" | "rewind" | "person";
    }>;
  }>;
  /** Files that keep a rewind from being done; force names them */
  conflicts: Array<{
    /** The file, from the session's directory */
    path: string;
    /** Who else changed it */
    by: Array<{
      /** The session that made it; absent for a person */
      session?: string | undefined;
      /** In which of its turns */
      turn?: number | undefined;
      /** By which call of a tool, where that is known */
      call?: string | undefined;
      /** By an edit tool, a command, a hook, a rewind, or by a person */
      how: "edit" | "command" | "hook" | "rewind" | "person";
    }>;
    /** changed_since: somebody else changed it; in_the_way: something else lies there; unknown: nobody knows */
    reason: "changed_since" | "in_the_way" | "unknown";
  }>;
  /** The turns that the conversation goes without from now on */
  turns: string[];
  /** With which the rewind is taken back; absent when nothing was done */
  undo?: string | undefined;
  /** Why the files were left as they are, where they were */
  filesSkipped?: string | undefined;
}

/** Where a session is forked, and how often */
export interface ForkSession {
  /** After which turn it begins; by default the last one that is over */
  at?: number | undefined;
  /** Its id; with times the further ones are numbered: -2, -3 … */
  sessionId?: string | undefined;
  /** Where it works: a directory that does not exist yet, made as the session's was; by default the same one */
  directory?: string | undefined;
  /** Makes the directory as a git worktree instead of a copy */
  worktree?: boolean | undefined;
  /** How many of them; with directory those are numbered: -2, -3 … */
  times?: number | undefined;
}

/** Sessions that go on from a turn of another one */
export interface SessionsForkAnswer {
  /** The new sessions */
  sessions: CreatedSession[];
}

/** To whom a session is handed over */
export interface HandOver {
  /** Who goes on */
  agent: AgentName;
  /** With which model; by default the agent's own */
  model?: string | undefined;
  /** How the other agent's tool calls are told: as calls (default), or as text */
  foreignCalls?: "calls" | "text" | undefined;
  /** The new agent's API key for this session; kept in memory only */
  token?: string | undefined;
  /** The new agent's model endpoint; by default the one it has without a session */
  baseUrl?: string | undefined;
}

/** How a session went over to another agent */
export interface SessionsHandOverAnswer {
  /** imported: its conversation has the earlier turns as its own; digest: it is told of them with the next message */
  how: "imported" | "digest";
  /** What the new agent does not know of */
  notCarried: string[];
}

/** How a session's directory differs between the ends of two turns */
export interface SessionsChangesAnswer {
  /** The files that differ */
  files: Array<{
    /** The file, from the session's directory */
    path: string;
    /** What became of it */
    change: "added" | "changed" | "deleted";
    /** The difference as a unified diff; empty for what is no text */
    diff: string;
    /** Who changed it */
    by: Array<{
      /** The session that made it; absent for a person */
      session?: string | undefined;
      /** In which of its turns */
      turn?: number | undefined;
      /** By which call of a tool, where that is known */
      call?: string | undefined;
      /** By an edit tool, a command, a hook, a rewind, or by a person */
      how: "edit" | "command" | "hook" | "rewind" | "person";
    }>;
  }>;
  /** true: there are more than are told */
  truncated?: boolean | undefined;
  /** Why nothing is known of the files */
  skipped?: string | undefined;
}

/** Which credentials were found and where; never the secrets */
export interface CredentialsListAnswer {
  /** One for each agent and provider */
  credentials: CredentialInfo[];
}

/** A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect */
export interface CreateTicket {
  /** request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes */
  use?: "request" | "page" | undefined;
}

/** A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect */
export interface TicketsCreateAnswer {
  /** To be sent as ?ticket=, or behind /inspect#ticket= */
  ticket: string;
  /** Until when it is good, in UTC */
  expiresAt: string;
}

/** Takes the ticket of a page and gives it a key to send as its bearer token */
export interface RedeemTicket {
  /** Made with use: page; good for one time */
  ticket: string;
}

/** Takes the ticket of a page and gives it a key to send as its bearer token */
export interface TicketsRedeemAnswer {
  /** To be sent as bearer token */
  key: string;
  /** Until when it is good, in UTC */
  expiresAt: string;
}

/** The access tokens that let in, without the tokens themselves */
export interface TokensListAnswer {
  /** All that let in */
  tokens: AccessToken[];
}

/** Runs a program to its end and answers with its exit code and its outputs */
export interface ProcessesRunAnswer {
  /** Under which its log is kept */
  processId: string;
  /** How a process ended */
  end: ProcessEnd;
  /** Its output as text; what is no text is shown as replacement characters */
  stdout: string;
  /** The same of its errors */
  stderr: string;
  /** There is more in the log than here */
  truncated: boolean;
  /** From its start to its end */
  durationMs: number;
}

/** Processes in the order they were started */
export interface ProcessesListAnswer {
  /** Oldest first */
  processes: Process[];
}

/** A page of what a process has written, from any byte on */
export interface ProcessesGetLogsAnswer {
  /** Oldest first */
  chunks: ProcessChunk[];
  /** The offset of the next page */
  next: number;
  /** Whether there is more now */
  hasMore: boolean;
}

/** Writes to the input of a process, or to its terminal */
export interface InputProcesse {
  /** What to write */
  text?: string | undefined;
  /** The same as bytes in base64 */
  data?: string | undefined;
  /** Ends its input afterwards; in a terminal this presses Ctrl-D */
  end?: boolean | undefined;
}

/** Sends a signal to a process and its group */
export interface SignalProcesse {
  /** SIGTERM by default */
  signal?: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGKILL" | "SIGUSR1" | "SIGUSR2" | "SIGSTOP" | "SIGCONT" | "SIGWINCH" | undefined;
}

/** Gives the terminal of a process another size */
export interface ResizeProcesse {
  /** Characters in a row */
  columns: number;
  /** Rows on the screen */
  rows: number;
}

/** Ends a process and all it has started; its log stays */
export interface EndProcesse {
  /** How long it may take to end by itself; 2,000 by default */
  graceMs?: number | undefined;
}

/** The ports a process and all it has started listen on */
export interface ProcessesPortsAnswer {
  /** By their numbers; none where there is no /proc */
  ports: ProcessPort[];
}

/** What a directory holds */
export interface FilesListAnswer {
  /** Absolute, with links resolved */
  directory: string;
  /** One page of them */
  entries: FileEntry[];
  /** Whether another page follows */
  hasMore: boolean;
}

/** Makes a directory */
export interface MakeDirectory {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** Absolute, or relative to the session's directory */
  path: string;
  /** Makes those above it that are missing */
  parents?: boolean | undefined;
}

/** Copies a file or directory */
export interface MoveFile {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** What there is: absolute, or relative to the session's directory */
  from: string;
  /** What it is to be: the new path itself, not the directory it goes to */
  to: string;
  /** Whether a file that is there may be replaced; false by default */
  overwrite?: boolean | undefined;
}

/** Copies a file or directory */
export interface CopyFile {
  /** Paths are relative to the directory of this session, and nothing else is reached */
  session?: string | undefined;
  /** What there is: absolute, or relative to the session's directory */
  from: string;
  /** What it is to be: the new path itself, not the directory it goes to */
  to: string;
  /** Whether a file that is there may be replaced; false by default */
  overwrite?: boolean | undefined;
}

/** The lines of files that hold a text */
export interface FilesSearchAnswer {
  /** Absolute, with links resolved */
  directory: string;
  /** In the order of the paths */
  matches: FileMatch[];
  /** Whether there are more than were wanted */
  hasMore: boolean;
}

/** What each type of event holds. */
export interface EventData {
  /** A life of the agent has begun: its process is ready */
  "session.started": SessionStarted;
  /** Settings of the session have changed; what is absent stayed as it was */
  "session.updated": SessionUpdated;
  /** A life of the agent has ended; the session stays, and a message begins a new life */
  "session.ended": SessionEnded;
  /** The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log */
  "session.rewound": SessionRewound;
  /** Here a session begins that goes on from a turn of another one; the events before are that one's */
  "session.forked": SessionForked;
  /** Another agent goes on with the session */
  "agent.changed": AgentChanged;
  /** A message was accepted, given to the agent, taken back or failed */
  "message.updated": MessageUpdated;
  /** The agent begins to work on a message */
  "turn.started": TurnStarted;
  /** A turn is over: how it ended, what it used and what it cost */
  "turn.ended": TurnEnded;
  /** Something new in the turn has begun: a text, a thought, a tool call */
  "item.started": ItemStarted;
  /** A piece of an item that is still being written; left out with deltas=false */
  "item.delta": ItemDelta;
  /** An item is finished: this is all of it, whether or not pieces came before */
  "item.completed": ItemCompleted;
  /** The agent asks a person something, or proposes a plan, and waits */
  "question.requested": QuestionRequested;
  /** A question was answered, or no longer waits */
  "question.resolved": QuestionResolved;
  /** The agent asks whether it may do something, and waits */
  "permission.requested": PermissionRequested;
  /** A permission was decided, or no longer waits */
  "permission.resolved": PermissionResolved;
  /** The agent's todo list has changed */
  "plan.updated": PlanUpdated;
  /** Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them */
  "usage.updated": UsageUpdated;
  /** Four fifths of a budget are spent; told once for each budget */
  "budget.warned": BudgetWarned;
  /** A trouble of the agent; whether the turn failed is told by turn.ended */
  error: ErrorReported;
  /** The agent said something this daemon cannot read; nothing is dropped in silence */
  "agent.unparsed": AgentUnparsed;
  /** There is no snapshot of the directory; its files cannot be rewound to this moment */
  "snapshot.skipped": SnapshotSkipped;
  /** Stands for events that cannot be read any more; its sequence is the last of theirs */
  "log.damaged": LogDamaged;
}
