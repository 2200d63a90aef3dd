/** Made by npm run generate. */
import { namedSchemas } from "@muster/schema";
import type { Schema } from "../schema.ts";
import type * as types from "./types.ts";

/** An agent's id */
export const AgentName: Schema<types.AgentName> = namedSchemas.AgentName as unknown as Schema<types.AgentName>;

/** default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing */
export const PermissionMode: Schema<types.PermissionMode> = namedSchemas.PermissionMode as unknown as Schema<types.PermissionMode>;

/** starting: its agent is being started; idle: ready; running: a turn is open; waiting: for a person; asleep: its agent was put to sleep and wakes with a message; ended: its agent's process is over; unreadable: its files are damaged */
export const SessionState: Schema<types.SessionState> = namedSchemas.SessionState as unknown as Schema<types.SessionState>;

/** What the agent's process does */
export const AgentState: Schema<types.AgentState> = namedSchemas.AgentState as unknown as Schema<types.AgentState>;

/** A setting that can be changed in the middle of a session */
export const LiveSetting: Schema<types.LiveSetting> = namedSchemas.LiveSetting as unknown as Schema<types.LiveSetting>;

/** What kind of thing it is */
export const ItemKind: Schema<types.ItemKind> = namedSchemas.ItemKind as unknown as Schema<types.ItemKind>;

/** How far it is */
export const ItemStatus: Schema<types.ItemStatus> = namedSchemas.ItemStatus as unknown as Schema<types.ItemStatus>;

/** Who speaks */
export const Role: Schema<types.Role> = namedSchemas.Role as unknown as Schema<types.Role>;

/** What kind of tool it is, the same words for all agents */
export const ToolKind: Schema<types.ToolKind> = namedSchemas.ToolKind as unknown as Schema<types.ToolKind>;

/** queued: accepted; given: its turn has begun; joined: it went into the open turn; cancelled; failed: never given */
export const MessageStatus: Schema<types.MessageStatus> = namedSchemas.MessageStatus as unknown as Schema<types.MessageStatus>;

/** queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open */
export const Delivery: Schema<types.Delivery> = namedSchemas.Delivery as unknown as Schema<types.Delivery>;

/** How a turn ended; uncertain: the daemon was killed and cannot know whether the agent finished */
export const TurnStatus: Schema<types.TurnStatus> = namedSchemas.TurnStatus as unknown as Schema<types.TurnStatus>;

/** Why a turn did not complete; docs/problems.md lists the causes */
export const Cause: Schema<types.Cause> = namedSchemas.Cause as unknown as Schema<types.Cause>;

/** What went wrong, for programs; docs/problems.md lists the codes */
export const ProblemCode: Schema<types.ProblemCode> = namedSchemas.ProblemCode as unknown as Schema<types.ProblemCode>;

/** What kind of thing the agent wants to do */
export const PermissionAction: Schema<types.PermissionAction> = namedSchemas.PermissionAction as unknown as Schema<types.PermissionAction>;

/** A question, or a plan that waits for approval */
export const QuestionKind: Schema<types.QuestionKind> = namedSchemas.QuestionKind as unknown as Schema<types.QuestionKind>;

/** Who says so: the agent, or the daemon itself */
export const EventSource: Schema<types.EventSource> = namedSchemas.EventSource as unknown as Schema<types.EventSource>;

/** A text that was said */
export const TextPart: Schema<types.TextPart> = namedSchemas.TextPart as unknown as Schema<types.TextPart>;

/** What the model thinks before it speaks or acts */
export const ReasoningPart: Schema<types.ReasoningPart> = namedSchemas.ReasoningPart as unknown as Schema<types.ReasoningPart>;

/** The agent uses a tool */
export const ToolCallPart: Schema<types.ToolCallPart> = namedSchemas.ToolCallPart as unknown as Schema<types.ToolCallPart>;

/** What a tool gave */
export const ToolResultPart: Schema<types.ToolResultPart> = namedSchemas.ToolResultPart as unknown as Schema<types.ToolResultPart>;

/** A file that was read or changed */
export const FilePart: Schema<types.FilePart> = namedSchemas.FilePart as unknown as Schema<types.FilePart>;

/** A picture */
export const ImagePart: Schema<types.ImagePart> = namedSchemas.ImagePart as unknown as Schema<types.ImagePart>;

/** A plan that the agent proposes */
export const PlanPart: Schema<types.PlanPart> = namedSchemas.PlanPart as unknown as Schema<types.PlanPart>;

/** A notice of the agent, such as that it shortens its context */
export const StatusPart: Schema<types.StatusPart> = namedSchemas.StatusPart as unknown as Schema<types.StatusPart>;

/** A value without a form of its own */
export const JsonPart: Schema<types.JsonPart> = namedSchemas.JsonPart as unknown as Schema<types.JsonPart>;

