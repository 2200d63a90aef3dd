import { z } from "zod";

/** A command the project wants to have run after files changed. */
export const FileChangeHook = z.object({
  name: z.string().min(1),
  command: z.string().min(1),
  cwd: z.string().optional(),
  filePattern: z.string().optional(),
  enabled: z.boolean().default(true),
});
export type FileChangeHook = z.infer<typeof FileChangeHook>;

export const StartupProcess = z.object({
  name: z.string().min(1),
  command: z.string().min(1),
  cwd: z.string().optional(),
  enabled: z.boolean().default(true),
  stdoutFile: z.string().optional(),
  stderrFile: z.string().optional(),
});
export type StartupProcess = z.infer<typeof StartupProcess>;

/** `codebuff.json` or `codebuff.jsonc` of a project. Untrusted until the user accepts it once per content. */
export const ProjectConfig = z.looseObject({
  startupProcesses: z.array(StartupProcess).default([]),
  fileChangeHooks: z.array(FileChangeHook).default([]),
  maxAgentSteps: z.int().min(1).optional(),
  baseAgent: z.string().optional(),
  spawnableAgents: z.array(z.string()).optional(),
  /** The name of a permissions preset; the workspace knows them. */
  permissions: z.string().optional(),
});
export type ProjectConfig = z.infer<typeof ProjectConfig>;
