import { z } from "zod";
import { Message } from "../messages/history.ts";
import { Subgoal, Todo } from "../tools/agent-tools.ts";
import { AgentOutput } from "./agent-output.ts";

const json = z.record(z.string(), z.json());

/** A tool as a model is offered it. `inputSchema` is a JSON schema and travels unchanged. */
export const ToolDefinition = z.object({
  name: z.string().min(1),
  description: z.string(),
  inputSchema: json,
  /** For tools outside the tool table: whether a call by itself leads to another model step. Without it, it does. */
  forcing: z.boolean().optional(),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** What an agent of a run knows, root and child alike. Survives JSON. */
export const RunAgentState = z.object({
  agentId: z.string(),
  agentType: z.string(),
  /** Subgoals by id. */
  agentContext: z.record(z.string(), Subgoal),
  todos: z.array(Todo).optional(),
  ancestorRunIds: z.array(z.string()),
  runId: z.string().optional(),
  parentId: z.string().optional(),
  subagents: z.array(z.string()),
  childRunIds: z.array(z.string()),
  messageHistory: z.array(Message),
  stepsRemaining: z.int(),
  /** Credits with and without those of its children. */
  creditsUsed: z.number(),
  directCreditsUsed: z.number(),
  output: json.optional(),
  systemPrompt: z.string(),
  toolDefinitions: z.array(ToolDefinition),
  contextTokenCount: z.int(),
});
export type RunAgentState = z.infer<typeof RunAgentState>;

export const Skill = z.object({
  name: z.string().max(64),
  description: z.string().max(1024),
  content: z.string(),
  license: z.string().optional(),
  metadata: json.optional(),
});
export type Skill = z.infer<typeof Skill>;

export const GitChanges = z.object({
  status: z.string(),
  diff: z.string(),
  diffCached: z.string(),
  lastCommitMessages: z.string(),
});
export type GitChanges = z.infer<typeof GitChanges>;

/** What is known of the project. A cache: rebuilt or refreshed, never written into a session file. */
export const FileContext = z.object({
  projectRoot: z.string(),
  cwd: z.string(),
  /** Paths of the project's files, relative to its root. */
  fileTree: z.array(z.string()),
  /** Path → symbol → how much it matters. */
  fileTokenScores: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  /** Path → symbol → the files that use it. */
  tokenCallers: z.record(z.string(), z.record(z.string(), z.array(z.string()))).optional(),
  /** Path → text. */
  knowledgeFiles: z.record(z.string(), z.string()),
  userKnowledgeFiles: z.record(z.string(), z.string()).optional(),
  /** Agents of the project and the user, by id, as they would travel. */
  agentTemplates: json.optional(),
  customToolDefinitions: z.record(z.string(), ToolDefinition).optional(),
  skills: z.record(z.string(), Skill).optional(),
  gitChanges: GitChanges.optional(),
  changesSinceLastChat: z.record(z.string(), z.string()).optional(),
  shellConfigFiles: z.record(z.string(), z.string()).optional(),
  /** Platform, shell, versions: name → text. */
  systemInfo: z.record(z.string(), z.string()).optional(),
});
export type FileContext = z.infer<typeof FileContext>;

export const SessionState = z.object({
  sessionId: z.string().regex(/^[\w.-]{1,64}$/),
  fileContext: FileContext,
  mainAgentState: RunAgentState,
});
export type SessionState = z.infer<typeof SessionState>;

/** What `run()` resolves with and takes as `previousRun`. */
export const RunState = z.object({ sessionState: SessionState.optional(), output: AgentOutput });
export type RunState = z.infer<typeof RunState>;

/** The root agent's id; children get ids of their own. */
export const rootAgentName = "main-agent";

export function emptyRunAgentState(agentType: string): RunAgentState {
  return {
    agentId: rootAgentName,
    agentType,
    agentContext: {},
    ancestorRunIds: [],
    subagents: [],
    childRunIds: [],
    messageHistory: [],
    stepsRemaining: 0,
    creditsUsed: 0,
    directCreditsUsed: 0,
    systemPrompt: "",
    toolDefinitions: [],
    contextTokenCount: 0,
  };
}
