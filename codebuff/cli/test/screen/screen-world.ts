import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { onTestFinished, vi } from "vitest";
import type { Io } from "../../src/io.ts";
import { openChat } from "../../src/open-chat.ts";
import type { GivenFlags } from "../../src/run-flags.ts";
import { readRunOptions } from "../../src/run-options.ts";
import { applySettings } from "../../src/settings/apply-settings.ts";
import { resolveSettings } from "../../src/settings/resolve-settings.ts";
import { HeadlessTerminal } from "./headless-terminal.ts";

type Turns = NonNullable<ScriptInput["conversations"]>[number]["turns"];

export interface ScreenWorld {
  readonly terminal: HeadlessTerminal;
  readonly llm: ScriptedLlm;
  readonly project: string;
  readonly home: string;
  /** What the command sees of the machine; the environment may be changed by a test. */
  readonly io: Io & { env: Record<string, string | undefined> };
  readonly code: Promise<number>;
  readonly stdout: () => string;
  /** Waits until the window shows this, at most half a minute. */
  shows(text: string | RegExp): Promise<void>;
  /** Waits until it is somewhere, also in the scrollback. */
  said(text: string | RegExp): Promise<void>;
  /** Types a prompt or a command and presses Enter. */
  enter(text: string): void;
  /** Waits until the agent is idle again. */
  idle(): Promise<void>;
  /** Keys answer a dialog only after the 300 ms in which they may have been meant for the editor. */
  guardPassed(): Promise<void>;
  /** The person leaves; resolves with the exit code. */
  leave(): Promise<number>;
}

export interface ScreenOptions {
  readonly turns?: Turns;
  readonly script?: ScriptInput;
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: GivenFlags;
  /** `~/.codebuff/config.json`. */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** The place of an earlier world, to go on there. */
  readonly place?: { readonly project: string; readonly home: string };
}

/** The interactive command in this process, on a headless terminal, with a model that follows a script. */
export async function openScreen(options: ScreenOptions = {}): Promise<ScreenWorld> {
  const { turns = [{ text: "Hello.", times: "always" }], script, files = {}, flags = {}, env = {} } = options;
  const { project, home } = options.place ?? (await freshPlace());
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  if (options.config !== undefined) {
    await mkdir(join(home, ".codebuff"), { recursive: true });
    await writeFile(join(home, ".codebuff", "config.json"), JSON.stringify(options.config));
  }
  const llm = await startScriptedLlm({ script: script ?? { conversations: [{ turns }] } });
  const terminal = new HeadlessTerminal(options);
  const interrupted = new AbortController();
  const stdout = new PassThrough();
  let out = "";
  stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  const io: ScreenWorld["io"] = {
    args: [],
    env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: llm.url, ...env },
    home,
    cwd: project,
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    interrupted: interrupted.signal,
  };
  const given = { permissions: "allow", ...flags };
  const resolved = await resolveSettings(given, io, project);
  const run = applySettings(readRunOptions(given, [], io), resolved);
  const code = openChat(run, io, { terminal, problems: resolved.problems });
  onTestFinished(async () => {
    interrupted.abort("SIGTERM");
    await code;
    await llm.close();
    terminal.close();
  });
  const until = (look: () => Promise<string>, text: string | RegExp) =>
    vi.waitFor(
      async () => {
        const seen = await look();
        const found = typeof text === "string" ? seen.includes(text) : text.test(seen);
        if (!found) throw new Error(`not there: ${text}\n${seen}`);
      },
      { timeout: 30_000, interval: 20 },
    );
  return {
    terminal,
    llm,
    project,
    home,
    io,
    code,
    stdout: () => out,
    shows: (text) => until(() => terminal.screen(), text),
    said: (text) => until(async () => (await terminal.everything()).join("\n"), text),
    enter(text) {
      terminal.send(`\u001b[200~${text}\u001b[201~`);
      terminal.press("enter");
    },
    idle: () =>
      vi.waitFor(
        async () => {
          if (/esc interrupts|interrupting/.test(await terminal.screen())) throw new Error("still running");
        },
        { timeout: 30_000, interval: 20 },
      ),
    guardPassed: () => setTimeout(320),
    async leave() {
      terminal.press("ctrl+d");
      return code;
    },
  };
}

/** Temporary folders with a path of one length on every machine: where it wraps, a screen is another one. */
const temporary = existsSync("/tmp") ? "/tmp" : tmpdir();

async function freshPlace(): Promise<{ project: string; home: string }> {
  const root = await mkdtemp(join(temporary, "codebuff-screen-"));
  const [project, home] = [join(root, "project"), join(root, "home")];
  await Promise.all([mkdir(project), mkdir(home)]);
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  return { project, home };
}

export const call = (name: string, input: Record<string, unknown>) => ({ name, input, native: true });
