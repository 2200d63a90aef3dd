import { setTimeout } from "node:timers/promises";
import type {
  FileChangeHook,
  QuestionAnswers,
  ToolCall,
  ToolCallResult,
  ToolInput,
  ToolOutput,
} from "@muster/codebuff-protocol";
import { CodeMap } from "../code-map/code-map.ts";
import { readSubtree } from "../code-map/read-subtree.ts";
import { applyPatch } from "../files/apply-patch.ts";
import { onDisk, replaceInFile, writeFile } from "../files/edit-files.ts";
import { openProject, type Project } from "../files/project.ts";
import { Proposals } from "../files/proposals.ts";
import { readFiles } from "../files/read-files.ts";
import { Gate, type GateOptions } from "../policy/gate.ts";
import { codeSearch } from "../search/code-search.ts";
import { findFiles, type PickFiles } from "../search/find-files.ts";
import { glob } from "../search/glob.ts";
import { listDirectory } from "../search/list-directory.ts";
import type { Terminal } from "../terminal/index.ts";
import { runFileChangeHooks } from "./file-change-hooks.ts";
import { terminalHandlers } from "./terminal-handlers.ts";
import type { CallContext, CustomTool, ToolHandlers } from "./tool-handler.ts";
import { type RunCallsOptions, ToolRunner } from "./tool-runner.ts";

export interface WorkspaceOptions extends Omit<GateOptions, "project"> {
  readonly root: string;
  /** Opened and closed by the caller, who may show it too. Without it the terminal tools are not available. */
  readonly terminal?: Terminal;
  readonly agentMode?: boolean;
  readonly hooks?: readonly FileChangeHook[];
  readonly customTools?: Readonly<Record<string, CustomTool>>;
  /** Takes the place of built-in handlers. */
  readonly overrides?: ToolHandlers;
  readonly pickFiles?: PickFiles;
  /** Without it every question is skipped. */
  readonly askUser?: (input: ToolInput<"ask_user">, context: CallContext) => Promise<QuestionAnswers>;
  readonly cacheDirectory?: string;
}

/** The agent's hands in one project: give it tool calls, it gives back results. */
export interface Workspace {
  readonly project: Project;
  readonly gate: Gate;
  readonly codeMap: CodeMap;
  /** One result per call, in call order. Never rejects. */
  run(calls: readonly ToolCall[], options: RunCallsOptions): Promise<ToolCallResult[]>;
  /** A run is over: its proposals are dropped. */
  endRun(runId: string): void;
  /** The terminal stays open: it belongs to the caller. */
  close(): Promise<void>;
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const project = await openProject(options.root);
  const gate = new Gate({ ...options, project });
  const { cacheDirectory } = options;
  const codeMap = new CodeMap({ root: project.root, ...(cacheDirectory === undefined ? {} : { cacheDirectory }) });
  const proposals = new Proposals();
  const handlers = { ...builtIn({ project, gate, codeMap, proposals, options }), ...options.overrides };
  const customTools = options.customTools ?? {};
  const runner = new ToolRunner({ project, gate, handlers, customTools });
  return {
    project,
    gate,
    codeMap,
    run: (calls, runOptions) => runner.run(calls, runOptions),
    endRun: (runId) => proposals.drop(runId),
    close: () => codeMap.close(),
  };
}

interface Parts {
  readonly project: Project;
  readonly gate: Gate;
  readonly codeMap: CodeMap;
  readonly proposals: Proposals;
  readonly options: WorkspaceOptions;
}

/** Tool → handler. The policy has said yes to the tool; paths and commands are asked for one by one. */
function builtIn({ project, gate, codeMap, proposals, options }: Parts): ToolHandlers {
  const search = { project, access: gate };
  const disk = { access: gate, target: onDisk };
  const proposed = (context: CallContext) => ({ access: gate, target: proposals.target(context.runId) });
  const reading = {
    access: gate,
    referencedBy: async (path: string) =>
      (await codeMap.soon({ maxAgeMs: 1000, waitMs: 2000 }))?.referencedBy(path) ?? {},
  };
  return {
    async read_files(input) {
      const { files, images } = await readFiles(input, reading);
      return [...json(files), ...images];
    },
    write_file: async (input) => json(await writeFile(input, disk)),
    str_replace: async (input) => json(await replaceInFile(input, disk)),
    apply_patch: async (input) => json(await applyPatch(input.operation, gate)),
    propose_write_file: async (input, context) => json(await writeFile(input, proposed(context), "propose_write_file")),
    propose_str_replace: async (input, context) =>
      json(await replaceInFile(input, proposed(context), "propose_str_replace")),
    async create_plan({ path, plan }) {
      return json(await writeFile({ path, instructions: "Write the plan", content: plan }, disk, "create_plan"));
    },
    read_subtree: async (input) => json(await readSubtree(input, { access: gate, codeMap })),
    code_search: async (input, { signal }) => json(await codeSearch(input, search, signal)),
    glob: async (input, { signal }) => json(await glob(input, search, signal)),
    list_directory: async (input) => json(await listDirectory(input, search)),
    async find_files(input, { signal }) {
      const { pickFiles } = options;
      const ports = { ...reading, codeMap, ...(pickFiles === undefined ? {} : { pickFiles }) };
      return json(await findFiles(input, ports, signal));
    },
    sleep: async ({ seconds }, { signal }) => json(await sleep(seconds, signal)),
    async ask_user(input, context) {
      return json(options.askUser === undefined ? { skipped: true } : await options.askUser(input, context));
    },
    ...withTerminal(gate, options),
  };
}

function withTerminal(gate: Gate, { terminal, agentMode = false, hooks = [] }: WorkspaceOptions): ToolHandlers {
  if (terminal === undefined) return {};
  return {
    ...terminalHandlers({ terminal, gate, agentMode }),
    run_file_change_hooks: async ({ files }, { signal }) =>
      json(await runFileChangeHooks(files, hooks, { terminal, signal })),
  };
}

async function sleep(seconds: number, signal: AbortSignal): Promise<{ message: string }> {
  await setTimeout(seconds * 1000, undefined, { signal }).catch(() => undefined);
  return { message: signal.aborted ? "Woken by the user" : `Slept ${seconds} s` };
}

/** The runner checks and copies what is returned here, so the cast is looked at once more. */
function json(value: unknown): ToolOutput {
  return [{ type: "json", value: value as never }];
}
