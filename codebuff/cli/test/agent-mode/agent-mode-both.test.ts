import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { World } from "../command.ts";
import { openAccount } from "../server-account.ts";
import { copySource, selfChange, selfTest } from "./agent-self.ts";
import { done, openAgentWorld, resultsOf, stillRunning, terminal, xmlCall } from "./agent-world.ts";

type Env = Record<string, string | undefined>;

/** The loop in the command's own process, and the loop on a server that is spoken to by the WebSocket. */
const ways: readonly (readonly [name: string, env: (world: World) => Promise<Env>])[] = [
  ["in this process", async () => ({})],
  [
    "over the socket",
    async (world) => {
      // A window of the same size as the other way's model has.
      const account = await openAccount(world, { AGENT_MODE_MODEL: "anthropic/claude-haiku-4.5" });
      await account.serve();
      return account.env;
    },
  ],
];

const check =
  'import { good } from "./value.mjs";\nif (!good) { console.log("1 failing"); process.exit(1); }\nconsole.log("1 passing");\n';
const project = { "value.mjs": "export const good = false;\n", "check.mjs": check };
const goal = xmlCall("add_subgoal", { id: "g1", objective: "tests pass", status: "IN_PROGRESS" });

const roman = (step: string) => `const numerals = [[10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]];

export function roman(number) {
  let text = "";
  for (const [value, numeral] of numerals) {
    ${step} (number &gt;= value) {
      text += numeral;
      number -= value;
    }
  }
  return text;
}
`;
const romanTest = `import assert from "node:assert/strict";
import test from "node:test";
import { roman } from "../src/roman.mjs";

test("one", () =&gt; assert.equal(roman(1), "I"));
test("four", () =&gt; assert.equal(roman(4), "IV"));
test("twenty-eight", () =&gt; assert.equal(roman(28), "XXVIII"));
`;
const write = (path: string, content: string) => xmlCall("write_file", { path, instructions: path, content });
const npmTest = xmlCall("run_terminal_command", { command: "npm test --offline", yield_seconds: "30" });

