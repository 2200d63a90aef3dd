import { z } from "zod";
import { PermissionMode } from "./session.ts";

/** Settings that can be changed in the middle of a session. */
export const LiveSetting = z
  .enum(["model", "agentMode", "variant", "permissionMode"])
  .describe("A setting that can be changed in the middle of a session");
export type LiveSetting = z.infer<typeof LiveSetting>;

export const Capabilities = z
  .object({
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
    gateway: z.boolean().describe("Its model requests pass the daemon's gateway: keys are hidden, costs are counted"),
    images: z.boolean().describe("Pictures in a message are seen by the model"),
    attachments: z.boolean().describe("Files can be attached to a message"),
    mcp: z.boolean().describe("MCP servers can be added"),
    systemPrompt: z.boolean().describe("Instructions can be appended to its own"),
    structuredOutput: z.boolean().describe("A turn can answer in the form of a JSON schema (agentOptions)"),
    sharedServer: z.boolean().describe("One process serves many sessions"),
    live: z.array(LiveSetting).describe("Settings a running agent takes over; the others start another process"),
    permissionModes: z.array(PermissionMode).describe("The permission modes it has"),
  })
  .describe("What an agent can do through this API; what it cannot do is refused with unsupported_option");
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

export const ServerStatus = z
  .object({
    processes: z.int().nonnegative().describe("How many processes of it run"),
    sessions: z.int().nonnegative().describe("How many sessions they serve"),
  })
  .describe("The shared processes of an agent");

export const AgentInfo = z
  .object({
    id: z.string().describe("The name a session is created with"),
    name: z.string().describe("Its name for people"),
    installed: z.boolean().describe("Whether its program is there"),
    version: z.string().optional().describe("The installed version"),
    path: z.string().optional().describe("Where its program lies"),
    source: z.string().optional().describe("Where its program came from"),
    supported: z.boolean().optional().describe("Whether the version that is installed is one the daemon drives"),
    credentialsAvailable: z.boolean().describe("Whether a key or login for it was found on the daemon's machine"),
    capabilities: Capabilities.optional().describe("Absent while the agent can be installed but not driven"),
    serverStatus: ServerStatus.optional().describe("Of an agent whose process serves many sessions"),
  })
  .describe("An agent that the daemon can drive");
export type AgentInfo = z.infer<typeof AgentInfo>;

export const Model = z
  .object({
    id: z.string().describe("What to give as model"),
    name: z.string().optional().describe("Its name for people"),
    provider: z.string().optional().describe("Who serves it"),
    default: z.boolean().optional().describe("true: taken when no model is named"),
    resolvesTo: z.string().optional().describe("The model that this id stands for, as a session that runs names it"),
    variants: z.array(z.string()).optional().describe("What to give as variant: how hard it can think"),
    contextWindow: z.int().positive().optional().describe("How many tokens its context holds"),
  })
  .describe("A model that an agent offers");
export type Model = z.infer<typeof Model>;

export const Mode = z
  .object({
    id: z.string().describe("What to give as agentMode"),
    name: z.string().optional().describe("Its name for people"),
    description: z.string().optional().describe("What the agent does in it"),
    default: z.boolean().optional().describe("true: taken when no mode is named"),
  })
  .describe("A mode that an agent offers");
export type Mode = z.infer<typeof Mode>;

export const InstallAgent = z
  .object({
    version: z
      .string()
      .min(1)
      .optional()
      .describe("This version, or latest; default: the one that is there, or the newest"),
    reinstall: z.boolean().optional().describe("Downloads it again, also when it is there"),
  })
  .describe("Which version is installed");
export type InstallAgent = z.infer<typeof InstallAgent>;

export const InstalledAgent = z
  .object({
    version: z.string().describe("The version that is there now"),
    path: z.string().describe("Where its program lies"),
    source: z.string().describe("Where it came from"),
    verifiedBy: z.string().describe("How it was made sure that the download is the right one"),
    alreadyInstalled: z.boolean().describe("Whether nothing had to be done"),
    tested: z.boolean().optional().describe("It is the version this daemon was tested with"),
  })
  .describe("An agent that is installed and verified");
export type InstalledAgent = z.infer<typeof InstalledAgent>;

export const UninstalledAgent = z
  .object({ removed: z.array(z.string()).describe("The versions that were removed") })
  .describe("What was removed of an agent");
export type UninstalledAgent = z.infer<typeof UninstalledAgent>;

export const CredentialInfo = z
  .object({
    agent: z.string().describe("The agent it is for"),
    provider: z.string().describe("Whose models it opens"),
    found: z.boolean().describe("Whether it is there"),
    source: z.string().optional().describe("Where it was found: a variable or a file"),
    kind: z.enum(["api_key", "oauth"]).optional().describe("A key, or a login"),
    note: z.string().optional().describe("What else there is to know, such as that it has expired"),
  })
  .describe("That a credential exists and where, never the credential");
export type CredentialInfo = z.infer<typeof CredentialInfo>;
