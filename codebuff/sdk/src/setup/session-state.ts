import { resolve } from "node:path";
import {
  type AgentDefinitionInput,
  AgentOutput,
  emptyRunAgentState,
  type FileContext,
  type Message,
  type RunAgentState,
  RunState,
  type SessionState,
  type ToolMessage,
} from "@muster/codebuff-protocol";
import { openWorkspace } from "@muster/codebuff-workspace";
import { readFileContext } from "../load/file-context.ts";
import { loadSkills, type SkillsMap } from "../load/skills.ts";
import { SdkError } from "../sdk-error.ts";
import { newSessionId } from "../sessions/session-store.ts";
import type { CustomToolDefinition } from "../tools/custom-tools.ts";
import { type CodebuffFileSystem, findFiles } from "./sources.ts";

export interface InitialSessionStateOptions {
  cwd?: string;
  projectFiles?: Record<string, string>;
  fs?: CodebuffFileSystem;
  knowledgeFiles?: Record<string, string>;
  userKnowledgeFiles?: Record<string, string>;
  skillsDir?: string;
  agentDefinitions?: AgentDefinitionInput[];
  customToolDefinitions?: readonly CustomToolDefinition[];
  maxAgentSteps?: number;
  home?: string;
}

/** A conversation in which nothing was said yet. */
export async function initialSessionState(options: InitialSessionStateOptions = {}): Promise<SessionState> {
  const { cwd = process.cwd(), skillsDir, home, agentDefinitions = [], maxAgentSteps } = options;
  const skills = await loadSkills({ cwd, skillsPath: skillsDir, home });
  const fileContext = await readContext(options, resolve(cwd), skills);
  const agentTemplates = Object.fromEntries(
    agentDefinitions.map(({ handleSteps: _, ...agent }) => [agent.id, agent as never]),
  );
  const state = freshState(newSessionId(), { ...fileContext, agentTemplates });
  return { ...state, mainAgentState: { ...state.mainAgentState, stepsRemaining: maxAgentSteps ?? 100 } };
}

async function readContext(options: InitialSessionStateOptions, root: string, skills: SkillsMap): Promise<FileContext> {
  const { knowledgeFiles, userKnowledgeFiles, home, fs, projectFiles } = options;
  const given = { knowledgeFiles, userKnowledgeFiles, home, skills, warn: () => undefined };
  const files = await findFiles({ fsSource: fs, projectFiles }, root);
  if (files === undefined) return readFileContext({ ...given, root });
  const workspace = await openWorkspace({ root, files, confinement: "table" });
  try {
    await workspace.refresh();
    return await readFileContext({ ...given, root: workspace.project.root, virtualRoot: root });
  } finally {
    await workspace.close();
  }
}

export async function generateInitialRunState(
  options: InitialSessionStateOptions & { cwd: string },
): Promise<RunState> {
  return { sessionState: await initialSessionState(options), output: { type: "lastMessage", value: [] } };
}

/** The same run with one more message in its history; the given one is not changed. */
export function withAdditionalMessage({ runState, message }: { runState: RunState; message: Message }): RunState {
  const history = runState.sessionState?.mainAgentState.messageHistory ?? [];
  return withMessageHistory({ runState, messages: [...history, message] });
}

export function withMessageHistory({ runState, messages }: { runState: RunState; messages: Message[] }): RunState {
  const copy = structuredClone(runState);
  if (copy.sessionState === undefined)
    throw new SdkError("no_session_state", "This run has no session state to change");
  copy.sessionState.mainAgentState.messageHistory = structuredClone(messages);
  return copy;
}

/** What a run begins with: a deep copy of the run before it, the tree as it is now, results that came in between. */
export function beginState(options: {
  readonly sessionId: string;
  readonly fileContext: FileContext;
  readonly known: Partial<RunAgentState>;
  readonly extraToolResults: readonly ToolMessage[];
}): SessionState {
  const fresh = freshState(options.sessionId, options.fileContext);
  const known = structuredClone(options.known);
  const messageHistory = [...(known.messageHistory ?? []), ...options.extraToolResults];
  // Steps, run ids and credits are a run's own; the conversation keeps what was said and planned.
  const { agentType = "", agentContext = {}, todos } = known;
  return { ...fresh, mainAgentState: { ...fresh.mainAgentState, agentType, agentContext, todos, messageHistory } };
}

/** Throws `bad_previous_run` for something that no run has returned. */
export function checkPreviousRun(previousRun: unknown): RunState | undefined {
  if (previousRun === undefined) return undefined;
  const checked = RunState.safeParse(previousRun);
  if (checked.success) return checked.data;
  // A run that failed early has an output and nothing else, whatever program made it.
  const output = AgentOutput.safeParse((previousRun as { output?: unknown } | null)?.output);
  if (output.success && (previousRun as { sessionState?: unknown }).sessionState === undefined)
    return { output: output.data };
  const [issue] = checked.error.issues;
  throw new SdkError("bad_previous_run", `previousRun cannot be used: ${issue?.path.join(".")}: ${issue?.message}`);
}

function freshState(sessionId: string, fileContext: FileContext): SessionState {
  return { sessionId, fileContext, mainAgentState: emptyRunAgentState("") };
}
