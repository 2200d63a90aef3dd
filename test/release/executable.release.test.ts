import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ifReachable } from "../registry-package.ts";
import { startProgram } from "./executable-process.ts";

const execute = promisify(execFile);

interface Form {
  readonly program: string;
  readonly path: string;
}
type Told = { isFine: boolean; passed: number; failures: readonly string[] };
// By address: the scripts have no types.
const script = (name: string) => import(new URL(`../../scripts/${name}`, import.meta.url).href);
const { makeForm }: { makeForm(name: string, folder: string): Promise<Form> } = await script("forms/make-form.mjs");
const { runSuites }: { runSuites(options: Form & { report: string; isShort: boolean }): Promise<Told> } =
  await script("forms/run-suites.mjs");
type Make = (options: { name: string; target: string; folder: string }) => Promise<string>;
const { makeExecutable }: { makeExecutable: Make } = await script("release/executables.mjs");
const { bunOf }: { bunOf(target: string): Promise<string> } = await script("release/bun.mjs");

const isHere = process.platform === "linux" && process.arch === "x64";
/** The tools of the executable, or nothing to test. */
const bun = isHere ? await ifReachable("Bun, of which executables are made,", bunOf("linux-x64")) : undefined;

/** The short form of npm run test:forms, which also knows musl. The bundle is what every other test starts. */
describe.runIf(bun !== undefined)("the single executable of the daemon", { timeout: 900_000 }, () => {
  let top: string;
  let form: Form;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "muster-executable-test-"));
    form = await makeForm("executable", top);
  }, 600_000);
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  /** Without Node, and without anything else. */
  const env = () => ({ PATH: form.path, HOME: top });

  it("runs with no Node on the PATH, whatever configuration lies where it is started", async () => {
    await writeFile(join(top, ".env"), "MUSTER_PORT=not-a-port\n");
    await writeFile(join(top, "bunfig.toml"), "this is no configuration");
    const { stdout } = await execute(form.program, ["run", "mock", "echo hello"], { cwd: top, env: env() });
    expect(stdout).toMatch(/^hello\n/);
  });

  it("has the page of the inspector inside", async () => {
    const args = ["--port", "0", "--no-token", "--data-dir", join(top, "page")];
    const { found, stop } = await startProgram([form.program, ...args], env(), /listens on (http:\S+)\n/);
    try {
      const page = `${found[1]}/inspect`;
      const html = await (await fetch(page)).text();
      const [, main = ""] = /src="([^"]*main-[^"]+)"/.exec(html) ?? [];
      expect((await fetch(new URL(main, `${page}/`))).status).toBe(200);
    } finally {
      await stop();
    }
  });

  it("passes the conformance suite and the burst, kill and bad-input tests with no Node on the PATH", async () => {
    const told = await runSuites({ ...form, report: join(top, "report.json"), isShort: true });
    expect(told.failures).toEqual([]);
    expect(told).toMatchObject({ isFine: true });
    expect(told.passed).toBeGreaterThan(200);
  });
});

describe.runIf(bun !== undefined)("the single executables of the other commands, with an empty PATH", () => {
  let top: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "muster-executable-test-"));
    env = { PATH: join(top, "empty"), HOME: top };
  });
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  const post = (url: string, body: unknown, headers = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  it("scripted-llm follows a script", async () => {
    const program = await makeExecutable({ name: "scripted-llm", target: "linux-x64", folder: top });
    const file = join(top, "script.yaml");
    await writeFile(file, "conversations:\n  - turns: [{ text: Hello from the script }]\n");
    const { found, stop } = await startProgram([program, "serve", file, "--port", "0"], env, /listens on (http:\S+)/);
    try {
      const messages = [{ role: "user", content: "Hi" }];
      const answer = await post(`${found[1]}/v1/messages`, { model: "any", max_tokens: 9, messages });
      expect(await answer.text()).toContain("Hello from the script");
    } finally {
      await stop();
    }
  });

  it("codebuff-server --demo makes its database, a run and an answer that is paid for", async () => {
    const program = await makeExecutable({ name: "codebuff-server", target: "linux-x64", folder: top });
    const args = [program, "--data", join(top, "data"), "serve", "--demo", "--port", "0"];
    const { found, stop } = await startProgram(args, env, /only once: (\S+)\nCodebuff server: (\S+)\n/);
    try {
      const [, key, url] = found;
      const headers = { authorization: `Bearer ${key}` };
      const begun = await post(`${url}/api/v1/agent-runs`, { action: "START", agentId: "base2" }, headers);
      const { runId } = (await begun.json()) as { runId: string };
      const asked = {
        model: "anthropic/claude-sonnet-4.5",
        stream: true,
        messages: [{ role: "user", content: "Hello" }],
        codebuff_metadata: { run_id: runId },
      };
      const answer = await (await post(`${url}/api/v1/chat/completions`, asked, headers)).text();
      expect(answer).toContain('"usage"');
      expect(answer).toContain("[DONE]");
    } finally {
      await stop();
    }
  });
});
