import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

let world: World;
let server: Server;
let serverUrl: string;
beforeAll(async () => {
  world = await openWorld(
    {
      conversations: [
        { match: { firstUser: "bad key" }, turns: [{ fault: { kind: "status", status: 401 }, times: "always" }] },
        {
          match: { firstUser: "take your time" },
          turns: [
            { text: ["Let", " me", " think"], fault: { kind: "stall", atByte: 700, forMs: 300_000 }, times: "always" },
          ],
        },
        {
          match: { firstUser: "run something" },
          turns: [
            {
              text: "I wait.",
              tools: [{ name: "run_terminal_command", native: true, input: { command: "sleep 300; touch late" } }],
            },
          ],
        },
        { match: { firstUser: "talk" }, turns: [{ text: Array.from({ length: 2000 }, (_, n) => `word ${n} `) }] },
        { each: "prompt", turns: [{ text: "Hello." }] },
      ],
    },
    { "~/.codebuff/broken-home/.codebuff/config.json": "{ not json", "~/nobody/.keep": "" },
  );
  // A Codebuff server that knows one key and has no credits left.
  server = createServer((request, response) => {
    const key = request.headers.authorization;
    const isKnown = key === "Bearer cb-known";
    const path = (request.url ?? "").split("?")[0];
    request.resume();
    if (!isKnown) response.writeHead(401).end('{"error":"unauthorized","message":"Unknown key"}');
    else if (path === "/api/v1/me") response.end('{"id":"u1"}');
    else if (path === "/api/v1/agent-runs") response.end('{"runId":"run-1"}');
    else if (path === "/api/v1/chat/completions") {
      response.writeHead(402).end('{"error":"out_of_credits","message":"No credits left"}');
    } else response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await world.close();
});

const noKey = { ANTHROPIC_API_KEY: undefined };

describe("exit 2: called wrongly, nothing on standard output", () => {
  it.each([
    [["--bogus"], /unknown option '--bogus'/],
    [["--json", "--stream-json", "hi"], /exclude each other/],
    [["--free", "--max", "hi"], /exclude each other/],
    [["--timeout", "0", "-n", "hi"], /--timeout takes/],
    [["--timeout", "soon", "-n", "hi"], /--timeout takes/],
    [["--cwd", "nowhere", "-n", "hi"], /there is no directory/],
    [["-n", ""], /the prompt is empty/],
    [["-n", "--mcp-config", "{", "hi"], /broken JSON/],
    [["-n", "--permissions", "maybe", "hi"], /--permissions takes one of/],
    [["sessions", "dance"], /unknown command/],
    [["-n", "--budget", "1", "--model", "anthropic/never-heard-of", "hi"], /nobody knows the price/],
  ])("%j", async (args, message) => {
    const { code, out, err } = await world.run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});

describe("exit 3: no or bad credentials", () => {
  it("no key: one screen with the three ways", async () => {
    const { code, out, err } = await world.run(["-n", "hi"], { env: noKey });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    for (const word of ["ANTHROPIC_API_KEY", "codebuff login", "--demo"]) expect(err).toContain(word);
  });

  it.each([["--json"], ["--stream-json"]])("no key, %s: one error line and no start", async (flag) => {
    const { code, lines } = await world.run([flag, "hi"], { env: noKey });
    expect(code).toBe(3);
    expect(lines).toEqual([expect.objectContaining({ type: "error", code: "no_credentials", fatal: true })]);
  });

  it("no key, kept open: no ready line", async () => {
    const { code, lines } = await world.run(["--input-format", "stream-json"], { env: noKey });
    expect(code).toBe(3);
    expect(lines.map(({ type }) => type)).toEqual(["error"]);
  });

  it("a key the Codebuff server does not know", async () => {
    const env = { ...noKey, CODEBUFF_API_KEY: "cb-wrong-key" };
    const { code, lines, err } = await world.run(["--stream-json", "--base-url", serverUrl, "hi"], { env });
    expect(code).toBe(3);
    expect(lines).toEqual([expect.objectContaining({ type: "error", code: "bad_credentials", statusCode: 401 })]);
    expect(err + JSON.stringify(lines)).not.toContain("cb-wrong-key");
  });

  it("a key of the person's own that the provider refuses", async () => {
    const { code, lines } = await world.run(["--stream-json", "bad key"]);
    expect(code).toBe(3);
    expect(lines.at(-1)).toMatchObject({ type: "finish", status: "failed" });
  });
});

it("exit 4: out of credits", async () => {
  const env = { ...noKey, CODEBUFF_API_KEY: "cb-known" };
  const { code, lines } = await world.run(["--stream-json", "--base-url", serverUrl, "hi"], { env });
  expect(lines.find(({ type }) => type === "error")).toMatchObject({ code: "out_of_credits", statusCode: 402 });
  expect(lines.at(-1)).toMatchObject({ type: "finish", status: "failed" });
  expect(code).toBe(4);
});

it("exit 1: a server that does not answer is told with its address", async () => {
  const env = { ...noKey, CODEBUFF_API_KEY: "cb-known" };
  const { code, err } = await world.run(["-n", "--base-url", "http://127.0.0.1:9", "hi"], { env });
  expect(code).toBe(1);
  expect(err).toMatch(/^codebuff: /);
});

describe("a run that is ended", () => {
  it("--timeout: an error, finish, exit 124", async () => {
    const { code, lines } = await world.run(["--stream-json", "--timeout", "3", "take your time"]);
    expect(lines.slice(-2)).toEqual([
      expect.objectContaining({ type: "error", code: "timeout", fatal: true }),
      expect.objectContaining({ type: "finish", status: "timeout" }),
    ]);
    expect(code).toBe(124);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s while a command runs: its result, finish, exit %i, nothing left running",
    async (signal, expected) => {
      const running = world.start(["--stream-json", "run something"]);
      await running.line("tool_call");
      running.child.kill(signal);
      const { code, lines } = await running.end();
      expect(lines.map(({ type }) => type).slice(-2)).toEqual(["tool_result", "finish"]);
      expect(lines.at(-1)).toMatchObject({ status: "cancelled" });
      expect(code).toBe(expected);
    },
  );

  it("a reader that leaves ends the run quietly", async () => {
    const running = world.start(["--stream-json", "talk"]);
    await running.line("text");
    running.child.stdout.destroy();
    const { code, err } = await running.end();
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });
});

describe("configuration that cannot be read", () => {
  it("is a warning with its name, and the run goes on", async () => {
    const home = `${world.home}/.codebuff/broken-home`;
    const { code, lines } = await world.run(["--stream-json", "hi"], { env: { HOME: home } });
    expect(code).toBe(0);
    expect(lines.filter(({ type }) => type === "error")).toEqual([
      expect.objectContaining({
        fatal: false,
        message: expect.stringMatching(/config\.json, line 1: the file is not valid JSON/),
      }),
    ]);
  });
});
