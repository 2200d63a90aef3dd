import { z } from "zod";
import { SessionId, Time } from "./ids.ts";
import { permissionModes } from "./permission-modes.ts";

export const PermissionMode = z.enum(permissionModes);
export type PermissionMode = z.infer<typeof PermissionMode>;

export const SessionState = z.enum(["starting", "idle", "running", "waiting", "asleep", "ended", "unreadable"]);
export type SessionState = z.infer<typeof SessionState>;

export const AgentState = z.enum(["starting", "ready", "asleep"]);
export type AgentState = z.infer<typeof AgentState>;

const AgentErrorType = z.enum([
  "token_error",
  "install_failed",
  "spawn_failed",
  "process_exited",
  "unsupported",
  "timeout",
]);

/** Why a session exists but its agent does not run. */
export const AgentError = z.object({
  type: AgentErrorType,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type AgentError = z.infer<typeof AgentError>;

const Milliseconds = z
  .int()
  .positive()
  .max(30 * 24 * 3_600_000);

export const Limits = z.strictObject({
  turnIdleMs: Milliseconds.optional().describe("No sign of life while the model works"),
  toolIdleMs: Milliseconds.optional().describe("No sign of life while a tool call is open"),
  turnMs: Milliseconds.optional().describe("The whole turn; none by default"),
  requestMs: Milliseconds.optional().describe("A question or permission expires after this; never by default"),
  agentIdleMs: Milliseconds.optional().describe("An agent idle this long is put to sleep"),
  budgetUsd: z.number().positive().optional().describe("No further turn once the session has cost this much"),
});
export type Limits = z.infer<typeof Limits>;

/** A value the caller wants kept in memory only, wherever its name would not say so. */
export const MarkedSecret = z.strictObject({ secret: z.literal(true), value: z.string() });
export type MarkedSecret = z.infer<typeof MarkedSecret>;

const Value = z.union([z.string(), MarkedSecret]);
const Environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not a variable name"), Value);

/** One MCP server, by command or by URL. */
export const McpServer = z.union([
  z.strictObject({ command: z.string(), args: z.array(Value).optional(), env: Environment.optional() }),
  z.strictObject({
    url: z.union([z.url(), MarkedSecret.extend({ value: z.url() })]),
    headers: z.record(z.string(), Value).optional(),
  }),
]);
export type McpServer = z.infer<typeof McpServer>;

/** The same as an agent gets it: without marks. */
export type PlainMcpServer =
  | { command: string; args?: string[]; env?: Record<string, string> }
  | { url: string; headers?: Record<string, string> };

const changeable = {
  model: z.string().min(1).optional().describe("Which model; `agents list-models` names them"),
  agentMode: z
    .string()
    .min(1)
    .optional()
    .describe("What the agent does: build, plan …; `agents list-modes` names them"),
  variant: z.string().min(1).optional().describe("How hard the model thinks: low, medium, high, xhigh"),
  permissionMode: PermissionMode.optional().describe(
    "default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing",
  ),
  title: z.string().max(500).optional().describe("A name for people"),
  limits: Limits.optional().describe(
    'Times in milliseconds and a budget: {"turnMs":600000,"turnIdleMs":300000,"toolIdleMs":3600000,"requestMs":60000,"agentIdleMs":600000,"budgetUsd":5}',
  ),
  token: z.string().min(1).optional().describe("The agent's API key for this session; kept in memory only"),
  env: Environment.optional().describe("Further variables of the agent's environment"),
  mcp: z
    .record(z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, _ or -"), McpServer)
    .optional()
    .describe(
      'MCP servers by name: {"files":{"command":"mcp-files","args":["."],"env":{}},"web":{"url":"https://…","headers":{}}}',
    ),
};

export const CreateSession = z.object({
  agent: z.string().min(1).describe("Who works: claude, codex, opencode, amp, codebuff or mock"),
  ...changeable,
  dangerouslySkipPermissions: z.boolean().optional().describe("true asks nothing, whatever permissionMode says"),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The model endpoint, without a version path such as /v1"),
  validateToken: z.boolean().optional().describe("Asks the provider whether it takes the token"),
  agentVersion: z.string().min(1).optional().describe("This version of the agent, installed if it is not there"),
  directory: z.string().min(1).optional().describe("Where the agent works; must exist; default: the daemon's"),
  systemPrompt: z.string().optional().describe("Appended to the agent's own"),
  agentOptions: z.record(z.string(), z.unknown()).optional().describe("The agent's own settings"),
});
export type CreateSession = z.infer<typeof CreateSession>;

export const UpdateSession = z.object(changeable);
export type UpdateSession = z.infer<typeof UpdateSession>;

export const Session = z.object({
  sessionId: SessionId,
  agent: z.string(),
  agentVersion: z.string().optional(),
  nativeSessionId: z.string().optional(),
  model: z.string().optional(),
  agentMode: z.string().optional(),
  variant: z.string().optional(),
  permissionMode: PermissionMode,
  directory: z.string(),
  title: z.string().optional(),
  state: SessionState,
  healthy: z.boolean(),
  error: AgentError.optional(),
  needsCredentials: z.array(z.string()).optional(),
  lastSequence: z.int().nonnegative(),
  turnId: z.string().optional(),
  queued: z.int().nonnegative(),
  pendingRequests: z.int().nonnegative(),
  usage: z.object({
    inputTokens: z.int().nonnegative(),
    outputTokens: z.int().nonnegative(),
    cachedInputTokens: z.int().nonnegative().optional(),
    reasoningTokens: z.int().nonnegative().optional(),
  }),
  costUsd: z.number().nonnegative(),
  createdAt: Time,
  updatedAt: Time,
});
export type Session = z.infer<typeof Session>;

export const CreatedSession = z.object({
  healthy: z.boolean(),
  error: AgentError.optional(),
  validated: z.boolean().optional().describe("Only with validateToken: whether the token could be checked"),
  session: Session,
});
export type CreatedSession = z.infer<typeof CreatedSession>;

export const InterruptSession = z.object({
  queue: z.enum(["keep", "cancel"]).optional().describe("What happens to queued messages; keep by default"),
});
export type InterruptSession = z.infer<typeof InterruptSession>;