/** One piece of an item's content; type says which */
export const Part: Schema<types.Part> = namedSchemas.Part as unknown as Schema<types.Part>;

/** One thing in a turn: a message, a thought, a tool call, a result */
export const Item: Schema<types.Item> = namedSchemas.Item as unknown as Schema<types.Item>;

/** Tokens of a turn */
export const Usage: Schema<types.Usage> = namedSchemas.Usage as unknown as Schema<types.Usage>;

/** Model requests as the gateway counted them, whatever the agent says */
export const WireUsage: Schema<types.WireUsage> = namedSchemas.WireUsage as unknown as Schema<types.WireUsage>;

/** A model request: told when it begins, with what its input costs by estimate, and when it is over */
export const ModelRequest: Schema<types.ModelRequest> = namedSchemas.ModelRequest as unknown as Schema<types.ModelRequest>;

/** One line of an agent's todo list */
export const PlanEntry: Schema<types.PlanEntry> = namedSchemas.PlanEntry as unknown as Schema<types.PlanEntry>;

/** A slash command that the agent understands in a message */
export const AgentCommand: Schema<types.AgentCommand> = namedSchemas.AgentCommand as unknown as Schema<types.AgentCommand>;

/** What the agent's process wrote to its standard error */
export const StderrExcerpt: Schema<types.StderrExcerpt> = namedSchemas.StderrExcerpt as unknown as Schema<types.StderrExcerpt>;

/** An attached file as the log knows it */
export const AttachmentInfo: Schema<types.AttachmentInfo> = namedSchemas.AttachmentInfo as unknown as Schema<types.AttachmentInfo>;

/** One of the answers a question offers */
export const QuestionOption: Schema<types.QuestionOption> = namedSchemas.QuestionOption as unknown as Schema<types.QuestionOption>;

/** One question to a person */
export const Question: Schema<types.Question> = namedSchemas.Question as unknown as Schema<types.Question>;

/** What a plan asks leave for in advance */
export const AllowedPrompt: Schema<types.AllowedPrompt> = namedSchemas.AllowedPrompt as unknown as Schema<types.AllowedPrompt>;

/** What the answer always grants for the rest of the session */
export const PermissionScope: Schema<types.PermissionScope> = namedSchemas.PermissionScope as unknown as Schema<types.PermissionScope>;

/** What exactly the agent wants to do */
export const PermissionDetail: Schema<types.PermissionDetail> = namedSchemas.PermissionDetail as unknown as Schema<types.PermissionDetail>;

/** A text of the event was too long and was cut */
export const Truncated: Schema<types.Truncated> = namedSchemas.Truncated as unknown as Schema<types.Truncated>;

/** A life of the agent has begun: its process is ready */
export const SessionStarted: Schema<types.SessionStarted> = namedSchemas.SessionStarted as unknown as Schema<types.SessionStarted>;

/** A life of the agent has begun: its process is ready */
export const SessionStartedEvent: Schema<types.SessionStartedEvent> = namedSchemas.SessionStartedEvent as unknown as Schema<types.SessionStartedEvent>;

/** Settings of the session have changed; what is absent stayed as it was */
export const SessionUpdated: Schema<types.SessionUpdated> = namedSchemas.SessionUpdated as unknown as Schema<types.SessionUpdated>;

/** Settings of the session have changed; what is absent stayed as it was */
export const SessionUpdatedEvent: Schema<types.SessionUpdatedEvent> = namedSchemas.SessionUpdatedEvent as unknown as Schema<types.SessionUpdatedEvent>;

/** A life of the agent has ended; the session stays, and a message begins a new life */
export const SessionEnded: Schema<types.SessionEnded> = namedSchemas.SessionEnded as unknown as Schema<types.SessionEnded>;

/** A life of the agent has ended; the session stays, and a message begins a new life */
export const SessionEndedEvent: Schema<types.SessionEndedEvent> = namedSchemas.SessionEndedEvent as unknown as Schema<types.SessionEndedEvent>;

/** The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log */
export const SessionRewound: Schema<types.SessionRewound> = namedSchemas.SessionRewound as unknown as Schema<types.SessionRewound>;

/** The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log */
export const SessionRewoundEvent: Schema<types.SessionRewoundEvent> = namedSchemas.SessionRewoundEvent as unknown as Schema<types.SessionRewoundEvent>;

/** Here a session begins that goes on from a turn of another one; the events before are that one's */
export const SessionForked: Schema<types.SessionForked> = namedSchemas.SessionForked as unknown as Schema<types.SessionForked>;

/** Here a session begins that goes on from a turn of another one; the events before are that one's */
export const SessionForkedEvent: Schema<types.SessionForkedEvent> = namedSchemas.SessionForkedEvent as unknown as Schema<types.SessionForkedEvent>;

