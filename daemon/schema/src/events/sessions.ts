import { z } from "zod";
import { AgentState, Keys, PermissionMode } from "../session.ts";
import { Metadata } from "./metadata.ts";

export const StderrExcerpt = z
  .object({
    head: z.string().describe("The first lines"),
    tail: z.string().describe("The last lines"),
    truncated: z.boolean().describe("Whether lines between them were left out"),
    totalLines: z.int().nonnegative().describe("How many lines there were"),
  })
  .describe("What the agent's process wrote to its standard error");
export type StderrExcerpt = z.infer<typeof StderrExcerpt>;

export const AgentCommand = z
  .object({
    name: z.string().describe("How it is called, without the slash"),
    description: z.string().optional().describe("What it does"),
  })
  .describe("A slash command that the agent understands in a message");

export const sessionEvents = {
  "session.started": z
    .object({
      agent: z.string().describe("Which agent works in this session"),
      agentVersion: z.string().optional().describe("The version of the agent's program"),
      nativeSessionId: z.string().optional().describe("The id under which the agent itself knows the conversation"),
      model: z.string().optional().describe("The model it works with"),
      agentMode: z.string().optional().describe("What the agent does: build, plan …"),
      variant: z.string().optional().describe("How hard the model thinks"),
      permissionMode: PermissionMode.describe("What it may do without asking"),
      directory: z.string().describe("Where it works, on the daemon's machine"),
      resumed: z.boolean().describe("Whether it goes on with an earlier conversation"),
      contextLost: z.boolean().optional().describe("true: the agent does not remember what was said before"),
      keys: Keys.optional(),
      metadata: Metadata.optional().describe("Whatever else the agent said of itself"),
    })
    .describe("A life of the agent has begun: its process is ready"),
  "session.updated": z
    .object({
      model: z.string().optional().describe("The model from now on"),
      agentMode: z.string().optional().describe("The agent mode from now on"),
      variant: z.string().optional().describe("How hard the model thinks from now on"),
      permissionMode: PermissionMode.optional().describe("What it may do without asking, from now on"),
      title: z.string().optional().describe("The name for people from now on"),
      nativeSessionId: z.string().optional().describe("The agent's own id of the conversation from now on"),
      agentVersion: z.string().optional().describe("The version of the agent's program from now on"),
      commands: z.array(AgentCommand).optional().describe("The slash commands the agent takes"),
      agentState: AgentState.optional().describe("What the agent's process does"),
      contextLost: z.boolean().optional().describe("true: the agent does not remember what was said before"),
      keys: Keys.optional(),
    })
    .describe("Settings of the session have changed; what is absent stayed as it was"),
  "session.ended": z
    .object({
      reason: z.enum(["completed", "error", "terminated"]).describe("Why the life ended"),
      terminatedBy: z.enum(["agent", "daemon", "client"]).describe("Who ended it"),
      message: z.string().optional().describe("Why, in words"),
      exitCode: z.int().optional().describe("The exit code of the process"),
      signal: z.string().optional().describe("The signal that ended the process"),
      stderr: StderrExcerpt.optional().describe("What the process wrote to its standard error"),
      metadata: Metadata.optional().describe("Whatever else is known of the end"),
    })
    .describe("A life of the agent has ended; the session stays, and a message begins a new life"),
} as const;