describe.each(ways)("%s", (_, envOf) => {
  it("builds a small project from nothing, sees its tests fail, mends it and finishes", async () => {
    const scripts = { test: "node --test --test-reporter=tap" };
    const manifest = JSON.stringify({ name: "roman", version: "1.0.0", type: "module", scripts });
    const world = await openAgentWorld([
      { text: `Nothing is here yet.\n${goal}\n${terminal("ls -A | wc -l; mkdir -p src test")}` },
      { expect: { body: "tests pass" }, text: `First the manifest.\n${write("package.json", manifest)}` },
      { text: `The function.\n${write("src/roman.mjs", roman("if"))}` },
      { text: `Its tests.\n${write("test/roman.test.mjs", romanTest)}` },
      { text: `I run them.\n${npmTest}` },
      stillRunning("# fail"),
      {
        expect: { body: ["# pass 2", "# fail 1", "XXVIII", "exit code: 1"] },
        text: `One fails: a numeral may come more than once.\n${write("src/roman.mjs", roman("while"))}`,
      },
      { text: `Once more.\n${npmTest}` },
      stillRunning("# fail 0"),
      {
        expect: { body: ["# pass 3", "# fail 0"] },
        text: `${xmlCall("update_subgoal", { id: "g1", status: "COMPLETE" })}\n${done("The project stands.")}`,
      },
    ]);
    const command = await world.run(["--stream-json", "/agent build a library for roman numerals, with tests"], {
      env: await envOf(world),
    });
    expect(command.code, command.out + command.err).toBe(0);
    expect(world.llm.failures()).toEqual([]);
    const exits = resultsOf(command.lines, "run_terminal_command").map(({ exitCode }) => exitCode);
    expect(exits.filter((code) => code !== undefined && code !== null)).toEqual([0, 1, 0]);
    expect(command.lines.at(-1)).toMatchObject({ type: "finish", status: "completed" });
    const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap"], {
      cwd: world.project,
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toContain("# pass 3");
    expect(stdout).toContain("# fail 0");
  });

  it("T-1: subgoal, tests, edit, tests, end", async () => {
    const content = "export const good = true;\n";
    const world = await openAgentWorld(
      [
        { text: `I plan.\n${goal}` },
        { text: `I run the tests.\n${terminal("node check.mjs")}` },
        {
          expect: { body: "1 failing" },
          text: `I mend it.\n${xmlCall("write_file", { path: "value.mjs", instructions: "mend", content })}`,
        },
        { text: `Once more.\n${terminal("node check.mjs")}` },
        {
          expect: { body: ["1 passing", "tests pass"] },
          text: `${xmlCall("update_subgoal", { id: "g1", status: "COMPLETE" })}\n${done("All tests pass.")}`,
        },
      ],
      project,
    );
    const command = await world.run(["--json", "/agent make tests pass"], { env: await envOf(world) });
    expect(command.code, command.out + command.err).toBe(0);
    expect(world.llm.failures()).toEqual([]);
    expect(command.lines[0]).toMatchObject({ type: "result", text: "All tests pass.", isError: false, steps: 5 });
    expect(await readFile(join(world.project, "value.mjs"), "utf8")).toBe(content.trim());
  });

  it("T-2: a server runs on, CTRL_C stops it, and the same shell goes on", async () => {
    const serve =
      'import { createServer } from "node:http";\nconst server = createServer().listen(0, () => console.log("listening", server.address().port));\n';
    const world = await openAgentWorld(
      [
        { text: `I go there.\n${terminal("cd app && export STAGE=blue")}` },
        { text: `I start it.\n${terminal("node serve.mjs")}` },
        {
          expect: { body: ["listening", "<status>running</status>"] },
          text: `It runs; I stop it.\n${xmlCall("run_terminal_command", { command_signal: "CTRL_C" })}`,
        },
        { expect: { body: "exit code: 130" }, text: `Where am I?\n${terminal('echo "$STAGE in $(basename "$PWD")"')}` },
        { expect: { body: "blue in app" }, text: done("It works.") },
      ],
      { "app/serve.mjs": serve },
    );
    const command = await world.run(["--stream-json", "/agent try the server"], { env: await envOf(world) });
    expect(command.code, command.out + command.err).toBe(0);
    expect(world.llm.failures()).toEqual([]);
    const results = resultsOf(command.lines, "run_terminal_command");
    expect(results.map(({ status }) => status)).toEqual(["completed", "running", "completed", "completed"]);
    expect(results[2]).toMatchObject({ exitCode: 130, cwd: expect.stringMatching(/app$/) });
  });

  it("T-5: calls are the same with the stop sequence cut off and with tags split at each byte", async () => {
    const calls = [
      terminal("echo one >> said.txt"),
      xmlCall("read_files", { paths: "said.txt" }),
      xmlCall("write_file", { path: "b.txt", instructions: "x", content: "written" }),
      xmlCall("code_search", { pattern: "written" }),
    ];
    const bytes = { chars: 1, delayMs: 0 };
    const whole = calls.map((call) => ({ text: `I act.\n${call}`, pace: bytes }));
    const cut = calls.map((call) => ({
      text: `I act.\n${call.replace(/<\/\w+>$/, "")}`,
      stop: "stop_sequence" as const,
      pace: bytes,
    }));
    const world = await openAgentWorld([...whole, ...cut, { text: done("Done."), pace: bytes }]);
    const command = await world.run(["--stream-json", "/agent act"], { env: await envOf(world) });
    expect(command.code, command.out + command.err).toBe(0);
    const told = command.lines
      .filter(({ type }) => type === "tool_call")
      .map(({ toolName, input }) => ({ toolName, input }));
    expect(told).toHaveLength(calls.length * 2);
    expect(told.slice(calls.length)).toEqual(told.slice(0, calls.length));
    expect(await readFile(join(world.project, "said.txt"), "utf8")).toBe("one\none\n");
    const text = command.lines.flatMap((line) => (line.type === "text" ? [String(line.text)] : [])).join("");
    expect(text).not.toContain("<");
  });

  // 500 calls in the loop itself: handle-agent-prompt.test.ts of the runtime.
  it("T-6: after many calls of 20 kB requests stay under budget, task and subgoals stay in them", async () => {
    const calls = 100;
    let step = 0;
    // By its own count: the history it is sent is shortened on the way.
    const next = () => {
      step++;
      if (step === 1) return { text: `I plan.\n${goal}` };
      if (step === calls + 2) return { text: done("Read it all.") };
      return { text: `Step ${step - 2}.\n${terminal(`seq -w 1 4000; : call ${step - 2}`)}` };
    };
    const world = await openAgentWorld(Array.from({ length: calls + 2 }, () => next));
    const command = await world.run(["--json", "--max-steps", "600", "/agent read all, keep the word MAGNOLIA"], {
      env: await envOf(world),
    });
    expect(command.code, command.out.slice(-2000) + command.err).toBe(0);
    expect(command.lines[0]).toMatchObject({ text: "Read it all.", steps: calls + 2 });
    expect(step).toBe(calls + 2);
    // The last ones; the model does not keep all of them.
    const requests = world.llm.requests();
    // 2 MB of output were read; no request holds nearly as much.
    const largest = Math.max(...requests.map(({ body }) => JSON.stringify(body).length));
    expect(largest).toBeLessThan(1_200_000);
    const last = JSON.stringify(requests.at(-1)?.body);
    for (const fact of ["MAGNOLIA", "tests pass", `call ${calls - 1}`]) expect(last).toContain(fact);
  });

  it("T-7: the agent finds its own source by its prompt, changes it and runs a test there", async () => {
    let root = "";
    const world = await openAgentWorld([
      (request) => {
        root = /It lies in (\S+?)\. Key files/.exec(JSON.stringify(request.body))?.[1] ?? "";
        return { text: `I change myself.\n${selfChange}` };
      },
      () => {
        const command = `cd ${root} && node node_modules/vitest/vitest.mjs run ${selfTest}`;
        return { text: `I test it.\n${xmlCall("run_terminal_command", { command, yield_seconds: "30" })}` };
      },
      stillRunning("exit code: 0"),
      { text: done("I have changed myself.") },
    ]);
    await copySource(world.project);
    const env = { ...(await envOf(world)), CODEBUFF_SELF_ROOT: world.project };
    const command = await world.run(["--stream-json", "/agent change yourself"], { env });
    expect(command.code, command.out + command.err).toBe(0);
    expect(root).toBe(world.project);
    expect(resultsOf(command.lines, "run_terminal_command").at(-1)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/1 passed/),
    });
    expect(await readFile(join(world.project, selfTest), "utf8")).toContain('toBe("</changed>")');
    const prompt = JSON.stringify(world.llm.requests()[0]?.body);
    const keyFiles = [...prompt.matchAll(/- (codebuff\/\S+?|docs\/\S+?): /g)].map(([, path = ""]) => path);
    expect(keyFiles.length).toBeGreaterThanOrEqual(5);
    expect(keyFiles.filter((path) => !existsSync(join(world.project, path)))).toEqual([]);
    expect(prompt).toContain("npm run build && npm run test");
  });
});