/** Another agent goes on with the session */
export const AgentChanged: Schema<types.AgentChanged> = namedSchemas.AgentChanged as unknown as Schema<types.AgentChanged>;

/** Another agent goes on with the session */
export const AgentChangedEvent: Schema<types.AgentChangedEvent> = namedSchemas.AgentChangedEvent as unknown as Schema<types.AgentChangedEvent>;

/** A message was accepted, given to the agent, taken back or failed */
export const MessageUpdated: Schema<types.MessageUpdated> = namedSchemas.MessageUpdated as unknown as Schema<types.MessageUpdated>;

/** A message was accepted, given to the agent, taken back or failed */
export const MessageUpdatedEvent: Schema<types.MessageUpdatedEvent> = namedSchemas.MessageUpdatedEvent as unknown as Schema<types.MessageUpdatedEvent>;

/** The agent begins to work on a message */
export const TurnStarted: Schema<types.TurnStarted> = namedSchemas.TurnStarted as unknown as Schema<types.TurnStarted>;

/** The agent begins to work on a message */
export const TurnStartedEvent: Schema<types.TurnStartedEvent> = namedSchemas.TurnStartedEvent as unknown as Schema<types.TurnStartedEvent>;

/** A turn is over: how it ended, what it used and what it cost */
export const TurnEnded: Schema<types.TurnEnded> = namedSchemas.TurnEnded as unknown as Schema<types.TurnEnded>;

/** A turn is over: how it ended, what it used and what it cost */
export const TurnEndedEvent: Schema<types.TurnEndedEvent> = namedSchemas.TurnEndedEvent as unknown as Schema<types.TurnEndedEvent>;

/** Something new in the turn has begun: a text, a thought, a tool call */
export const ItemStarted: Schema<types.ItemStarted> = namedSchemas.ItemStarted as unknown as Schema<types.ItemStarted>;

/** Something new in the turn has begun: a text, a thought, a tool call */
export const ItemStartedEvent: Schema<types.ItemStartedEvent> = namedSchemas.ItemStartedEvent as unknown as Schema<types.ItemStartedEvent>;

/** A piece of an item that is still being written; left out with deltas=false */
export const ItemDelta: Schema<types.ItemDelta> = namedSchemas.ItemDelta as unknown as Schema<types.ItemDelta>;

/** A piece of an item that is still being written; left out with deltas=false */
export const ItemDeltaEvent: Schema<types.ItemDeltaEvent> = namedSchemas.ItemDeltaEvent as unknown as Schema<types.ItemDeltaEvent>;

/** An item is finished: this is all of it, whether or not pieces came before */
export const ItemCompleted: Schema<types.ItemCompleted> = namedSchemas.ItemCompleted as unknown as Schema<types.ItemCompleted>;

/** An item is finished: this is all of it, whether or not pieces came before */
export const ItemCompletedEvent: Schema<types.ItemCompletedEvent> = namedSchemas.ItemCompletedEvent as unknown as Schema<types.ItemCompletedEvent>;

/** The agent asks a person something, or proposes a plan, and waits */
export const QuestionRequested: Schema<types.QuestionRequested> = namedSchemas.QuestionRequested as unknown as Schema<types.QuestionRequested>;

/** The agent asks a person something, or proposes a plan, and waits */
export const QuestionRequestedEvent: Schema<types.QuestionRequestedEvent> = namedSchemas.QuestionRequestedEvent as unknown as Schema<types.QuestionRequestedEvent>;

/** A question was answered, or no longer waits */
export const QuestionResolved: Schema<types.QuestionResolved> = namedSchemas.QuestionResolved as unknown as Schema<types.QuestionResolved>;

/** A question was answered, or no longer waits */
export const QuestionResolvedEvent: Schema<types.QuestionResolvedEvent> = namedSchemas.QuestionResolvedEvent as unknown as Schema<types.QuestionResolvedEvent>;

/** The agent asks whether it may do something, and waits */
export const PermissionRequested: Schema<types.PermissionRequested> = namedSchemas.PermissionRequested as unknown as Schema<types.PermissionRequested>;

/** The agent asks whether it may do something, and waits */
export const PermissionRequestedEvent: Schema<types.PermissionRequestedEvent> = namedSchemas.PermissionRequestedEvent as unknown as Schema<types.PermissionRequestedEvent>;

/** A permission was decided, or no longer waits */
export const PermissionResolved: Schema<types.PermissionResolved> = namedSchemas.PermissionResolved as unknown as Schema<types.PermissionResolved>;

/** A permission was decided, or no longer waits */
export const PermissionResolvedEvent: Schema<types.PermissionResolvedEvent> = namedSchemas.PermissionResolvedEvent as unknown as Schema<types.PermissionResolvedEvent>;

