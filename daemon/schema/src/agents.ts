import { z } from "zod";
import { PermissionMode } from "./session.ts";

/** What an agent can do through this API. */
export const Capabilities = z.object({
  deltas: z.boolean(),
  reasoning: z.boolean(),
  permissions: z.boolean(),
  questions: z.boolean(),
  planApproval: z.boolean(),
  steer: z.boolean(),
  interrupt: z.boolean(),
  resume: z.boolean(),
  images: z.boolean(),
  mcp: z.boolean(),
  subagents: z.boolean(),
  todos: z.boolean(),
  cost: z.boolean(),
  sharedServer: z.boolean(),
  permissionModes: z.array(PermissionMode),
});
export type Capabilities = z.infer<typeof Capabilities>;

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
