import { z } from "zod";
import type { RpcMessage } from "../../channel/json-rpc.ts";
import { ThreadItem } from "./thread-item.ts";

/** Lines of `codex app-server` (0.166.0), both ways. Only the fields we read; others pass. */
export type CodexNative = RpcMessage;

const Tokens = z.object({
  totalTokens: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  cachedInputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  reasoningOutputTokens: z.int().nonnegative(),
});
export type Tokens = z.infer<typeof Tokens>;

/** A word, or an object with one key. */
const ErrorInfo = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish();
export const TurnError = z.object({
  message: z.string(),
  codexErrorInfo: ErrorInfo,
  additionalDetails: z.string().nullish(),
});
export type TurnError = z.infer<typeof TurnError>;

export const Turn = z.object({ id: z.string(), status: z.string(), error: TurnError.nullish() });

export const ThreadOpened = z.object({
  thread: z.object({ id: z.string(), cliVersion: z.string() }),
  model: z.string(),
  cwd: z.string(),
  reasoningEffort: z.string().nullish(),
});
export type ThreadOpened = z.infer<typeof ThreadOpened>;

const thread = { threadId: z.string() };
const item = { threadId: z.string(), itemId: z.string() };
const delta = { ...item, delta: z.string() };

const HookRun = z.object({ eventName: z.string(), status: z.string(), statusMessage: z.string().nullish() });
const Review = z.object({ status: z.string(), rationale: z.string().nullish() });
/** Of the whole server: it names no thread. */
const Notice = z.object({ summary: z.string(), details: z.string().nullish() });

/** method → what we read of its params */
export const notifications = {
  "turn/started": z.object({ ...thread, turn: Turn }),
  "turn/completed": z.object({ ...thread, turn: Turn }),
  "turn/diff/updated": z.object({ ...thread, diff: z.string() }),
  "turn/plan/updated": z.object({
    ...thread,
    plan: z.array(z.object({ step: z.string(), status: z.enum(["pending", "inProgress", "completed"]) })),
  }),
  "item/started": z.object({ ...thread, item: ThreadItem }),
  "item/completed": z.object({ ...thread, item: ThreadItem }),
  "item/agentMessage/delta": z.object(delta),
  "item/plan/delta": z.object(delta),
  "item/reasoning/summaryTextDelta": z.object({ ...delta, summaryIndex: z.int().nonnegative() }),
  "item/reasoning/textDelta": z.object({ ...delta, contentIndex: z.int().nonnegative() }),
  "item/reasoning/summaryPartAdded": z.object({ ...item }),
  "item/commandExecution/outputDelta": z.object(delta),
  "item/commandExecution/terminalInteraction": z.object({ ...item, stdin: z.string() }),
  "item/fileChange/outputDelta": z.object(delta),
  "item/fileChange/patchUpdated": z.object({ ...item }),
  "item/mcpToolCall/progress": z.object({ ...item, message: z.string() }),
  "thread/tokenUsage/updated": z.object({
    ...thread,
    tokenUsage: z.object({ total: Tokens, last: Tokens, modelContextWindow: z.int().positive().nullish() }),
  }),
  "thread/name/updated": z.object({ ...thread, threadName: z.string().nullish() }),
  "thread/settings/updated": z.object({ ...thread, threadSettings: z.object({ model: z.string() }) }),
  "thread/status/changed": z.object({ ...thread, status: z.object({ type: z.string() }) }),
  "thread/compacted": z.object(thread),
  "model/rerouted": z.object({ ...thread, fromModel: z.string(), toModel: z.string() }),
  "mcpServer/startupStatus/updated": z.object({
    ...thread,
    name: z.string(),
    status: z.string(),
    error: z.string().nullish(),
  }),
  "serverRequest/resolved": z.object({ ...thread, requestId: z.union([z.string(), z.number()]) }),
  error: z.object({ ...thread, error: TurnError, willRetry: z.boolean() }),
  "hook/started": z.object({ ...thread, run: HookRun }),
  "hook/completed": z.object({ ...thread, run: HookRun }),
  "item/autoApprovalReview/started": z.object({ ...thread, review: Review }),
  "item/autoApprovalReview/completed": z.object({ ...thread, review: Review }),
  "modelProvider/authRecoveryStarted": z.object({ ...thread, message: z.string() }),
  "modelProvider/authRecoveryCompleted": z.object({ ...thread, message: z.string() }),
  "mcpServer/oauthLogin/completed": z.object({ name: z.string(), success: z.boolean(), error: z.string().nullish() }),
  configWarning: Notice,
  deprecationNotice: Notice,
  warning: z.object({ ...thread, message: z.string() }),
  guardianWarning: z.object({ ...thread, message: z.string() }),
} as const;
export type NotificationMethod = keyof typeof notifications;
export type Notified<M extends NotificationMethod> = z.infer<(typeof notifications)[M]>;

/**
 * Lines that carry nothing a client would want to know, and why. Each by its whole name: a line that a new Codex adds to
 * one of these families is `agent.unparsed` until somebody has read what it says.
 */
