import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { shippedAgent, shippedAgents } from "@muster/codebuff-agents";
import type { McpServer, ModeName, PrintModeEvent, RunState } from "@muster/codebuff-protocol";
import { type FileSource, openWorkspace, type Workspace } from "@muster/codebuff-workspace";
import { isHealthy } from "../backend/backend.ts";
import { BegunSessions } from "../hooks/begun-sessions.ts";
import { readMcpConfig } from "../load/mcp-config.ts";
import { McpServers } from "../mcp/mcp-servers.ts";
import { type ListedModel, listModels } from "../model/list-models.ts";
import { findWays } from "../model/ways.ts";
import { projectFolder } from "../sessions/places.ts";
import { SessionStore } from "../sessions/session-store.ts";
import { KnownTrees } from "../setup/known-trees.ts";
import type { CodebuffClientOptions, RunOptions } from "../setup/options.ts";
import { type CheckedOptions, checkOptions, type RunExecutionOptions } from "../setup/prepare-run.ts";
import { findFiles, findSpawn } from "../setup/sources.ts";
import { StartupProcesses } from "../startup/startup-processes.ts";
import { Callbacks, endsBlock } from "./callbacks.ts";
import { type ListedAgent, listAgents, type PlannedRun, planRun, type RefusedRun } from "./plan-run.ts";
import { runOnce } from "./run-once.ts";

/** How long the last records may take to reach the server when the program ends. */
const drainMs = 2_000;

interface Place {
  readonly workspace: Workspace;
  readonly mcp: McpServers;
  /** A virtual project has none. */
  readonly startup?: StartupProcesses;
}

interface Draining {
  drain(limitMs: number): Promise<void>;
}

export type StreamedEvent = PrintModeEvent & { sessionId: string; seq: number };

/** Runs agents on this machine. What it opens is shared by its runs and ends with `close()`. */
export class CodebuffClient {
  readonly options: CodebuffClientOptions;
  readonly #places = new Map<string, Promise<Place>>();
  readonly #ledgers = new Set<Draining>();
  /** Warnings of broken agent files, each given once. */
  readonly #told = new Set<string>();
  readonly #begun = new BegunSessions();
  readonly #trees = new KnownTrees();

  constructor(options: CodebuffClientOptions = {}) {
    this.options = options;
  }