/** The agent's todo list has changed */
export const PlanUpdated: Schema<types.PlanUpdated> = namedSchemas.PlanUpdated as unknown as Schema<types.PlanUpdated>;

/** The agent's todo list has changed */
export const PlanUpdatedEvent: Schema<types.PlanUpdatedEvent> = namedSchemas.PlanUpdatedEvent as unknown as Schema<types.PlanUpdatedEvent>;

/** Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them */
export const UsageUpdated: Schema<types.UsageUpdated> = namedSchemas.UsageUpdated as unknown as Schema<types.UsageUpdated>;

/** Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them */
export const UsageUpdatedEvent: Schema<types.UsageUpdatedEvent> = namedSchemas.UsageUpdatedEvent as unknown as Schema<types.UsageUpdatedEvent>;

/** Four fifths of a budget are spent; told once for each budget */
export const BudgetWarned: Schema<types.BudgetWarned> = namedSchemas.BudgetWarned as unknown as Schema<types.BudgetWarned>;

/** Four fifths of a budget are spent; told once for each budget */
export const BudgetWarnedEvent: Schema<types.BudgetWarnedEvent> = namedSchemas.BudgetWarnedEvent as unknown as Schema<types.BudgetWarnedEvent>;

/** A trouble of the agent; whether the turn failed is told by turn.ended */
export const ErrorReported: Schema<types.ErrorReported> = namedSchemas.ErrorReported as unknown as Schema<types.ErrorReported>;

/** A trouble of the agent; whether the turn failed is told by turn.ended */
export const ErrorEvent: Schema<types.ErrorEvent> = namedSchemas.ErrorEvent as unknown as Schema<types.ErrorEvent>;

/** The agent said something this daemon cannot read; nothing is dropped in silence */
export const AgentUnparsed: Schema<types.AgentUnparsed> = namedSchemas.AgentUnparsed as unknown as Schema<types.AgentUnparsed>;

/** The agent said something this daemon cannot read; nothing is dropped in silence */
export const AgentUnparsedEvent: Schema<types.AgentUnparsedEvent> = namedSchemas.AgentUnparsedEvent as unknown as Schema<types.AgentUnparsedEvent>;

/** There is no snapshot of the directory; its files cannot be rewound to this moment */
export const SnapshotSkipped: Schema<types.SnapshotSkipped> = namedSchemas.SnapshotSkipped as unknown as Schema<types.SnapshotSkipped>;

/** There is no snapshot of the directory; its files cannot be rewound to this moment */
export const SnapshotSkippedEvent: Schema<types.SnapshotSkippedEvent> = namedSchemas.SnapshotSkippedEvent as unknown as Schema<types.SnapshotSkippedEvent>;

/** Stands for events that cannot be read any more; its sequence is the last of theirs */
export const LogDamaged: Schema<types.LogDamaged> = namedSchemas.LogDamaged as unknown as Schema<types.LogDamaged>;

/** Stands for events that cannot be read any more; its sequence is the last of theirs */
export const LogDamagedEvent: Schema<types.LogDamagedEvent> = namedSchemas.LogDamagedEvent as unknown as Schema<types.LogDamagedEvent>;

/** One numbered fact of a session, never changed; type says what data holds */
export const UniversalEvent: Schema<types.UniversalEvent> = namedSchemas.UniversalEvent as unknown as Schema<types.UniversalEvent>;

/** A request that was refused or failed, as RFC 7807 has it; further fields such as sessionId may stand beside */
export const Problem: Schema<types.Problem> = namedSchemas.Problem as unknown as Schema<types.Problem>;

/** Why a session exists but its agent does not run */
export const AgentError: Schema<types.AgentError> = namedSchemas.AgentError as unknown as Schema<types.AgentError>;

/** Times after which the daemon steps in, in milliseconds, and a budget */
export const Limits: Schema<types.Limits> = namedSchemas.Limits as unknown as Schema<types.Limits>;

/** A value that is kept in memory only, wherever its name would not say so */
export const MarkedSecret: Schema<types.MarkedSecret> = namedSchemas.MarkedSecret as unknown as Schema<types.MarkedSecret>;

/** A text, or one marked as a secret */
export const EnvironmentValue: Schema<types.EnvironmentValue> = namedSchemas.EnvironmentValue as unknown as Schema<types.EnvironmentValue>;

/** An MCP server that is a program on the daemon's machine */
export const McpCommand: Schema<types.McpCommand> = namedSchemas.McpCommand as unknown as Schema<types.McpCommand>;

/** An MCP server that is reached by HTTP */
export const McpUrl: Schema<types.McpUrl> = namedSchemas.McpUrl as unknown as Schema<types.McpUrl>;

