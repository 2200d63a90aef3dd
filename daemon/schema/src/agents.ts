import { z } from "zod";
import { PermissionMode } from "./session.ts";

/** Settings that can be changed in the middle of a session. */
export const LiveSetting = z.enum(["model", "agentMode", "variant", "permissionMode"]);
export type LiveSetting = z.infer<typeof LiveSetting>;

/** What an agent can do through this API. What cannot be asked for is refused with `unsupported_option`. */
export const Capabilities = z.object({
  questions: z.boolean().describe("It asks a person and hears the answer"),
  permissions: z.boolean().describe("It asks before it acts"),
  planApproval: z.boolean().describe("It proposes a plan and waits for its approval"),
  interrupt: z.boolean().describe("A turn can be stopped"),
  steer: z.boolean().describe("A message can be sent into the open turn"),
  resume: z.boolean().describe("A new process goes on with the conversation"),
  models: z.boolean().describe("The model can be chosen"),
  modes: z.boolean().describe("It has agent modes to choose from"),
  variants: z.boolean().describe("The effort of the model can be chosen"),
  reasoning: z.boolean().describe("What the model thinks is told"),
  deltas: z.boolean().describe("Texts are told piece by piece"),
  toolInputDeltas: z.boolean().describe("The input of a call is told while it is written"),
  toolOutputDeltas: z.boolean().describe("The output of a tool is told while it runs"),
  diffs: z.boolean().describe("Edits come with their difference"),
  todos: z.boolean().describe("Its todo list is told"),
  subagents: z.boolean().describe("What its sub-agents do is told under their call"),
  usage: z.boolean().describe("Tokens are counted"),
  cost: z.boolean().describe("Costs are told"),
  images: z.boolean().describe("Pictures in a message are seen by the model"),
  attachments: z.boolean().describe("Files can be attached to a message"),
  mcp: z.boolean().describe("MCP servers can be added"),
  systemPrompt: z.boolean().describe("Instructions can be appended to its own"),
  structuredOutput: z.boolean().describe("A turn can answer in the form of a JSON schema (agentOptions)"),
  sharedServer: z.boolean().describe("One process serves many sessions"),
  live: z.array(LiveSetting).describe("Settings a running agent takes over; the others start another process"),
  permissionModes: z.array(PermissionMode).describe("The permission modes it has"),
});
export type Capabilities = z.infer<typeof Capabilities>;

/** Seen in what an agent says. All others are asked for: used, or refused. */
export const observedCapabilities = [
  "questions",
  "permissions",
  "planApproval",
  "reasoning",
  "deltas",
  "toolInputDeltas",
  "toolOutputDeltas",
  "diffs",
  "todos",
  "subagents",
  "usage",
  "cost",
] as const satisfies readonly (keyof Capabilities)[];

export const AgentInfo = z.object({
  id: z.string(),
  name: z.string(),
  installed: z.boolean(),
  version: z.string().optional(),
  path: z.string().optional(),
  source: z.string().optional(),
  credentialsAvailable: z.boolean(),
  capabilities: Capabilities.optional().describe("Absent while the agent can be installed but not driven"),
  serverStatus: z.object({ processes: z.int().nonnegative(), sessions: z.int().nonnegative() }).optional(),
});
export type AgentInfo = z.infer<typeof AgentInfo>;

export const Model = z.object({
  id: z.string(),
  name: z.string().optional(),
  provider: z.string().optional(),
  default: z.boolean().optional(),
  variants: z.array(z.string()).optional(),
  contextWindow: z.int().positive().optional(),
});
export type Model = z.infer<typeof Model>;

export const Mode = z.object({
  id: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  default: z.boolean().optional(),
});
export type Mode = z.infer<typeof Mode>;

export const InstallAgent = z.object({
  version: z
    .string()
    .min(1)
    .optional()
    .describe("This version, or latest; default: the one that is there, or the newest"),
  reinstall: z.boolean().optional().describe("Downloads it again, also when it is there"),
});
export type InstallAgent = z.infer<typeof InstallAgent>;

export const InstalledAgent = z.object({
  version: z.string(),
  path: z.string(),
  source: z.string(),
  verifiedBy: z.string(),
  alreadyInstalled: z.boolean(),
  tested: z.boolean().optional().describe("It is the version this daemon was tested with"),
});
export type InstalledAgent = z.infer<typeof InstalledAgent>;

export const UninstalledAgent = z.object({
  removed: z.array(z.string()).describe("The versions that were removed"),
});
export type UninstalledAgent = z.infer<typeof UninstalledAgent>;

/** One line of `GET /credentials`: that a credential exists and where, never the credential. */
export const CredentialInfo = z.object({
  agent: z.string(),
  provider: z.string(),
  found: z.boolean(),
  source: z.string().optional(),
  kind: z.enum(["api_key", "oauth"]).optional(),
  note: z.string().optional(),
});
export type CredentialInfo = z.infer<typeof CredentialInfo>;
