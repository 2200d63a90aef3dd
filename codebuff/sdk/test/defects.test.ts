import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { historyFaults } from "@muster/codebuff-protocol";
import { describe, expect, it, vi } from "vitest";
import { call, resultOf, runWorld } from "./run-world.ts";

/** The table of the original's defects, as what must hold here. D1 is `packed.release.test.ts`, D8 also `mcp.test.ts`, D9 `backend.test.ts`, D12 the server's. */
describe("D2: a command that runs into its limit", () => {
  it("gives what it wrote, exit code 124, and leaves no process", async () => {
    const world = await runWorld([
      { tools: [call("run_terminal_command", { command: "echo before; sleep 7.31; echo after", timeout_seconds: 1 })] },
      { text: "ok" },
    ]);
    await world.run();
    expect(resultOf(world.events, "run_terminal_command")).toMatchObject({
      timedOut: true,
      exitCode: 124,
      stdout: expect.stringContaining("before"),
    });
    await expect.poll(() => processesWith("7.31")).toEqual([]);
  });
});

it("D3: a command that reads stdin sees its end at once", async () => {
  const world = await runWorld([
    { tools: [call("run_terminal_command", { command: "cat; echo end", timeout_seconds: 20 })] },
    { text: "ok" },
  ]);
  await world.run();
  const result = resultOf(world.events, "run_terminal_command") as { stdout: string; exitCode: number };
  expect([result.exitCode, result.stdout]).toEqual([0, expect.stringContaining("end")]);
});

it("D4: an abort during a command settles, kills the tree, and the side effect never happens", async () => {
  const world = await runWorld([
    { tools: [call("run_terminal_command", { command: "sleep 577.13; touch marker", timeout_seconds: 600 })] },
    { text: "never" },
  ]);
  const aborter = new AbortController();
  let begun: Promise<void> | undefined;
  const { output, sessionState } = await world.run({
    signal: aborter.signal,
    handleEvent: (event) => {
      world.events.push(event);
      if (event.type !== "tool_call") return;
      begun = vi.waitFor(async () => expect(await processesWith("577.13")).not.toEqual([]), { timeout: 60_000 });
      begun.finally(() => aborter.abort()).catch(() => {});
    },
  });
  expect(output).toMatchObject({ type: "error", error: "cancelled" });
  await begun;
  await expect.poll(() => processesWith("577.13"), { timeout: 60_000 }).toEqual([]);
  expect(await readdir(world.cwd)).toEqual([]);
  const history = sessionState?.mainAgentState.messageHistory ?? [];
  expect(historyFaults(history)).toEqual([]);
  expect(JSON.stringify(history)).toMatch(/[Ii]nterrupt/);
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "cancelled" });
});

it("D5: an abort in a silent stream hangs up, and nothing that came later is kept", async () => {
  const world = await runWorld([{ text: ["early ", "late"], pace: { delayMs: 4_000 } }]);
  const aborter = new AbortController();
  const { output, sessionState } = await world.run({
    signal: aborter.signal,
    handleStreamChunk: () => void setImmediate(() => aborter.abort()),
  });
  expect(output).toMatchObject({ type: "error", error: "cancelled" });
  expect(JSON.stringify(sessionState?.mainAgentState.messageHistory)).not.toContain("late");
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "cancelled" });
});

it("D6: create_plan writes a plan, and a path beside the project is a marker", async () => {
  const world = await runWorld([
    {
      tools: [
        call("create_plan", { path: "plan.md", plan: "# Plan" }),
        call("read_files", { paths: ["../sibling/x.txt"] }),
      ],
    },
    { text: "ok" },
  ]);
  const { output } = await world.run();
  expect(output.type).toBe("lastMessage");
  expect(await readFile(join(world.cwd, "plan.md"), "utf8")).toContain("# Plan");
  expect(resultOf(world.events, "read_files")).toMatchObject([{ content: "[FILE_OUTSIDE_PROJECT]" }]);
});

it("D7: a sibling of the same prefix and links that lead out are outside", async () => {
  const world = await runWorld([
    {
      tools: [
        call("list_directory", { path: "../proj-evil" }),
        call("read_files", { paths: ["../proj-evil/secret.txt", "link.txt"] }),
      ],
    },
    { text: "ok" },
  ]);
  const evil = join(dirname(world.cwd), `${basename(world.cwd)}-evil`);
  await mkdir(evil);
  await writeFile(join(evil, "secret.txt"), "leaked");
  await symlink(join(evil, "secret.txt"), join(world.cwd, "link.txt"));
  await world.run();
  expect(resultOf(world.events, "list_directory")).toMatchObject({ errorMessage: expect.any(String) });
  expect(JSON.stringify(world.events)).not.toContain("leaked");
});

it("D8: what an agent is offered is what it may call", async () => {
  const program = new URL("./programs/mcp-stdio.mjs", import.meta.url).pathname;
  const world = await runWorld([{ tools: [call("srv__echo", { shape: "x" }), call("srv__pid", {})] }, { text: "ok" }], {
    options: {
      agentDefinitions: [
        {
          id: "tester",
          displayName: "T",
          model: "anthropic/claude-haiku-4.5",
          toolNames: ["srv/echo"],
          mcpServers: { srv: { command: process.execPath, args: [program] } },
        },
      ],
    },
  });
  await world.run();
  const [request] = world.llm.requests();
  const offered = (request?.body as { tools: { name: string }[] } | undefined)?.tools.map(({ name }) => name);
  expect(offered).toEqual(["srv__echo"]);
  expect(resultOf(world.events, "srv__echo")).toBe('{"shape":"x"}');
  expect(resultOf(world.events, "srv__pid")).toMatchObject({ errorMessage: expect.any(String) });
});

it("D10: an output that does not fit is refused and tried again", async () => {
  const world = await runWorld(
    [
      { tools: [call("set_output", { x: "bad" })] },
      { tools: [call("set_output", { data: { x: 4 } })] },
      { text: "done" },
    ],
    {
      options: {
        agentDefinitions: [
          {
            id: "tester",
            displayName: "T",
            model: "anthropic/claude-haiku-4.5",
            toolNames: ["set_output"],
            outputMode: "structured_output",
            outputSchema: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
          },
        ],
      },
    },
  );
  const { output } = await world.run();
  expect(output).toEqual({ type: "structuredOutput", value: { x: 4 } });
});

it("D11: a session file grows by messages, not by what is known of the project", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`src/file-${n}.ts`, `export const n${n} = ${n};\n`]),
  );
  const world = await runWorld([{ text: "ok", times: "always" }], { files });
  const store = world.client.sessions();
  const session = await store.begin({ id: "s_1" });
  for (let turn = 0; turn < 5; turn++) await world.run({ prompt: `turn ${turn}`, session });
  await session.close();
  const [{ bytes } = { bytes: 0 }] = await store.list();
  expect(bytes).toBeLessThan(12_000);
  expect(world.events.filter(({ type }) => type === "finish")).toHaveLength(5);
});

async function processesWith(argument: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line.split("\0").includes(argument)) found.push(line);
  }
  return found;
}