/** One MCP server, by command or by URL */
export const McpServer: Schema<types.McpServer> = namedSchemas.McpServer as unknown as Schema<types.McpServer>;

/** With what a session is created */
export const CreateSession: Schema<types.CreateSession> = namedSchemas.CreateSession as unknown as Schema<types.CreateSession>;

/** What can be changed of a session; what is absent stays as it is */
export const UpdateSession: Schema<types.UpdateSession> = namedSchemas.UpdateSession as unknown as Schema<types.UpdateSession>;

/** Tokens of all turns of a session */
export const SessionUsage: Schema<types.SessionUsage> = namedSchemas.SessionUsage as unknown as Schema<types.SessionUsage>;

/** Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it */
export const Keys: Schema<types.Keys> = namedSchemas.Keys as unknown as Schema<types.Keys>;

/** Tokens of model requests */
export const UsedTokens: Schema<types.UsedTokens> = namedSchemas.UsedTokens as unknown as Schema<types.UsedTokens>;

/** What requests to one model used and cost */
export const ModelUsage: Schema<types.ModelUsage> = namedSchemas.ModelUsage as unknown as Schema<types.ModelUsage>;

/** What the requests of one turn used and cost */
export const TurnUsage: Schema<types.TurnUsage> = namedSchemas.TurnUsage as unknown as Schema<types.TurnUsage>;

/** What the requests of one sub-agent used and cost */
export const SubAgentUsage: Schema<types.SubAgentUsage> = namedSchemas.SubAgentUsage as unknown as Schema<types.SubAgentUsage>;

/** What a session's model requests used and cost, and whose they were */
export const UsageReport: Schema<types.UsageReport> = namedSchemas.UsageReport as unknown as Schema<types.UsageReport>;

/** A session: one conversation with one agent, and how it stands */
export const Session: Schema<types.Session> = namedSchemas.Session as unknown as Schema<types.Session>;

/** A session that was created, or was there with the same settings */
export const CreatedSession: Schema<types.CreatedSession> = namedSchemas.CreatedSession as unknown as Schema<types.CreatedSession>;

/** How a turn is interrupted */
export const InterruptSession: Schema<types.InterruptSession> = namedSchemas.InterruptSession as unknown as Schema<types.InterruptSession>;

/** A file for the agent: by its path on the daemon's machine, or with its content */
export const Attachment: Schema<types.Attachment> = namedSchemas.Attachment as unknown as Schema<types.Attachment>;

/** A message to the agent */
export const SendMessage: Schema<types.SendMessage> = namedSchemas.SendMessage as unknown as Schema<types.SendMessage>;

/** A message that is safe on the daemon's disk */
export const SentMessage: Schema<types.SentMessage> = namedSchemas.SentMessage as unknown as Schema<types.SentMessage>;

/** What a person, a model or a tool said */
export const ConversationMessage: Schema<types.ConversationMessage> = namedSchemas.ConversationMessage as unknown as Schema<types.ConversationMessage>;

/** Something the agent said that this daemon cannot read */
export const UnparsedMessage: Schema<types.UnparsedMessage> = namedSchemas.UnparsedMessage as unknown as Schema<types.UnparsedMessage>;

/** One message of the conversation; role says who speaks */
export const UniversalMessage: Schema<types.UniversalMessage> = namedSchemas.UniversalMessage as unknown as Schema<types.UniversalMessage>;

/** Questions and permissions that wait for a person */
export const PendingRequests: Schema<types.PendingRequests> = namedSchemas.PendingRequests as unknown as Schema<types.PendingRequests>;

/** The answer to a question or plan */
export const ReplyQuestion: Schema<types.ReplyQuestion> = namedSchemas.ReplyQuestion as unknown as Schema<types.ReplyQuestion>;

/** How a question is declined */
export const RejectQuestion: Schema<types.RejectQuestion> = namedSchemas.RejectQuestion as unknown as Schema<types.RejectQuestion>;

/** The answer to a permission */
export const ReplyPermission: Schema<types.ReplyPermission> = namedSchemas.ReplyPermission as unknown as Schema<types.ReplyPermission>;

/** What an agent can do through this API; what it cannot do is refused with unsupported_option */
export const Capabilities: Schema<types.Capabilities> = namedSchemas.Capabilities as unknown as Schema<types.Capabilities>;

/** The shared processes of an agent */
export const ServerStatus: Schema<types.ServerStatus> = namedSchemas.ServerStatus as unknown as Schema<types.ServerStatus>;

/** An agent that the daemon can drive */
export const AgentInfo: Schema<types.AgentInfo> = namedSchemas.AgentInfo as unknown as Schema<types.AgentInfo>;

/** A model that an agent offers */
export const Model: Schema<types.Model> = namedSchemas.Model as unknown as Schema<types.Model>;

