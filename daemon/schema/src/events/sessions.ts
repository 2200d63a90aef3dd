import { z } from "zod";
import { AgentState, PermissionMode } from "../session.ts";
import { Metadata } from "./metadata.ts";

export const StderrExcerpt = z.object({
  head: z.string(),
  tail: z.string(),
  truncated: z.boolean(),
  totalLines: z.int().nonnegative(),
});
export type StderrExcerpt = z.infer<typeof StderrExcerpt>;

export const sessionEvents = {
  "session.started": z.object({
    agent: z.string(),
    agentVersion: z.string().optional(),
    nativeSessionId: z.string().optional(),
    model: z.string().optional(),
    agentMode: z.string().optional(),
    variant: z.string().optional(),
    permissionMode: PermissionMode,
    directory: z.string(),
    resumed: z.boolean(),
    contextLost: z.boolean().optional(),
    metadata: Metadata.optional(),
  }),
  "session.updated": z.object({
    model: z.string().optional(),
    agentMode: z.string().optional(),
    variant: z.string().optional(),
    permissionMode: PermissionMode.optional(),
    title: z.string().optional(),
    nativeSessionId: z.string().optional(),
    agentVersion: z.string().optional(),
    commands: z.array(z.object({ name: z.string(), description: z.string().optional() })).optional(),
    agentState: AgentState.optional(),
    contextLost: z.boolean().optional(),
  }),
  "session.ended": z.object({
    reason: z.enum(["completed", "error", "terminated"]),
    terminatedBy: z.enum(["agent", "daemon", "client"]),
    message: z.string().optional(),
    exitCode: z.int().optional(),
    signal: z.string().optional(),
    stderr: StderrExcerpt.optional(),
    metadata: Metadata.optional(),
  }),
} as const;
