import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { Item, Part } from "@muster/schema";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { DaemonHome, type DaemonProcess } from "./daemon-process.ts";
import { installedAgent } from "./installed-agent.ts";

export type Turns = NonNullable<ScriptInput["conversations"][number]["turns"]>;

export interface CodexTalk {
  talk: Conversation;
  llm: ScriptedLlm;
  directory: string;
}

/** Looks like a key, opens nothing. */
export const fakeKey = "sk-codex-test-4711";

/**
 * A daemon with the real Codex, installed by the daemon itself, and a scripted model for each session. Nothing of it
 * leaves the machine; HOME is fresh.
 */
export class CodexHome {
  #home: DaemonHome | undefined;
  #daemon: DaemonProcess | undefined;

  /** To be called at the top of a test file. */
  static forFile(): CodexHome {
    const codex = new CodexHome();
    beforeAll(() => codex.#open());
    afterAll(() => codex.#home?.remove());
    return codex;
  }

  get home(): DaemonHome {
    if (this.#home === undefined) throw new Error("The home is made before the tests");
    return this.#home;
  }

  get daemon(): DaemonProcess {
    if (this.#daemon === undefined) throw new Error("The daemon is started before the tests");
    return this.#daemon;
  }

  async #open(): Promise<void> {
    const { path } = await installedAgent("codex");
    this.#home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `codex=path:${path}`] });
    this.#daemon = await this.#home.start();
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
  async begin(turns: Turns, settings: Record<string, unknown> = {}): Promise<CodexTalk> {
    return this.beginWith({ conversations: [{ turns }] }, settings);
  }

  async beginWith(script: ScriptInput, settings: Record<string, unknown> = {}): Promise<CodexTalk> {
    const llm = await startScriptedLlm({ script });
    onTestFinished(() => llm.close());
    return this.beginOn(llm, settings);
  }

  /** A session on a model that others may use too: equal addresses and keys share a process. */
  async beginOn(llm: ScriptedLlm, settings: Record<string, unknown> = {}): Promise<CodexTalk> {
    const directory = await this.directory();
    const model = { model: "gpt-5.5", baseUrl: llm.url, token: fakeKey };
    const talk = await Conversation.open(this.daemon.api, { agent: "codex", directory, ...model, ...settings });
    onTestFinished(() => talk.leave());
    return { talk, llm, directory };
  }

  async reply({ talk }: CodexTalk, permissionId: string, reply: "once" | "always" | "reject"): Promise<void> {
    await this.daemon.api.post(`${talk.path}/permissions/${permissionId}/reply`, { reply });
  }

  /** The whole log keeps every promise, Codex was understood to the last line, and the model was asked as scripted. */
  async finish({ talk, llm }: CodexTalk): Promise<void> {
    const log = await this.daemon.api.log(talk.sessionId);
    expect(checkInvariants(log)).toEqual([]);
    expect(log.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
    expect(llm.failures()).toEqual([]);
    await talk.leave();
    await this.daemon.api.ask("DELETE", talk.path);
  }

  /** The app-server processes that run now. */
  servers(): number[] {
    return this.home.agents().filter((pid) => commandLineOf(pid).includes("\0app-server\0"));
  }
}

export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

export const run = (command: string) => ({ name: "run_command", input: { command } });

export function parts<T extends Part["type"]>(items: readonly { item: Item }[], type: T): Extract<Part, { type: T }>[] {
  return items
    .flatMap(({ item }) => item.content)
    .filter((part): part is Extract<Part, { type: T }> => part.type === type);
}

/** The labels of what was only worth a line. */
export function labels(items: readonly { item: Item }[]): string[] {
  return parts(items, "status").map(({ label }) => label);
}
