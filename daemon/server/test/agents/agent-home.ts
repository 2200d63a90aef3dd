import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { Item, Part } from "@muster/schema";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { type TestedAgent, testsOf } from "./installed-agent.ts";

export type Turns = NonNullable<ScriptInput["conversations"][number]["turns"]>;

/** A session of a real agent, the model it talks to, and the directory it works in. */
export interface Talk {
  talk: Conversation;
  llm: ScriptedLlm;
  directory: string;
}

/**
 * A daemon with a real agent, installed by the daemon itself, and a scripted model for each session. Nothing of it
 * leaves the machine; HOME is fresh.
 */
export class AgentHome {
  readonly #agent: TestedAgent;
  /** What every create body says beside the endpoint: a key, a model. */
  readonly #settings: Record<string, unknown>;
  #home: DaemonHome | undefined;
  #daemon: DaemonProcess | undefined;
  #temporary: string | undefined;

  /** Whether its daemon takes snapshots of the directories. */
  readonly #snapshots: boolean;

  constructor(agent: TestedAgent, settings: Record<string, unknown>, { snapshots = false } = {}) {
    this.#snapshots = snapshots;
    this.#agent = agent;
    this.#settings = settings;
  }

  /** To be called at the top of a test file. Where the agent cannot be installed its tests are skipped, and why is said. */
  async forFile() {
    const { program, test } = await testsOf(this.#agent);
    if (program !== undefined) {
      beforeAll(() => this.#open(program.path));
      afterAll(() => this.#remove());
    }
    return test;
  }

  get home(): DaemonHome {
    if (this.#home === undefined) throw new Error("The home is made before the tests");
    return this.#home;
  }

  get daemon(): DaemonProcess {
    if (this.#daemon === undefined) throw new Error("The daemon is started before the tests");
    return this.#daemon;
  }

  async #open(path: string): Promise<void> {
    const snapshots = this.#snapshots;
    // Codex 0.166.0 makes no aliases of itself for a home in the temporary folder, and without them its sandbox does not start
    // on a busy machine: it has a temporary folder of its own.
    this.#temporary = await mkdtemp(join(tmpdir(), "muster-agent-tmp-"));
    this.#home = await DaemonHome.make({
      snapshots,
      args: ["--no-token", "--agent-source", `${this.#agent}=path:${path}`],
      env: this.#agent === "codex" ? { TMPDIR: this.#temporary } : {},
    });
    this.#daemon = await this.#home.start();
  }

  async #remove(): Promise<void> {
    await this.#home?.remove();
    if (this.#temporary !== undefined) await rm(this.#temporary, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Another daemon on the same data. */
  async restart(): Promise<DaemonProcess> {
    this.#daemon = await this.home.start();
    return this.#daemon;
  }

  directory(): Promise<string> {
    return mkdtemp(join(this.home.path, "work-"));
  }

  /** A session whose model says these turns. */
  async begin(turns: Turns, settings: Record<string, unknown> = {}): Promise<Talk> {
    return this.beginWith({ conversations: [{ turns }] }, settings);
  }

  async beginWith(script: ScriptInput, settings: Record<string, unknown> = {}): Promise<Talk> {
    const llm = await startScriptedLlm({ script });
    onTestFinished(() => llm.close());
    return this.beginOn(llm, settings);
  }

  /** A session on a model that others may use too. */
  async beginOn(llm: ScriptedLlm, settings: Record<string, unknown> = {}): Promise<Talk> {
    const directory = await this.directory();
    const usual = { agent: this.#agent, directory, baseUrl: llm.url, ...this.#settings };
    const talk = await Conversation.open(this.daemon.api, { ...usual, ...settings });
    onTestFinished(() => talk.leave());
    return { talk, llm, directory };
  }

  async reply({ talk }: Talk, permissionId: string, reply: "once" | "always" | "reject"): Promise<void> {
    await this.daemon.api.post(`${talk.path}/permissions/${permissionId}/reply`, { reply });
  }

  /** The whole log keeps every promise, the agent was understood to the last line, and the model was asked as scripted. */
  async finish({ talk, llm }: Talk): Promise<void> {
    const log = await this.daemon.api.log(talk.sessionId);
    expect(checkInvariants(log)).toEqual([]);
    expect(log.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
    expect(llm.failures()).toEqual([]);
    await talk.leave();
    await this.daemon.api.ask("DELETE", talk.path);
  }

  /** The processes of agents whose command line holds this. */
  processesWith(text: string): number[] {
    return this.home.agents().filter((pid) => commandLineOf(pid).includes(text));
  }
}

export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** The parts of one type in what was told of items. */
export function parts<T extends Part["type"]>(items: readonly { item: Item }[], type: T): Extract<Part, { type: T }>[] {
  return items
    .flatMap(({ item }) => item.content)
    .filter((part): part is Extract<Part, { type: T }> => part.type === type);
}