/** A mode that an agent offers */
export const Mode: Schema<types.Mode> = namedSchemas.Mode as unknown as Schema<types.Mode>;

/** Which version is installed */
export const InstallAgent: Schema<types.InstallAgent> = namedSchemas.InstallAgent as unknown as Schema<types.InstallAgent>;

/** An agent that is installed and verified */
export const InstalledAgent: Schema<types.InstalledAgent> = namedSchemas.InstalledAgent as unknown as Schema<types.InstalledAgent>;

/** What was removed of an agent */
export const UninstalledAgent: Schema<types.UninstalledAgent> = namedSchemas.UninstalledAgent as unknown as Schema<types.UninstalledAgent>;

/** That a credential exists and where, never the credential */
export const CredentialInfo: Schema<types.CredentialInfo> = namedSchemas.CredentialInfo as unknown as Schema<types.CredentialInfo>;

/** An access token as it is listed: never the token itself */
export const AccessToken: Schema<types.AccessToken> = namedSchemas.AccessToken as unknown as Schema<types.AccessToken>;

/** What a new access token lets its holder do */
export const CreateToken: Schema<types.CreateToken> = namedSchemas.CreateToken as unknown as Schema<types.CreateToken>;

/** An access token that was just made, with the token itself */
export const CreatedToken: Schema<types.CreatedToken> = namedSchemas.CreatedToken as unknown as Schema<types.CreatedToken>;

/** What useChat of the AI SDK posts */
export const SendUi: Schema<types.SendUi> = namedSchemas.SendUi as unknown as Schema<types.SendUi>;

/** One part of a message of the AI SDK; its further fields are the AI SDK's */
export const UiPart: Schema<types.UiPart> = namedSchemas.UiPart as unknown as Schema<types.UiPart>;

/** A message of the AI SDK, as far as it is read */
export const UiMessage: Schema<types.UiMessage> = namedSchemas.UiMessage as unknown as Schema<types.UiMessage>;

/** One chunk of the AI SDK's UI message stream; its further fields are the AI SDK's */
export const UiChunk: Schema<types.UiChunk> = namedSchemas.UiChunk as unknown as Schema<types.UiChunk>;

/** A message of the AI SDK; its parts are what the chunks of the stream would have made */
export const ChatMessage: Schema<types.ChatMessage> = namedSchemas.ChatMessage as unknown as Schema<types.ChatMessage>;

/** A session's past as the AI SDK's chat takes it */
export const UiHistory: Schema<types.UiHistory> = namedSchemas.UiHistory as unknown as Schema<types.UiHistory>;

/** The size of a terminal */
export const TerminalSize: Schema<types.TerminalSize> = namedSchemas.TerminalSize as unknown as Schema<types.TerminalSize>;

/** What a process may use; behind a limit it is ended, with all it has started */
export const ProcessLimits: Schema<types.ProcessLimits> = namedSchemas.ProcessLimits as unknown as Schema<types.ProcessLimits>;

/** A process to start */
export const StartProcess: Schema<types.StartProcess> = namedSchemas.StartProcess as unknown as Schema<types.StartProcess>;

/** A process to run to its end */
export const RunProcess: Schema<types.RunProcess> = namedSchemas.RunProcess as unknown as Schema<types.RunProcess>;

/** How a process ended */
export const ProcessEnd: Schema<types.ProcessEnd> = namedSchemas.ProcessEnd as unknown as Schema<types.ProcessEnd>;

/** A process that the daemon runs */
export const Process: Schema<types.Process> = namedSchemas.Process as unknown as Schema<types.Process>;

/** What a process wrote */
export const OutputChunk: Schema<types.OutputChunk> = namedSchemas.OutputChunk as unknown as Schema<types.OutputChunk>;

/** Its terminal got another size */
export const ResizedChunk: Schema<types.ResizedChunk> = namedSchemas.ResizedChunk as unknown as Schema<types.ResizedChunk>;

/** A daemon that started anew took it over; of its output nothing is missing */
export const AdoptedChunk: Schema<types.AdoptedChunk> = namedSchemas.AdoptedChunk as unknown as Schema<types.AdoptedChunk>;

/** It has ended; nothing follows */
export const EndedChunk: Schema<types.EndedChunk> = namedSchemas.EndedChunk as unknown as Schema<types.EndedChunk>;

/** Lines that the disk has lost; the offsets around it tell how much of the output that is */
export const DamagedChunk: Schema<types.DamagedChunk> = namedSchemas.DamagedChunk as unknown as Schema<types.DamagedChunk>;

/** A piece of the log of a process: output, a new size of its terminal, a daemon that took it over, its end, or lines that a disk has lost */
export const ProcessChunk: Schema<types.ProcessChunk> = namedSchemas.ProcessChunk as unknown as Schema<types.ProcessChunk>;