const ignorable: Readonly<Record<string, readonly string[]>> = {
  "the answer to thread/start says the same": ["thread/started"],
  "what a person has read in Codex's own interface": ["thread/readState/changed"],
  "Codex's own goals, which this API has no word for; cleared follows every resume": [
    "thread/goal/updated",
    "thread/goal/cleared",
  ],
  "Codex's own queue; ours is the engine's": ["thread/queue/changed"],
  "where Codex keeps the thread": ["thread/unarchived", "thread/archived"],
  "nobody but us deletes or changes threads of this home": ["thread/deleted", "thread/reverted"],
  "the life ends by our own unsubscribe or with the process": ["thread/closed"],
  "the local environment is always there": ["thread/environment/connected", "thread/environment/disconnected"],
  "Codex's own store of attachments": ["thread/attachment/updated"],
  "guesses of what the person will type": ["thread/prediction/updated"],
  "for the vendor's own applications": ["turn/moderationMetadata"],
  "a display hint": ["model/safetyBuffering/updated", "model/verification"],
  "only with experimentalRawEvents": ["rawResponseItem/completed", "rawResponse/completed"],
  "the review that follows tells it": ["autoApprovalReview/strictReviewRequired"],
  "speech, which nobody starts here": [
    "thread/realtime/closed",
    "thread/realtime/error",
    "thread/realtime/item/completed",
    "thread/realtime/item/started",
    "thread/realtime/item/transcript/delta",
    "thread/realtime/itemAdded",
    "thread/realtime/outputAudio/delta",
    "thread/realtime/sdp",
    "thread/realtime/started",
    "thread/realtime/transcript/delta",
    "thread/realtime/transcript/done",
  ],
  "whose account it is: the credentials are the daemon's": [
    "account/gatewayOAuth/changed",
    "account/login/completed",
    "account/rateLimits/updated",
    "account/updated",
  ],
  "Codex's own catalogues and projects": [
    "app/list/updated",
    "project/changed",
    "skills/changed",
    "thread/project/updated",
  ],
  "commands, watches and searches of a client's own, which nobody starts here": [
    "command/exec/outputDelta",
    "fs/changed",
    "fuzzyFileSearch/sessionCompleted",
    "fuzzyFileSearch/sessionUpdated",
    "process/exited",
    "process/outputDelta",
  ],
  "settings of other agents that Codex takes over": [
    "externalAgentConfig/import/completed",
    "externalAgentConfig/import/progress",
  ],
  "what an MCP server tells its client, not the conversation": ["mcpServer/event/stream/notification"],
  "Codex's own remote control": ["remoteControl/status/changed"],
  "checks of a Windows machine": ["windows/worldWritableWarning", "windowsSandbox/setupCompleted"],
};
const ignorableMethods: ReadonlySet<string> = new Set(Object.values(ignorable).flat());

export function isIgnorable(method: string): boolean {
  return ignorableMethods.has(method);
}

/** The notifications nobody here reads, switched off at the source (works in 0.166.0). */
export const optedOut = [
  "remoteControl/status/changed",
  "account/rateLimits/updated",
  "thread/readState/changed",
  "thread/goal/updated",
  "thread/goal/cleared",
  "skills/changed",
  "app/list/updated",
];

const asked = { ...item, turnId: z.string() };
const Access = z.record(z.string(), z.unknown()).nullish();
const UserQuestion = z.object({
  id: z.string(),
  header: z.string(),
  question: z.string(),
  isOther: z.boolean(),
  isSecret: z.boolean(),
  options: z.array(z.object({ label: z.string(), description: z.string() })).nullable(),
});
export type UserQuestion = z.infer<typeof UserQuestion>;

/** What Codex asks us; method → what we read of its params. Anything else is refused. */
export const serverRequests = {
  "item/commandExecution/requestApproval": z.object({
    ...asked,
    kind: z.string().optional(),
    reason: z.string().nullish(),
    command: z.string().nullish(),
    cwd: z.string().nullish(),
    networkApprovalContext: z.object({ host: z.string(), protocol: z.string() }).nullish(),
  }),
  "item/fileChange/requestApproval": z.object({
    ...asked,
    reason: z.string().nullish(),
    grantRoot: z.string().nullish(),
  }),
  "item/permissions/requestApproval": z.object({
    ...asked,
    cwd: z.string().nullish(),
    reason: z.string().nullish(),
    permissions: z.object({ network: Access, fileSystem: Access }),
  }),
  "item/tool/requestUserInput": z.object({ ...asked, questions: z.array(UserQuestion).min(1) }),
  "mcpServer/elicitation/request": z.object({
    ...thread,
    serverName: z.string(),
    mode: z.string(),
    message: z.string(),
    url: z.string().optional(),
    _meta: z.record(z.string(), z.unknown()).nullish(),
    requestedSchema: z
      .object({
        properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
        required: z.array(z.string()).optional(),
      })
      .optional(),
  }),
} as const;
export type ServerRequestMethod = keyof typeof serverRequests;
export type Asked<M extends ServerRequestMethod> = z.infer<(typeof serverRequests)[M]>;