  /**
   * Runs one prompt to its end. Rejects only for options that can never work; what goes wrong on the way is an output of
   * type `error` with its code, status and message.
   */
  async run(options: RunOptions & CodebuffClientOptions): Promise<RunState> {
    const merged = { ...this.options, ...options };
    const callbacks = new Callbacks(merged, merged.signal);
    const events = this.#run(merged);
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      await callbacks.tell(next.value);
    }
  }

  /** The same run as an iterable of events: texts as deltas, numbered, the last one is `finish`. Leaving it early aborts. */
  async *stream(options: RunOptions & CodebuffClientOptions): AsyncGenerator<StreamedEvent, RunState, void> {
    const merged = { ...this.options, ...options };
    const { sessionId } = await checkOptions(merged);
    const callbacks = new Callbacks(merged, merged.signal);
    const events = this.#run({ ...merged, sessionId });
    try {
      for (let seq = 0; ; ) {
        const next = await events.next();
        if (next.done) return next.value;
        await callbacks.tell(next.value);
        if (!endsBlock(next.value)) yield { ...next.value, sessionId, seq: ++seq };
      }
    } finally {
      // A reader that has left is told nothing of the end.
      await events.return({ output: { type: "error", message: "Nobody read to the end" } });
    }
  }

  /** Whether the server answers, within 5 s. */
  async checkConnection(): Promise<boolean> {
    const { baseUrl } = await this.#ways();
    return isHealthy(baseUrl);
  }

  /** What can be used now, and why the rest cannot. */
  async listModels(): Promise<ListedModel[]> {
    const models = shippedAgents.map(({ model }) => model);
    return listModels(await this.#ways(), models);
  }

  /** The agent and the model a run would use now, or why none can begin; nothing is run. */
  planRun(options: { agent?: string; mode?: ModeName; model?: string } = {}): Promise<PlannedRun | RefusedRun> {
    return planRun({ ...this.options, ...options }, shippedAgent);
  }

  /** The agents that can be run in this project. A broken or unaccepted one is told to `warn`. */
  listAgents({ warn = () => undefined }: { warn?: (message: string) => void } = {}): Promise<ListedAgent[]> {
    return listAgents(this.options, shippedAgents, warn);
  }

  /** The MCP servers the project and the person have configured, accepted or not. */
  async mcpServers({
    warn = () => undefined,
  }: {
    warn?: (message: string) => void;
  } = {}): Promise<Record<string, McpServer>> {
    const { cwd = process.cwd(), home } = this.options;
    return (await readMcpConfig({ cwd: resolve(cwd), home, warn })).mcpServers;
  }

  /** Starts one MCP server and lists its tools; the caller vouches for its command. It ends with `close()`. */
  async testMcpServer(
    name: string,
    config: McpServer,
    signal?: AbortSignal,
  ): Promise<{ tools: string[] } | { failure: string }> {
    const { cwd = process.cwd(), processEnv: env = process.env, home = homedir() } = this.options;
    const { mcp } = await this.#place(resolve(cwd), env, home);
    let failure: string | undefined;
    const offers = await mcp.offers({ [name]: config }, [], {
      signal,
      warn: (message) => {
        failure = message;
      },
    });
    return failure === undefined ? { tools: Object.keys(offers) } : { failure };
  }

  /** The sessions of a project on this disk. */
  sessions({ cwd = this.options.cwd ?? process.cwd() }: { cwd?: string } = {}): SessionStore {
    return new SessionStore({ cwd: resolve(cwd), home: this.options.home ?? homedir() });
  }

  /** The person goes on with another session: the hooks of this one are told of its end. */
  async leaveSession(id: string): Promise<void> {
    await this.#begun.leave(id);
  }

  /** Ends MCP servers, start-up processes and code maps, and waits a moment for records that are still on their way to the server. */
  async close(): Promise<void> {
    await this.#begun.close();
    const places = [...this.#places.values()];
    this.#places.clear();
    const ledgers = [...this.#ledgers];
    this.#ledgers.clear();
    await Promise.all([
      ...places.map(async (opening) => closePlace(await opening)),
      ...ledgers.map((ledger) => ledger.drain(drainMs)),
    ]);
  }

  async *#run(options: RunExecutionOptions): AsyncGenerator<PrintModeEvent, RunState, void> {
    const checked = await checkOptions(options);
    const [files, spawn] = await Promise.all([findFiles(options, checked.root), findSpawn(options)]);
    const onLedger = (ledger: Draining) => this.#ledgers.add(ledger);
    const shared = {
      spawn,
      shipped: shippedAgents,
      told: this.#told,
      sessions: this.#begun,
      trees: this.#trees,
      onLedger,
    };
    if (files === undefined) {
      const place = await this.#place(checked.root, checked.env, checked.home);
      return yield* runOnce(options, checked, { ...place, ...shared });
    }
    const place = await openVirtualPlace(checked, files);
    try {
      return yield* runOnce(options, checked, { ...place, ...shared });
    } finally {
      await closePlace(place);
    }
  }

  #place(root: string, env: NodeJS.ProcessEnv, home: string): Promise<Place> {
    const known = this.#places.get(root);
    if (known !== undefined) return known;
    const opening = openPlace(root, env, home);
    this.#places.set(root, opening);
    opening.catch(() => this.#places.delete(root));
    return opening;
  }

  #ways() {
    const { apiKey, baseUrl, provider, home, processEnv: env } = this.options;
    return findWays({ apiKey, baseUrl, provider, home, env });
  }
}

async function openPlace(root: string, env: NodeJS.ProcessEnv, home: string): Promise<Place> {
  const workspace = await openWorkspace({ root });
  const mcp = new McpServers({ cwd: root, env });
  return {
    workspace,
    mcp,
    startup: new StartupProcesses({ root, env, folder: join(projectFolder(home, root), "startup") }),
  };
}

/** Of one run: its private directory must not outlive a program that never closes its client. */
async function openVirtualPlace({ root, isOnDisk, env }: CheckedOptions, files: FileSource): Promise<Place> {
  const workspace = await openWorkspace({ root, files });
  return { workspace, mcp: new McpServers({ cwd: isOnDisk ? root : process.cwd(), env }) };
}

async function closePlace({ workspace, mcp, startup }: Place): Promise<void> {
  await Promise.all([workspace.close(), mcp.close(), startup?.close()]);
}
