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

/** Lines that carry nothing a client would want to know, and why; with a slash at its end all that begin so. */
const ignorable: Readonly<Record<string, string>> = {
  "thread/started": "the answer to thread/start says the same",
  "thread/readState/changed": "what a person has read in Codex's own interface",
  "thread/goal/updated": "Codex's own goals, which this API has no word for",
  "thread/goal/cleared": "as above; follows every resume",
  "thread/queue/changed": "Codex's own queue; ours is the engine's",
  "thread/unarchived": "where Codex keeps the thread",
  "thread/archived": "where Codex keeps the thread",
  "thread/deleted": "nobody but us deletes threads of this home",
  "thread/closed": "the life ends by our own unsubscribe or with the process",
  "thread/environment/connected": "the local environment is always there",
  "thread/environment/disconnected": "as above",
  "thread/attachment/updated": "Codex's own store of attachments",
  "thread/prediction/updated": "guesses of what the person will type",
  "turn/moderationMetadata": "for the vendor's own applications",
  "model/safetyBuffering/updated": "a display hint",
  "model/verification": "a display hint",
  "rawResponseItem/completed": "only with experimentalRawEvents",
  "rawResponse/completed": "only with experimentalRawEvents",
  "thread/realtime/": "speech, which nobody starts here",
  "thread/project/updated": "Codex's own projects",
  "thread/reverted": "nobody but us changes threads of this home",
  "autoApprovalReview/strictReviewRequired": "the review that follows tells it",
  "account/": "whose account it is: the credentials are the daemon's",
  "app/": "Codex's own catalogue of apps",
  "command/exec/": "commands of a client's own, which nobody starts here",
  "process/": "as above",
  "externalAgentConfig/": "settings of other agents that Codex takes over",
  "fs/": "watches of a client's own, which nobody starts here",
  "fuzzyFileSearch/": "searches of a client's own, which nobody starts here",
  "mcpServer/event/": "what an MCP server tells its client, not the conversation",
  "project/": "Codex's own projects",
  "remoteControl/": "Codex's own remote control",
  "skills/": "Codex's own catalogue of skills",
  "windows/": "checks of a Windows machine",
  "windowsSandbox/": "as above",
};

export function isIgnorable(method: string): boolean {
  const isFamily = (name: string) => name.endsWith("/") && method.startsWith(name);
  return Object.hasOwn(ignorable, method) || Object.keys(ignorable).some(isFamily);
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
