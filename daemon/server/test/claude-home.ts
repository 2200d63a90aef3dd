import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { Item, Part } from "@muster/schema";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "./daemon-process.ts";
import { installedAgent } from "./installed-agent.ts";

export type Turns = NonNullable<ScriptInput["conversations"][number]["turns"]>;

export interface ClaudeTalk {
  talk: Conversation;
  llm: ScriptedLlm;
  directory: string;
}

/**
 * A daemon with the real Claude Code, installed by the daemon itself, and a scripted model for each session. Nothing of
 * it leaves the machine; HOME is fresh.
 */
export class ClaudeHome {
  #home: DaemonHome | undefined;
  #daemon: DaemonProcess | undefined;

  /** To be called at the top of a test file. Where Claude Code cannot be installed its tests are skipped, and why is said. */
  static async forFile() {
    const program = await installedAgent("claude").catch((error: unknown) => {
      process.stderr.write(`skipped: Claude Code cannot be installed here: ${String(error)}\n`);
      return undefined;
    });
    const claude = new ClaudeHome();
    if (program !== undefined) {
      beforeAll(() => claude.#open(program.path));
      afterAll(() => claude.#home?.remove());
    }
    return { claude, test: test.runIf(program !== undefined) };
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
    this.#home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `claude=path:${path}`] });
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
  async begin(turns: Turns, settings: Record<string, unknown> = {}): Promise<ClaudeTalk> {
    return this.beginWith({ conversations: [{ turns }] }, settings);
  }

  async beginWith(script: ScriptInput, settings: Record<string, unknown> = {}): Promise<ClaudeTalk> {
    const llm = await startScriptedLlm({ script });
    onTestFinished(() => llm.close());
    const directory = await this.directory();
    const model = { baseUrl: llm.url, token: "sk-ant-test-000" };
    const talk = await Conversation.open(this.daemon.api, { agent: "claude", directory, ...model, ...settings });
    onTestFinished(() => talk.leave());
    return { talk, llm, directory };
  }

  /** The whole log keeps every promise, Claude was understood to the last line, and the model was asked as scripted. */
  async finish({ talk, llm }: ClaudeTalk): Promise<void> {
    const log = await this.daemon.api.log(talk.sessionId);
    expect(checkInvariants(log)).toEqual([]);
    expect(log.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
    expect(llm.failures()).toEqual([]);
    await talk.leave();
    await this.daemon.api.ask("DELETE", talk.path);
  }

  /** The process that leads a session. */
  async processOf({ talk }: ClaudeTalk): Promise<number> {
    const { nativeSessionId = "" } = await talk.view();
    const pid = this.home.agents().find((candidate) => commandLineOf(candidate).includes(nativeSessionId));
    if (pid === undefined) throw new Error(`No process leads ${nativeSessionId}`);
    return pid;
  }
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

export const bash = (command: string) => ({ name: "Bash", native: true, input: { command, description: "Do it" } });

export function parts<T extends Part["type"]>(items: readonly { item: Item }[], type: T): Extract<Part, { type: T }>[] {
  return items
    .flatMap(({ item }) => item.content)
    .filter((part): part is Extract<Part, { type: T }> => part.type === type);
}
