import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { done, openAgentWorld, resultsOf, terminal, xmlCall } from "./agent-world.ts";
import type { World } from "./command.ts";

const program = fileURLToPath(new URL("../../server/bin/codebuff-server.cjs", import.meta.url));
const execute = promisify(execFile);
const goal = xmlCall("add_subgoal", { id: "g1", objective: "both ran", status: "IN_PROGRESS" });
const waiting = "until [ -e go ]; do sleep 0.1; done; echo two >> ran.txt";

it("T-3: the server is killed while a tool runs; another instance goes on, and no tool runs twice", async () => {
  const world = await openAgentWorld([
    { text: `I plan.\n${goal}\n${terminal("echo one >> ran.txt")}` },
    { text: `Now I wait.\n${xmlCall("run_terminal_command", { command: waiting, yield_seconds: "30" })}` },
    { expect: { body: ["<status>completed</status>", "Now I wait."] }, text: done("Both ran.") },
  ]);
  const account = await openAccount(world);
  const one = await account.serve();
  const command = world.start(["--stream-json", "--session-id", "far", "/agent run both"], { env: account.env });
  await command.line((line) => line.type === "tool_call" && JSON.stringify(line.input).includes("until"));
  await one.kill("SIGKILL");
  await writeFile(join(world.project, "go"), "");
  await command.line((line) => line.type === "error" && line.code === "withdrawn");
  await account.serve();
  command.child.stdin.end();
  const { code, out, err } = await command.end();
  expect(code, out + err).toBe(0);
  expect(world.llm.failures()).toEqual([]);
  expect(await readFile(join(world.project, "ran.txt"), "utf8")).toBe("one\ntwo\n");
  expect(resultsOf(command.lines, "run_terminal_command")).toHaveLength(2);
  expect(resultsOf(command.lines, "add_subgoal")).toHaveLength(1);
  expect(command.lines.at(-1)).toMatchObject({ type: "finish", status: "completed", steps: 3 });
  // One run, recorded by the server, though two instances worked on it.
  expect(await account.admin("runs", "list")).toMatchObject([{ status: "completed" }]);
  // A model that was asked by the server: its key is the server's, not this person's.
  expect(world.llm.requests().every(({ headerNames }) => !headerNames.includes("x-api-key"))).toBe(true);
});

it("T-4 over the server: a client killed during a tool takes its task up again", async () => {
  const world = await openAgentWorld([
    { text: `The long one.\n${terminal("sleep 600")}` },
    { expect: { body: ["<status>interrupted</status>", "and go on"] }, text: done("Understood.") },
  ]);
  const account = await openAccount(world);
  await account.serve();
  const first = world.start(["--stream-json", "--session-id", "task", "/agent work"], { env: account.env });
  await first.line((line) => line.type === "tool_call");
  await first.kill();
  const second = await world.run(["--json", "--continue", "task", "/agent and go on"], { env: account.env });
  expect(second.code, second.out + second.err).toBe(0);
  expect(second.lines[0]).toMatchObject({ type: "result", text: "Understood." });
  expect(world.llm.failures()).toEqual([]);
});

it("--agent-local: the loop runs in the command, the server only gives the model and counts the run", async () => {
  const world = await openAgentWorld([{ text: `Here.\n${terminal("echo here")}` }, { text: done("Done.") }]);
  const account = await openAccount(world);
  await account.serve();
  const command = await world.run(["--stream-json", "--agent-local", "/agent work"], { env: account.env });
  expect(command.code, command.out + command.err).toBe(0);
  expect(world.llm.failures()).toEqual([]);
  expect(command.lines.at(-1)).toMatchObject({ type: "finish", status: "completed", steps: 2 });
  expect(await account.admin("runs", "list")).toMatchObject([{ status: "completed" }]);
});

it("a key the server does not know ends with exit code 3", async () => {
  const world = await openAgentWorld([{ text: "never" }]);
  const account = await openAccount(world);
  await account.serve();
  const command = await world.run(["--stream-json", "/agent work"], {
    env: { ...account.env, CODEBUFF_API_KEY: "cb-wrong" },
  });
  expect(command.code, command.out + command.err).toBe(3);
  expect(world.llm.requests()).toEqual([]);
});

/** A person with credits at a server whose instances share one database and one address. */
async function openAccount(world: World) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    CODEBUFF_SERVER_DATA: join(world.home, "server"),
    OPENROUTER_API_KEY: "sk-or-fake",
    OPENROUTER_BASE_URL: world.llm.url,
  };
  const admin = async (...args: string[]) =>
    JSON.parse((await execute(process.execPath, [program, ...args, "--json"], { env })).stdout) as unknown;
  const person = (await admin("users", "create", "--email", "ann@example.com", "--credits", "5000")) as {
    apiKey: string;
  };
  return {
    admin,
    env: {
      ANTHROPIC_API_KEY: undefined,
      ANTHROPIC_BASE_URL: undefined,
      CODEBUFF_API_KEY: person.apiKey,
      CODEBUFF_BASE_URL: `http://127.0.0.1:${port}`,
    },
    /** Starts an instance; resolves when it listens. */
    async serve() {
      const server = spawn(process.execPath, [program, "serve", "--port", String(port)], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      const exited = once(server, "exit");
      const kill = async (signal: NodeJS.Signals) => {
        server.kill(signal);
        await exited;
      };
      onTestFinished(() => kill("SIGKILL"));
      let text = "";
      for await (const piece of server.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
        text += String(piece);
        if (text.includes("Codebuff server: http")) break;
      }
      server.stdout.resume();
      return { kill };
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("No port");
  return address.port;
}