/** A port on which a process or one it started listens */
export const ProcessPort: Schema<types.ProcessPort> = namedSchemas.ProcessPort as unknown as Schema<types.ProcessPort>;

/** Characters of one style */
export const ScreenRun: Schema<types.ScreenRun> = namedSchemas.ScreenRun as unknown as Schema<types.ScreenRun>;

/** What is on a terminal */
export const TerminalScreen: Schema<types.TerminalScreen> = namedSchemas.TerminalScreen as unknown as Schema<types.TerminalScreen>;

/** A file, a directory or a link */
export const FileEntry: Schema<types.FileEntry> = namedSchemas.FileEntry as unknown as Schema<types.FileEntry>;

/** A file that was written */
export const WrittenFile: Schema<types.WrittenFile> = namedSchemas.WrittenFile as unknown as Schema<types.WrittenFile>;

/** A line in which it was found */
export const FileMatch: Schema<types.FileMatch> = namedSchemas.FileMatch as unknown as Schema<types.FileMatch>;

/** A tree that was unpacked */
export const UploadedTree: Schema<types.UploadedTree> = namedSchemas.UploadedTree as unknown as Schema<types.UploadedTree>;

/** A change below a watched directory */
export const FileChange: Schema<types.FileChange> = namedSchemas.FileChange as unknown as Schema<types.FileChange>;

/** Tells that the daemon answers */
export const HealthAnswer: Schema<types.HealthAnswer> = namedSchemas.HealthAnswer as unknown as Schema<types.HealthAnswer>;

/** Name, version and what the daemon serves */
export const InfoAnswer: Schema<types.InfoAnswer> = namedSchemas.InfoAnswer as unknown as Schema<types.InfoAnswer>;

/** This API as OpenAPI 3.1 */
export const OpenapiAnswer: Schema<types.OpenapiAnswer> = namedSchemas.OpenapiAnswer as unknown as Schema<types.OpenapiAnswer>;

/** Every agent the daemon can drive */
export const AgentsListAnswer: Schema<types.AgentsListAnswer> = namedSchemas.AgentsListAnswer as unknown as Schema<types.AgentsListAnswer>;

/** The models an agent offers */
export const AgentsListModelsAnswer: Schema<types.AgentsListModelsAnswer> = namedSchemas.AgentsListModelsAnswer as unknown as Schema<types.AgentsListModelsAnswer>;

/** The modes an agent offers */
export const AgentsListModesAnswer: Schema<types.AgentsListModesAnswer> = namedSchemas.AgentsListModesAnswer as unknown as Schema<types.AgentsListModesAnswer>;

/** Sessions in the order they were created, or the last used first, or first those that wait for a person */
export const SessionsListAnswer: Schema<types.SessionsListAnswer> = namedSchemas.SessionsListAnswer as unknown as Schema<types.SessionsListAnswer>;

/** The conversation, folded from the log */
export const SessionsGetMessagesAnswer: Schema<types.SessionsGetMessagesAnswer> = namedSchemas.SessionsGetMessagesAnswer as unknown as Schema<types.SessionsGetMessagesAnswer>;

/** The content of a file that came with a message */
export const SessionsGetAttachmentAnswer: Schema<types.SessionsGetAttachmentAnswer> = namedSchemas.SessionsGetAttachmentAnswer as unknown as Schema<types.SessionsGetAttachmentAnswer>;

/** A page of events */
export const SessionsGetEventsAnswer: Schema<types.SessionsGetEventsAnswer> = namedSchemas.SessionsGetEventsAnswer as unknown as Schema<types.SessionsGetEventsAnswer>;

/** To where a session is rewound, and what of it */
export const RewindSession: Schema<types.RewindSession> = namedSchemas.RewindSession as unknown as Schema<types.RewindSession>;

/** What a rewind has done */
export const SessionsRewindAnswer: Schema<types.SessionsRewindAnswer> = namedSchemas.SessionsRewindAnswer as unknown as Schema<types.SessionsRewindAnswer>;

/** Which rewind is taken back */
export const UndoRewind: Schema<types.UndoRewind> = namedSchemas.UndoRewind as unknown as Schema<types.UndoRewind>;

/** What a rewind has done */
export const SessionsUndoRewindAnswer: Schema<types.SessionsUndoRewindAnswer> = namedSchemas.SessionsUndoRewindAnswer as unknown as Schema<types.SessionsUndoRewindAnswer>;

/** Where a session is forked, and how often */
export const ForkSession: Schema<types.ForkSession> = namedSchemas.ForkSession as unknown as Schema<types.ForkSession>;

