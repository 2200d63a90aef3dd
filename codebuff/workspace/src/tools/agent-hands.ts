import type { FileChangeHook, ToolCall, ToolCallResult } from "@muster/codebuff-protocol";
import type { Sandbox } from "@muster/confinement";
import type { CodeMap } from "../code-map/code-map.ts";
import type { PickFiles } from "../code-map/find-files.ts";
import type { Project } from "../files/access/project.ts";
import { Gate, type GateOptions } from "../policy/gate.ts";
import type { Terminal } from "../terminal/index.ts";
import type { Mirror } from "../virtual/mirror.ts";
import type { GuardOptions } from "../web/guarded-request.ts";
import type { CallOrder } from "./call-order.ts";
import { runFileChangeHooks } from "./file-change-hooks.ts";
import { type AskUser, fileHandlers } from "./handlers.ts";
import { json } from "./json-output.ts";
import type { OutputRedaction } from "./output-redaction.ts";
import { terminalHandlers } from "./terminal-handlers.ts";
import type { CustomTool, ToolHandlers } from "./tool-handler.ts";
import { type CallOptions, ToolRunner } from "./tool-runner.ts";

/** Everything that is one run's own business; its agents inherit it. */
export interface RunOptions extends Omit<GateOptions, "project" | "sandbox"> {
  readonly runId: string;
  readonly agentId?: string;
  /** Opened and closed by the caller, who may show it too. Without it the terminal tools are not available. */
  readonly terminal?: Terminal;
  readonly agentMode?: boolean;
  readonly hooks?: readonly FileChangeHook[];
  readonly customTools?: Readonly<Record<string, CustomTool>>;
  /** Takes the place of built-in handlers. */
  readonly overrides?: ToolHandlers;
  readonly pickFiles?: PickFiles;
  /** Without it every question is skipped. */
  readonly askUser?: AskUser;
  /** For `read_url`: how names are resolved, and whether this machine may be read. */
  readonly web?: GuardOptions;
}

/** What a child does not share with its parent. Left out, the tools are those of the parent. */
export interface ChildOptions {
  readonly agentId: string;
  readonly runId: string;
  readonly customTools?: Readonly<Record<string, CustomTool>>;
  readonly overrides?: ToolHandlers;
}

/** What all runs in a project share. */
export interface SharedParts {
  readonly project: Project;
  readonly codeMap: CodeMap;
  readonly amongAgents: CallOrder;
  readonly sandbox?: Sandbox;
  readonly redaction: OutputRedaction;
  /** Of a virtual project. */
  readonly mirror?: Mirror;
}

/**
 * The hands of one agent in one run. Its calls keep their order among themselves; of other agents and runs it knows
 * only that two of them never write one path at the same time.
 */
export class AgentHands {
  readonly runId: string;
  readonly agentId: string;
  /** Its terminal session: `main` for the first agent of a run, `agent:<agentId>` for a child. */
  readonly session: string;
  /** One for the whole run: a switch of mode or an `always` holds for every agent in it. */
  readonly gate: Gate;
  readonly #shared: SharedParts;
  readonly #options: RunOptions;
  readonly #parent: AgentHands | undefined;
  readonly #children = new Set<AgentHands>();
  readonly #runner: ToolRunner;
  readonly #ending = new AbortController();

  private constructor(shared: SharedParts, options: RunOptions, parent?: AgentHands) {
    const { runId, agentId = "main-agent" } = options;
    this.runId = runId;
    this.agentId = agentId;
    this.session = parent === undefined ? "main" : `agent:${agentId}`;
    this.gate = parent?.gate ?? new Gate({ ...options, project: shared.project, sandbox: shared.sandbox });
    this.#shared = shared;
    this.#options = options;
    this.#parent = parent;
    const { project, amongAgents, mirror, redaction } = shared;
    const { overrides, customTools } = options;
    const sessionFor = (given: string | undefined) => this.#sessionFor(given);
    const own = {
      runId,
      agentId,
      project,
      gate: this.gate,
      handlers: this.#handlers(),
      sessionFor,
      amongAgents,
      mirror,
      redaction,
    };
    this.#runner = new ToolRunner({ ...own, overrides, customTools });
  }

  static begin(shared: SharedParts, options: RunOptions): AgentHands {
    return new AgentHands(shared, options);
  }

  /** A child that this agent has started: same policy, a terminal session of its own that begins where this one is. */
  beginAgent(child: ChildOptions): AgentHands {
    const hands = new AgentHands(this.#shared, { ...this.#options, ...child }, this);
    this.#children.add(hands);
    return hands;
  }

  /** One result per call, in call order. Never rejects. */
  call(calls: readonly ToolCall[], options: CallOptions = {}): Promise<ToolCallResult[]> {
    const signals = [this.#ending.signal, ...(options.signal === undefined ? [] : [options.signal])];
    return this.#runner.run(calls, { ...options, signal: AbortSignal.any(signals) });
  }

  /** Its calls are interrupted and its children ended; a child's terminal sessions are killed. */
  async end(): Promise<void> {
    this.#ending.abort();
    const parent = this.#parent;
    if (parent !== undefined) parent.#children.delete(this);
    const sessions = parent === undefined ? undefined : this.#options.terminal?.end(this.session);
    await Promise.all([sessions, ...[...this.#children].map((child) => child.end())]);
  }

  #handlers(): ToolHandlers {
    const { terminal, agentMode = false, hooks = [], pickFiles, askUser, web } = this.#options;
    const { project, codeMap } = this.#shared;
    const files = fileHandlers({ project, codeMap, pickFiles, askUser, web });
    if (terminal === undefined) return files;
    const place = {
      sessionFor: (given: string | undefined) => this.#sessionFor(given),
      startIn: () => this.#startIn(),
    };
    return {
      ...files,
      ...terminalHandlers({ terminal, agentMode, ...place }),
      run_file_change_hooks: async ({ files: changed }, { gate, signal }) =>
        json(await runFileChangeHooks(changed, hooks, { terminal, gate, signal })),
    };
  }

  /** A child's other sessions bear its name too, so that they go with it and meet nobody else's. */
  #sessionFor(given: string | undefined): string {
    if (this.#parent === undefined) return given ?? this.session;
    if (given === undefined || given === "main" || given === this.session) return this.session;
    return given.startsWith(`${this.session}/`) ? given : `${this.session}/${given}`;
  }

  #startIn(): string | undefined {
    const parent = this.#parent;
    if (parent === undefined) return undefined;
    return this.#options.terminal?.directoryOf(parent.session) ?? parent.#startIn();
  }
}
