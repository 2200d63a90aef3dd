import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { Conversation } from "@muster/conformance";
import type { InstalledAgent } from "@muster/schema";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DaemonHome } from "../../daemon/server/test/daemon-process.ts";

const execute = promisify(execFile);
// By address: the scripts have no types.
const { packCodebuff }: { packCodebuff(folder: string): Promise<string> } = await import(
  new URL("../../scripts/pack-codebuff.mjs", import.meta.url).href
);

describe("codebuff as one tarball", { timeout: 300_000 }, () => {
  let top: string;
  let tarball: string;
  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), "muster-packed-")));
    tarball = await packCodebuff(join(top, "out"));
  }, 300_000);
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  it("npm installs it without any registry, and everything it brings along works", async () => {
    const project = join(top, "empty");
    await mkdir(join(project, ".agents"), { recursive: true });
    await writeFile(join(project, "package.json"), "{}");
    const nowhere = ["--registry", "http://127.0.0.1:9/", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    await execute("npm", ["install", ...nowhere, tarball], { cwd: project });
    const program = join(project, "node_modules/.bin/codebuff");
    const llm = await scripted();
    const own = { PATH: process.env.PATH, HOME: join(top, "home") };
    const env = { ...own, ANTHROPIC_API_KEY: "sk-ant-fake", ANTHROPIC_BASE_URL: llm.url };
    const run = (...args: string[]) => execute(program, args, { cwd: project, env, maxBuffer: 64 << 20 });
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const lines = (await run("--stream-json", "go")).stdout.trim().split("\n");
    const events = lines.map((line) => JSON.parse(line) as { type: string; toolName?: string; output?: unknown });
    const told = (tool: string) =>
      JSON.stringify(events.find(({ type, toolName }) => type === "tool_result" && toolName === tool)?.output);
    expect(told("run_terminal_command")).toContain("a terminal");
    expect(told("code_search")).toContain("made.ts");
    expect(told("read_subtree")).toContain("answerOfTheSearch");
    expect(events.at(-1)).toMatchObject({ type: "finish", status: "completed" });
    // Agents in TypeScript are built by a program that is inside too.
    await writeFile(
      join(project, ".agents/mine.ts"),
      'export default { id: "mine", displayName: "Mine", model: "anthropic/claude-haiku-4.5", toolNames: [] as string[] };',
    );
    expect((await run("agents", "validate")).stdout).toMatch(/^mine\s+ok/);
    expect(await firstAnswerOf(join(project, "node_modules/@muster/codebuff"))).toEqual({ type: "ready" });
  });

  it("the daemon unpacks it by --agent-source and runs a session with it", async () => {
    const home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `codebuff=path:${tarball}`] });
    onTestFinished(() => home.remove());
    const { api } = await home.start();
    const installed = await api.post<InstalledAgent>("/agents/codebuff/install");
    expect(installed).toMatchObject({ source: "file", alreadyInstalled: false });
    expect(installed.path.startsWith(join(home.dataDirectory, "agents/codebuff"))).toBe(true);
    expect(await api.post("/agents/codebuff/install")).toEqual({ ...installed, alreadyInstalled: true });
    const llm = await scripted();
    const directory = await mkdtemp(join(home.path, "work-"));
    const settings = { agent: "codebuff", directory, token: "sk-ant-fake", baseUrl: llm.url, permissionMode: "bypass" };
    const talk = await Conversation.open(api, settings);
    onTestFinished(() => talk.leave());
    await talk.send("go");
    expect((await talk.until("turn.ended")).data).toMatchObject({ status: "completed" });
  });
});

const call = (name: string, input: Record<string, unknown>) => ({ name, native: true, input });

/** A model that has the terminal, the search and the code map at work. */
async function scripted() {
  const made = { path: "made.ts", instructions: "", content: "export function answerOfTheSearch() {}\n" };
  const turns = [
    { tools: [call("run_terminal_command", { command: "test -t 1 && echo a terminal" }), call("write_file", made)] },
    { tools: [call("code_search", { pattern: "answerOfTheSearch" }), call("read_subtree", {})] },
    { text: "Done." },
  ];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  onTestFinished(() => llm.close());
  return llm;
}

/** What the thread for steps of foreign agents says when it is started from there. */
async function firstAnswerOf(installed: string): Promise<unknown> {
  const limits = { memoryBytes: 64 << 20, resumeMs: 60_000, yieldCharacters: 1000 };
  const worker = new Worker(join(installed, "codebuff/runtime/dist/isolate/worker.js"), {
    workerData: { source: "function* () {}", input: "{}", limits },
  });
  try {
    return await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  } finally {
    await worker.terminate();
  }
}
