import type {
  AgentDefinitionInput,
  ImagePart,
  McpServer,
  ModeName,
  PolicyRule,
  PrintModeEvent,
  RunState,
  TextPart,
  ToolMessage,
} from "@muster/codebuff-protocol";
import type { RunLimits } from "@muster/codebuff-runtime";
import type { LiveMode, Permissions, Terminal } from "@muster/codebuff-workspace";
import type { Snapshots } from "@muster/snapshots";
import type { DecideTrust } from "../load/trust.ts";
import type { Session } from "../sessions/session.ts";
import type { AskPerson } from "../tools/ask-person.ts";
import type { CustomToolDefinition } from "../tools/custom-tools.ts";
import type { FileFilter } from "../tools/file-filter.ts";
import type { OverrideTools } from "../tools/override-tools.ts";
import type { RootShape } from "./shape-root.ts";
import type { Sources } from "./sources.ts";
import type { Steering } from "./steering.ts";

export type StreamChunk =
  | string
  | { type: "subagent_chunk"; agentId: string; agentType: string; chunk: string }
  | { type: "reasoning_chunk"; agentId: string; ancestorRunIds: string[]; chunk: string };

export interface Logger {
  debug(data: unknown, message?: string): void;
  info(data: unknown, message?: string): void;
  warn(data: unknown, message?: string): void;
  error(data: unknown, message?: string): void;
}

/** Options of a client; every one can be given to a single run too and wins there. */
export interface CodebuffClientOptions extends Sources {
  /** A Codebuff key; else `CODEBUFF_API_KEY`, else the files of `login`. */
  apiKey?: string;
  /** The Codebuff server. */
  baseUrl?: string;
  /** Forces one way to a model: `anthropic`, `openai`, `openrouter`, `gemini`, `backend`, or a configured name. */
  provider?: string;
  /** The project's directory; of a virtual project only its name, and where its `codebuff.json` and `.agents` are. */
  cwd?: string;
  knowledgeFiles?: Record<string, string>;
  userKnowledgeFiles?: Record<string, string>;
  skillsDir?: string;
  agentDefinitions?: AgentDefinitionInput[];
  customToolDefinitions?: readonly CustomToolDefinition[];
  overrideTools?: OverrideTools;
  maxAgentSteps?: number;
  limits?: Partial<RunLimits>;
  /** Variables for tools. */
  env?: Record<string, string>;
  handleEvent?: (event: PrintModeEvent) => void | Promise<void>;
  handleStreamChunk?: (chunk: StreamChunk) => void | Promise<void>;
  fileFilter?: FileFilter;
  logger?: Logger;
  /** Where `~` is for everything this client reads and keeps. */
  home?: string;
  /** The environment keys and base URLs are looked for in. */
  processEnv?: NodeJS.ProcessEnv;
  /** Decides about agents, MCP servers and commands of a project; without it they are not used, and the run says so. */
  trust?: DecideTrust;
  /** Left out: everything runs but what destroys outside of the project. */
  permissions?: Permissions;
  rules?: readonly PolicyRule[];
  ask?: AskPerson;
  /** Runs the hooks of `.claude/settings.json` and `.agents/hooks.json`, the person's and those the project was trusted with. */
  hooks?: boolean;
  /** A prompt such as `/review 12` stands for `.agents/commands/review.md` or `.claude/commands/review.md`. */
  commands?: boolean;
}

/** How a run works in agent mode. */
export interface AgentModeOptions {
  /** The loop runs in this process, also with a Codebuff account. */
  local?: boolean;
  /** Forget the agent's work so far. */
  newTask?: boolean;
}

export interface RunOptions extends RootShape {
  /** The prompt is a task of agent mode: many steps, one terminal that stays, calls read from the text. */
  agentMode?: AgentModeOptions;
  /** An id, an id of the store, or a whole definition. Left out: by cost mode. */
  agent?: string | AgentDefinitionInput;
  prompt?: string;
  /** Text and pictures beside the prompt. */
  content?: readonly (TextPart | ImagePart)[];
  params?: Record<string, unknown>;
  previousRun?: RunState;
  extraToolResults?: readonly ToolMessage[];
  signal?: AbortSignal;
  costMode?: string;
  /** Takes the place of the root agent's model. */
  model?: string;
  appendSystemPrompt?: string;
  /** MCP servers of the caller, beside those of the project; they need no acceptance. */
  mcpServers?: Readonly<Record<string, McpServer>>;
  /** No further request is sent once the run, its sub-agents and its tools have cost so much. */
  budgetUsd?: number;
  mode?: ModeName;
  /** Of a new conversation; else the previous run's, else made up. */
  sessionId?: string;
  /** Journals the run, and is continued when there is no `previousRun`. */
  session?: Session;
  messageId?: string;
  steering?: Steering;
  /** Opened and closed by the caller; else one of the run's own. */
  terminal?: Terminal;
  /** A checkpoint is taken before the prompt and after edits. */
  snapshots?: Snapshots;
  /** Rules that `always` answers have granted; shared by the runs of a conversation. */
  granted?: Set<string>;
  /** In place of `permissions` and of what `mode` lets be written: kept by the caller, who may switch it while the run goes on. */
  live?: LiveMode;
}
