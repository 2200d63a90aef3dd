import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, it, onTestFinished } from "vitest";
import type { AgentDefinition } from "../src/index.ts";
import { freshFolder } from "./fresh-folder.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

const program = fileURLToPath(new URL("../../server/bin/codebuff-server.cjs", import.meta.url));
const execute = promisify(execFile);

const parent: AgentDefinition = {
  id: "tester",
  displayName: "Tester",
  model: "anthropic/claude-haiku-4.5",
  systemPrompt: "You lead.",
  toolNames: ["read_files", "str_replace", "run_terminal_command", "spawn_agents"],
  spawnableAgents: ["helper"],
};
const helper: AgentDefinition = {
  id: "helper",
  displayName: "Helper",
  model: "anthropic/claude-haiku-4.5",
  systemPrompt: "You help.",
  spawnerPrompt: "Helps",
};

it("a prompt travels through SDK, runtime, our server and the model, and back: tools here, credits there", async () => {
  const model = await startScriptedLlm({
    script: {
      conversations: [
        { match: { system: "You help." }, turns: [{ text: "Checked.", usage: { input: 1_000, output: 50 } }] },
        {
          turns: [
            {
              text: "Reading.",
              tools: [call("read_files", { paths: ["a.txt"] })],
              usage: { input: 20_000, output: 200 },
            },
            {
              expect: { toolResult: "alpha" },
              tools: [
                call("str_replace", { path: "a.txt", replacements: [{ old: "alpha", new: "ALPHA" }] }),
                call("run_terminal_command", { command: "cat a.txt" }),
              ],
              usage: { input: 20_000, output: 200 },
            },
            {
              tools: [call("spawn_agents", { agents: [{ agent_type: "helper", prompt: "check it" }] })],
              usage: { input: 20_000, output: 200 },
            },
            { text: "Done.", usage: { input: 20_000, output: 200 } },
          ],
        },
      ],
    },
  });
  onTestFinished(() => model.close());
  const env = {
    PATH: process.env.PATH,
    CODEBUFF_SERVER_DATA: await freshFolder("server"),
    OPENROUTER_API_KEY: "sk-or-fake",
    OPENROUTER_BASE_URL: model.url,
  };
  const url = await startOurServer(env);
  const admin = async (...args: string[]) =>
    JSON.parse((await execute(process.execPath, [program, ...args, "--json"], { env })).stdout) as Record<
      string,
      unknown
    >;
  const { apiKey } = await admin("users", "create", "--email", "ann@example.com", "--credits", "500");

  const world = await runWorld([{ text: "never" }], {
    files: { "a.txt": "alpha\n" },
    env: { ANTHROPIC_API_KEY: "" },
    options: { apiKey: String(apiKey), baseUrl: url, agentDefinitions: [parent, helper] },
  });
  expect(await world.client.checkConnection()).toBe(true);
  const { output } = await world.run({ prompt: "make it loud" });
  await world.client.close();

  expect(model.failures()).toEqual([]);
  expect(output).toMatchObject({ type: "lastMessage", value: [{ content: [{ type: "text", text: "Done." }] }] });
  expect(await readFile(join(world.cwd, "a.txt"), "utf8")).toBe("ALPHA\n");
  expect(resultOf(world.events, "run_terminal_command")).toMatchObject({
    stdout: expect.stringContaining("ALPHA"),
    exitCode: 0,
  });
  const order = world.events.map(({ type }) => type).filter((type) => type !== "tool_progress");
  expect(order).toEqual([
    "start",
    "text",
    "tool_call",
    "tool_result",
    "tool_call",
    "tool_call",
    "tool_result",
    "tool_result",
    "tool_call",
    "subagent_start",
    "text",
    "subagent_finish",
    "tool_result",
    "text",
    "finish",
  ]);
  const finish = world.events.at(-1);
  expect(finish).toMatchObject({ type: "finish", status: "completed", totalCost: 9 });
  // The ledger of the server and the event tell the same number.
  const runs = (await admin("runs", "list")) as unknown as
    | { runs?: Record<string, unknown>[] }
    | Record<string, unknown>[];
  const rows = Array.isArray(runs) ? runs : (runs.runs ?? []);
  expect(rows).toHaveLength(2);
  expect(rows.map(({ status }) => status)).toEqual(["completed", "completed"]);

  const wrong = await world.client.run({ agent: "tester", prompt: "x", apiKey: "cb-wrong" });
  expect(wrong.output).toMatchObject({ type: "error", statusCode: 401, error: "bad_credentials" });
});

async function startOurServer(env: NodeJS.ProcessEnv): Promise<string> {
  const server = spawn(process.execPath, [program, "serve", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    server.kill("SIGTERM");
    await once(server, "exit");
  });
  let text = "";
  for await (const piece of server.stdout.setEncoding("utf8")) {
    text += String(piece);
    const [, url] = /Codebuff server: (http\S+)/.exec(text) ?? [];
    if (url !== undefined) {
      server.stdout.resume();
      return url;
    }
  }
  throw new Error(`The server ended: ${text}`);
}
