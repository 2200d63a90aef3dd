import { z } from "zod";
import { agentNames } from "./agent-names.ts";
import { WireUsage } from "./events/wire-usage.ts";
import { SessionId, Time } from "./ids.ts";
import { permissionModes } from "./permission-modes.ts";

/** Any name is taken, as a newer daemon knows more agents; the examples complete in editors. */
export const AgentName = z
  .string()
  .min(1)
  .meta({ description: "An agent's id", examples: [...agentNames] });

export const PermissionMode = z
  .enum(permissionModes)
  .describe(
    "default asks before edits and commands, acceptEdits lets edits pass, plan changes nothing, bypass asks nothing",
  );
export type PermissionMode = z.infer<typeof PermissionMode>;

export const SessionState = z
  .enum(["starting", "idle", "running", "waiting", "asleep", "ended", "unreadable"])
  .describe(
    "starting: its agent is being started; idle: ready; running: a turn is open; waiting: for a person; asleep: its agent was put to sleep and wakes with a message; ended: its agent's process is over; unreadable: its files are damaged",
  );
export type SessionState = z.infer<typeof SessionState>;

export const AgentState = z.enum(["starting", "ready", "asleep"]).describe("What the agent's process does");
export type AgentState = z.infer<typeof AgentState>;

const AgentErrorType = z
  .enum([
    "token_error",
    "install_failed",
    "unsupported_agent_version",
    "spawn_failed",
    "process_exited",
    "unsupported",
    "timeout",
  ])
  .describe("What went wrong, for programs");

export const AgentError = z
  .object({
    type: AgentErrorType,
    message: z.string().describe("What went wrong, in words"),
    details: z.record(z.string(), z.unknown()).optional().describe("Whatever else is known of it"),
  })
  .describe("Why a session exists but its agent does not run");
export type AgentError = z.infer<typeof AgentError>;

const Milliseconds = z
  .int()
  .positive()
  .max(30 * 24 * 3_600_000);

export const Limits = z
  .strictObject({
    turnIdleMs: Milliseconds.optional().describe("No sign of life while the model works"),
    toolIdleMs: Milliseconds.optional().describe("No sign of life while a tool call is open"),
    turnMs: Milliseconds.optional().describe("The whole turn; none by default"),
    requestMs: Milliseconds.optional().describe("A question or permission expires after this; never by default"),
    agentIdleMs: Milliseconds.optional().describe("An agent idle this long is put to sleep"),
    budgetUsd: z.number().positive().optional().describe("The session may cost this much; then its turn ends"),
    budgetTokens: z
      .int()
      .positive()
      .optional()
      .describe("The session may use this many tokens, counted by the gateway; then its turn ends"),
    requestsPerMinute: z.int().positive().optional().describe("Model requests in a minute, counted by the gateway"),
  })
  .describe("Times after which the daemon steps in, in milliseconds, and a budget");
export type Limits = z.infer<typeof Limits>;

export const MarkedSecret = z
  .strictObject({
    secret: z.literal(true).describe("Marks the value as a secret"),
    value: z.string().describe("The secret itself"),
  })
  .describe("A value that is kept in memory only, wherever its name would not say so");
export type MarkedSecret = z.infer<typeof MarkedSecret>;

export const EnvironmentValue = z.union([z.string(), MarkedSecret]).describe("A text, or one marked as a secret");
const Environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not a variable name"), EnvironmentValue);

export const McpCommand = z
  .strictObject({
    command: z.string().describe("The program to start"),
    args: z.array(EnvironmentValue).optional().describe("Its arguments"),
    env: Environment.optional().describe("Further variables of its environment"),
  })
  .describe("An MCP server that is a program on the daemon's machine");

export const McpUrl = z
  .strictObject({
    url: z
      .union([z.url(), MarkedSecret.extend({ value: z.url().describe("The address itself") })])
      .describe("Its address"),
    headers: z.record(z.string(), EnvironmentValue).optional().describe("Headers sent with every request to it"),
  })
  .describe("An MCP server that is reached by HTTP");

export const McpServer = z.union([McpCommand, McpUrl]).describe("One MCP server, by command or by URL");
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
    'Times in milliseconds and a budget: {"turnMs":600000,"turnIdleMs":300000,"toolIdleMs":3600000,"requestMs":60000,"agentIdleMs":600000,"budgetUsd":5,"budgetTokens":2000000,"requestsPerMinute":60}',
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