/** Sessions that go on from a turn of another one */
export const SessionsForkAnswer: Schema<types.SessionsForkAnswer> = namedSchemas.SessionsForkAnswer as unknown as Schema<types.SessionsForkAnswer>;

/** To whom a session is handed over */
export const HandOver: Schema<types.HandOver> = namedSchemas.HandOver as unknown as Schema<types.HandOver>;

/** How a session went over to another agent */
export const SessionsHandOverAnswer: Schema<types.SessionsHandOverAnswer> = namedSchemas.SessionsHandOverAnswer as unknown as Schema<types.SessionsHandOverAnswer>;

/** How a session's directory differs between the ends of two turns */
export const SessionsChangesAnswer: Schema<types.SessionsChangesAnswer> = namedSchemas.SessionsChangesAnswer as unknown as Schema<types.SessionsChangesAnswer>;

/** Which credentials were found and where; never the secrets */
export const CredentialsListAnswer: Schema<types.CredentialsListAnswer> = namedSchemas.CredentialsListAnswer as unknown as Schema<types.CredentialsListAnswer>;

/** A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect */
export const CreateTicket: Schema<types.CreateTicket> = namedSchemas.CreateTicket as unknown as Schema<types.CreateTicket>;

/** A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect */
export const TicketsCreateAnswer: Schema<types.TicketsCreateAnswer> = namedSchemas.TicketsCreateAnswer as unknown as Schema<types.TicketsCreateAnswer>;

/** Takes the ticket of a page and gives it a key to send as its bearer token */
export const RedeemTicket: Schema<types.RedeemTicket> = namedSchemas.RedeemTicket as unknown as Schema<types.RedeemTicket>;

/** Takes the ticket of a page and gives it a key to send as its bearer token */
export const TicketsRedeemAnswer: Schema<types.TicketsRedeemAnswer> = namedSchemas.TicketsRedeemAnswer as unknown as Schema<types.TicketsRedeemAnswer>;

/** The access tokens that let in, without the tokens themselves */
export const TokensListAnswer: Schema<types.TokensListAnswer> = namedSchemas.TokensListAnswer as unknown as Schema<types.TokensListAnswer>;

/** Runs a program to its end and answers with its exit code and its outputs */
export const ProcessesRunAnswer: Schema<types.ProcessesRunAnswer> = namedSchemas.ProcessesRunAnswer as unknown as Schema<types.ProcessesRunAnswer>;

/** Processes in the order they were started */
export const ProcessesListAnswer: Schema<types.ProcessesListAnswer> = namedSchemas.ProcessesListAnswer as unknown as Schema<types.ProcessesListAnswer>;

/** A page of what a process has written, from any byte on */
export const ProcessesGetLogsAnswer: Schema<types.ProcessesGetLogsAnswer> = namedSchemas.ProcessesGetLogsAnswer as unknown as Schema<types.ProcessesGetLogsAnswer>;

/** Writes to the input of a process, or to its terminal */
export const InputProcesse: Schema<types.InputProcesse> = namedSchemas.InputProcesse as unknown as Schema<types.InputProcesse>;

/** Sends a signal to a process and its group */
export const SignalProcesse: Schema<types.SignalProcesse> = namedSchemas.SignalProcesse as unknown as Schema<types.SignalProcesse>;

/** Gives the terminal of a process another size */
export const ResizeProcesse: Schema<types.ResizeProcesse> = namedSchemas.ResizeProcesse as unknown as Schema<types.ResizeProcesse>;

/** Ends a process and all it has started; its log stays */
export const EndProcesse: Schema<types.EndProcesse> = namedSchemas.EndProcesse as unknown as Schema<types.EndProcesse>;

/** The ports a process and all it has started listen on */
export const ProcessesPortsAnswer: Schema<types.ProcessesPortsAnswer> = namedSchemas.ProcessesPortsAnswer as unknown as Schema<types.ProcessesPortsAnswer>;

/** What a directory holds */
export const FilesListAnswer: Schema<types.FilesListAnswer> = namedSchemas.FilesListAnswer as unknown as Schema<types.FilesListAnswer>;

/** Makes a directory */
export const MakeDirectory: Schema<types.MakeDirectory> = namedSchemas.MakeDirectory as unknown as Schema<types.MakeDirectory>;

/** Copies a file or directory */
export const MoveFile: Schema<types.MoveFile> = namedSchemas.MoveFile as unknown as Schema<types.MoveFile>;

/** Copies a file or directory */
export const CopyFile: Schema<types.CopyFile> = namedSchemas.CopyFile as unknown as Schema<types.CopyFile>;

/** The lines of files that hold a text */
export const FilesSearchAnswer: Schema<types.FilesSearchAnswer> = namedSchemas.FilesSearchAnswer as unknown as Schema<types.FilesSearchAnswer>;
