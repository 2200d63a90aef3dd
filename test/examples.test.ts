import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DaemonHome } from "../daemon/server/test/daemon-process.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const languages = ["ts", "py", "sh"] as const;

/** What an example prints, in every language. */
const printed: Readonly<Record<string, string>> = {
  "01-hello": "Hello\n",
  "02-stream": "I thought about it: the shorter way is the better one.\ncompleted\n",
  "03-permission": "Run touch a? once\nI was allowed to: touch a\n",
  "04-question": "Which colour shall it be? Blue\nYou answered: Blue.\n",
  "05-plan-approval": "1. look around\n2. change one line\n3. run the tests\napproved\nThe plan is done.\n",
  "06-resume": "every event once\n",
  "07-two-agents": "one\ntwo\n",
  "08-attach": "the second client allows: Run touch a\nthe first client hears: I was allowed to: touch a\n",
};

let home: DaemonHome;
let endpoint = "";
beforeAll(async () => {
  home = await DaemonHome.make();
  const daemon = await home.start();
  endpoint = daemon.api.baseUrl;
});
afterAll(() => home.remove());

test.each(languages)("every example prints the same in %s", async (language) => {
  for (const [name, expected] of Object.entries(printed)) {
    expect({ name, ...(await run(name, language)) }).toEqual({ name, code: 0, out: expected, err: "" });
  }
});

describe.each(languages)("the CI job in %s", (language) => {
  const write = { name: "write_file", input: { path: "sum.mjs", content: "export const sum = (a, b) => a + b;\n" } };

  test("an agent mends the code; the test passes and the cost is told", async () => {
    const job = await brokenProject([{ text: "I mend it.", tools: [write] }, { text: "Mended." }]);
    const { code, out } = await run("09-ci-job", language, job);
    expect(out).toMatch(/^the test fails\nmended for \$\d\.\d{4}\n$/);
    expect(code).toBe(0);
    expect(await run("09-ci-job", language, job)).toEqual({ code: 0, out: "", err: "" });
  });

  test("a budget that is used up ends it", async () => {
    const job = await brokenProject([
      { text: "I look.", tools: [{ name: "list_directory", input: { path: "." } }], times: 50 },
    ]);
    const { code, out } = await run("09-ci-job", language, { ...job, BUDGET_USD: "0.000001" });
    expect(out).toMatch(/^the test fails\nthe agent gave up: budget_exceeded\nnot mended for \$\d\.\d{4}\n$/);
    expect(code).toBe(1);
  });
});

test.each(languages)("the CI job in %s brings its own project and model where it is given none", async (language) => {
  const { code, out, err } = await run("09-ci-job", language);
  expect({ code, err }).toEqual({
    code: 0,
    err: "a project of its own, and a scripted model; DIRECTORY, TEST and AGENT take yours\n",
  });
  expect(out).toMatch(/^the test fails\nmended for \$\d\.\d{4}\n$/);
});

test("the index names every example, and every example is run here", async () => {
  const files = await readdir(join(root, "examples"));
  const names = files.filter((file) => file.endsWith(".ts")).map((file) => file.replace(/\.ts$/, ""));
  expect([...Object.keys(printed), "09-ci-job"]).toEqual(names.sort());
  for (const name of names) for (const language of languages) expect(files).toContain(`${name}.${language}`);
});

async function run(name: string, language: string, env: Record<string, string> = {}) {
  const environment = { PATH: process.env.PATH, HOME: home.path, SANDBOX_DAEMON_ENDPOINT: endpoint, ...env };
  return await new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const args = [join(root, "examples", "run.mjs"), name, language];
    execFile(process.execPath, args, { cwd: root, env: environment }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** A project whose test fails, and a model that says this about it. */
async function brokenProject(turns: object[]): Promise<Record<string, string>> {
  const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" }] };
  const llm = await startScriptedLlm({ script: { conversations: [asides, { turns }] } as never });
  onTestFinished(() => llm.close());
  const directory = await mkdtemp(join(tmpdir(), "muster-ci-job-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, "src"), { recursive: true });
  await writeFile(join(directory, "sum.mjs"), "export const sum = (a, b) => a - b;\n");
  await writeFile(
    join(directory, "sum.test.mjs"),
    'import { sum } from "./sum.mjs";\nif (sum(1, 2) !== 3) throw new Error("not 3");\n',
  );
  return { DIRECTORY: directory, TEST: "node sum.test.mjs", MODEL_URL: llm.url, MODEL_TOKEN: "sk-ant-test-000" };
}