const GroupName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, "must be letters, digits, _, . or -");

export const Keys = z
  .enum(["gateway", "agent", "none"])
  .describe(
    "Who holds the key of its model requests. gateway: the agent has a placeholder; agent: its own login passes the gateway; none: they do not pass it",
  );
export type Keys = z.infer<typeof Keys>;

export const CreateSession = z
  .object({
    agent: AgentName.describe(`Who works: ${agentNames.join(", ")}`),
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
    budgetGroup: GroupName.optional().describe(
      "Sessions of one group share their budget: limits hold for what all of them spend",
    ),
    route: z.string().min(1).max(128).optional().describe("The route of routes.yaml that its model requests take"),
  })
  .describe("With what a session is created");
export type CreateSession = z.infer<typeof CreateSession>;

export const UpdateSession = z
  .object(changeable)
  .describe("What can be changed of a session; what is absent stays as it is");
export type UpdateSession = z.infer<typeof UpdateSession>;

export const SessionUsage = z
  .object({
    inputTokens: z.int().nonnegative().describe("Tokens the models read, those from the cache included"),
    outputTokens: z.int().nonnegative().describe("Tokens the models wrote, thoughts included"),
    cachedInputTokens: z.int().nonnegative().optional().describe("Of the tokens read, those from the cache"),
    reasoningTokens: z.int().nonnegative().optional().describe("Of the tokens written, those of thoughts"),
  })
  .describe("Tokens of all turns of a session");

export const Session = z
  .object({
    sessionId: SessionId,
    agent: z.string().describe("Which agent works in it"),
    agentVersion: z.string().optional().describe("The version of the agent's program"),
    nativeSessionId: z.string().optional().describe("The id under which the agent itself knows the conversation"),
    model: z.string().optional().describe("The model it works with, once it is known"),
    agentMode: z.string().optional().describe("What the agent does: build, plan …"),
    variant: z.string().optional().describe("How hard the model thinks"),
    permissionMode: PermissionMode.describe("What the agent may do without asking"),
    directory: z.string().describe("Where the agent works, on the daemon's machine"),
    title: z.string().optional().describe("What was given as a name, by a client or by the agent"),
    name: z
      .string()
      .optional()
      .describe(
        "What a list shows: the title, or else the beginning of the first message in one line, without secrets",
      ),
    state: SessionState,
    healthy: z.boolean().describe("false: its agent cannot be started; error says why"),
    error: AgentError.optional().describe("Why its agent does not run"),
    needsCredentials: z
      .array(z.string())
      .optional()
      .describe("Secrets that were lost with a restart of the daemon and must be given again"),
    lastSequence: z.int().nonnegative().describe("The number of its newest event; 0 while there is none"),
    turnId: z.string().optional().describe("The turn that is open"),
    queued: z.int().nonnegative().describe("How many messages wait for a turn"),
    pendingRequests: z.int().nonnegative().describe("How many questions and permissions wait for a person"),
    usage: SessionUsage.describe("Tokens of all its turns"),
    costUsd: z.number().nonnegative().describe("What all its turns have cost, in US dollars"),
    keys: Keys,
    wire: WireUsage.optional().describe("What its model requests were, as the gateway counted them"),
    limits: Limits.optional().describe("The limits it was given"),
    budgetGroup: z.string().optional().describe("The group whose budget it shares"),
    route: z.string().optional().describe("The route that its model requests take"),
    createdAt: Time.describe("When it was created, in UTC"),
    updatedAt: Time.describe("When something last happened in it, whatever it was, in UTC"),
    lastUsedAt: Time.describe("When a person last sent a message or answered; not moved by sleep, restart or stop"),
  })
  .describe("A session: one conversation with one agent, and how it stands");
export type Session = z.infer<typeof Session>;

export const CreatedSession = z
  .object({
    healthy: z.boolean().describe("Whether its agent runs; the session exists either way"),
    error: AgentError.optional().describe("Why its agent does not run"),
    validated: z.boolean().optional().describe("Only with validateToken: whether the token could be checked"),
    session: Session.describe("The session as it is now"),
  })
  .describe("A session that was created, or was there with the same settings");
export type CreatedSession = z.infer<typeof CreatedSession>;

export const InterruptSession = z
  .object({
    queue: z.enum(["keep", "cancel"]).optional().describe("What happens to queued messages; keep by default"),
  })
  .describe("How a turn is interrupted");
export type InterruptSession = z.infer<typeof InterruptSession>;
