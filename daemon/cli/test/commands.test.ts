import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operationIds, operations } from "@muster/schema";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerJson, startRecordingServer } from "./recording-server.ts";
import { run } from "./run.ts";

let server: Awaited<ReturnType<typeof startRecordingServer>>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startRecordingServer(answerJson(200, { sessionId: "s1", state: "idle" }));
});
afterEach(() => server.close());
/** What `sessions create` sends: the directory the command was typed in too. */
const here = { agent: "mock", directory: "/" };
const at = (...args: string[]) => [...args, "--endpoint", server.endpoint];

describe("a client command", () => {
  it("sends path parameters, query and body fields where they belong", async () => {
    await run(at("sessions", "get-events", "s1", "--offset", "3", "--no-deltas", "--raw"));
    await run(
      at(
        "sessions",
        "create",
        "s1",
        "--agent",
        "mock",
        "--agent-token",
        "key",
        "--limits",
        '{"turnMs":5}',
        "--validate-token",
      ),
    );
    await run(at("sessions", "send-message", "s1", "Hello you", "--attachments", '{"path":"a","mime":"b"}'));
    await run(at("sessions", "reply-question", "s1", "q1", "--answers", '["A"]', "--answers", '["B","C"]'));
    await run(at("sessions", "reply-permission", "s1", "p1", "once"));
    expect(server.requests.map(({ method, url, body }) => [method, url, body === "" ? "" : JSON.parse(body)])).toEqual([
      ["GET", "/sessions/s1/events?offset=3&raw=true&deltas=false", ""],
      ["POST", "/sessions/s1", { ...here, token: "key", limits: { turnMs: 5 }, validateToken: true }],
      ["POST", "/sessions/s1/messages", { message: "Hello you", attachments: [{ path: "a", mime: "b" }] }],
      ["POST", "/sessions/s1/questions/q1/reply", { answers: [["A"], ["B", "C"]] }],
      ["POST", "/sessions/s1/permissions/p1/reply", { reply: "once" }],
    ]);
  });

  it("takes a whole body from the argument, a file or standard input, and lets options win", async () => {
    const file = join(folder, "body.json");
    await writeFile(file, '{"agent":"mock","title":"from file"}');
    await run(at("sessions", "create", "s1", "--json", '{"agent":"mock","title":"inline"}'));
    await run(at("sessions", "create", "s1", "--body", `@${file}`));
    await run(at("sessions", "create", "s1", "--json", "-", "--title", "won"), {
      stdin: '{"agent":"mock","title":"lost"}',
    });
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { ...here, title: "inline" },
      { ...here, title: "from file" },
      { ...here, title: "won" },
    ]);
  });

  it("writes JSON into a pipe, text on a terminal, and what --format says", async () => {
    const get = at("sessions", "get", "s1");
    expect(await run(get)).toEqual({ code: 0, out: '{"sessionId":"s1","state":"idle"}\n', err: "" });
    expect(await run(get, { terminal: true })).toEqual({ code: 0, out: "sessionId: s1\nstate: idle\n", err: "" });
    expect((await run([...get, "--format", "text"])).out).toBe("sessionId: s1\nstate: idle\n");
    expect((await run([...get, "--format", "json"], { terminal: true })).out).toBe(
      '{"sessionId":"s1","state":"idle"}\n',
    );
  });

  it("finds the token in the option, then the environment, then the token file of a local daemon", async () => {
    const home = join(folder, "data");
    const env = { SANDBOX_DAEMON_DATA_DIR: folder };
    await writeFile(join(folder, "token"), "kept\n");
    await run(at("info", "--token", "option"), { env: { ...env, SANDBOX_DAEMON_TOKEN: "variable" } });
    await run(at("info"), { env: { ...env, SANDBOX_DAEMON_TOKEN: "variable" } });
    await run(at("info"), { env });
    await run(at("health"), { env });
    await run(at("info"), { home });
    await run(["info"], {
      env: { ...env, SANDBOX_DAEMON_ENDPOINT: server.endpoint.replace("127.0.0.1", "localhost") },
    });
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer option",
      "Bearer variable",
      "Bearer kept",
      undefined,
      undefined,
      "Bearer kept",
    ]);
  });

  it("has help with a working example for every operation", async () => {
    for (const id of operationIds) {
      const { cli, summary } = operations[id];
      const { code, out } = await run([...cli, "--help"]);
      expect(code).toBe(0);
      expect(out.replace(/\s+/g, " ")).toContain(summary);
      const example = out.split("\n").find((line) => line.startsWith("  sandbox-daemon ")) ?? "";
      const words = Array.from(example.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word).slice(1);
      if (operations[id].answer === "sse" || operations[id].answer === "ui") continue;
      const before = server.requests.length;
      expect((await run(at(...words))).err, example).toBe("");
      expect(server.requests.length, example).toBe(before + 1);
    }
  });
});

describe("exit codes", () => {
  it.each([
    [["sesions", "list"], "unknown command 'sesions'"],
    [["sessions", "lst"], "unknown command 'lst'"],
    [["sessions", "get"], "missing required argument 'sessionId'"],
    [["sessions", "get", "s1", "s2"], "too many arguments"],
    [["sessions", "get", "-s1"], "unknown option '-s1'"],
    [["sessions", "get", "a/b"], "<sessionId> must match"],
    [["agents", "get", ".."], "<agent> cannot be '..'"],
    [["agents", "install", "mock", "--version", "2"], "unknown option '--version'"],
    [["sessions", "create"], "--agent is required"],
    [["sessions", "create", "s1", "mock", "--agent", "mock"], "give either <agent> or --agent, not both"],
    [
      ["sessions", "create", "s1", "mock", "--permission-mode", "yolo"],
      "Allowed choices are default, acceptEdits, plan, bypass",
    ],
    [["sessions", "create", "s1", "mock", "--limits", "{"], "Not JSON"],
    [["sessions", "create", "s1", "mock", "--limits", '{"turnMs":-1}'], "--limits.turnMs must be more than 0"],
    [["sessions", "create", "s1", "--json", "{"], "--body is not JSON"],
    [["sessions", "create", "s1", "--json", "[]"], "--body must be a JSON object"],
    [["sessions", "create", "s1", "mock", "--json", '{"agnt":"mock"}'], 'the body has no field "agnt"'],
    [["sessions", "create", "s1", "--json", "@/no/such/file"], "--body: cannot read /no/such/file"],
    [["sessions", "send-message", "s1", ""], "--message must not be empty"],
    [["sessions", "get-events", "s1", "--limit", "many"], "Not a number"],
    [["sessions", "get-events", "s1", "--limit", "0"], "--limit must be at least 1"],
    [["sessions", "reply-permission", "s1", "p1", "perhaps"], "--reply must be one of once, always, reject"],
    [["sessions", "create", "mock", "--mcp", '{"a":{"command":1}}'], "--mcp.a has none of the forms it may have"],
    [["sessions", "create", "mock", "--base-url", "here"], "--base-url must be an http or https URL"],
    [["sessions", "create", "mock", "--agent-token", "k", "--agent-token-file", "f"], "give either --agent-token or"],
    [["sessions", "create", "mock", "--agent-token-file", "/no/such"], "--agent-token-file: cannot read it"],
    [["sessions", "create", "mock", "--agent-token-file", "-"], "there is no key in standard input"],
    [["sesions", "--help"], "unknown command 'sesions'"],
    [["sessions", "lst", "--help"], "unknown command 'lst'"],
    [["sessions", "list", "--format", "xml"], "Allowed choices are text, json"],
    [["sessions", "list", "--token", "two words"], "the token must be plain printable characters"],
  ])("2 and one clear message, without any request: %s", async (args, message) => {
    const { code, out, err } = await run(args, { env: { SANDBOX_DAEMON_ENDPOINT: server.endpoint } });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
    expect(server.requests).toEqual([]);
  });

  it("2 for an endpoint that is no URL", async () => {
    expect(await run(["health", "--endpoint", "localhost"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--endpoint"),
    });
  });

  it.each([
    [["--port", "x"], "Not a port"],
    [["serve", "--port", "65536"], "Not a port"],
    [["--durability", "maybe"], "Allowed choices are batch, sync, none"],
    [["--retain", "0"], "Not a number of days"],
    [["--token", ""], "A token is plain printable characters"],
    [["--token", "a", "--no-token"], "give either --token or --no-token"],
    [["--nonsense"], "unknown option '--nonsense'"],
    [["serve", "now"], "too many arguments"],
  ])("2 for serving with %s, before anything starts", async (args, message) => {
    expect(await run(args)).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  it("1 for a problem: one line, or the document with --format json", async () => {
    const document = { type: "https://muster.dev/problems/session_not_found", title: "No such session", status: 404 };
    const rest = { detail: "There is no\nsession s1", code: "session_not_found", sessionId: "s1" };
    await server.close();
    server = await startRecordingServer(answerJson(404, { ...document, ...rest }));
    expect(await run(at("sessions", "get", "s1"))).toEqual({
      code: 1,
      out: "",
      err: "error: There is no session s1 (404 session_not_found)\n",
    });
    const { code, err } = await run(at("sessions", "get", "s1", "--format", "json"));
    expect(code).toBe(1);
    expect(JSON.parse(err)).toEqual({ ...document, ...rest });
  });

  it("3 when nothing listens, in one line", async () => {
    await server.close();
    expect(await run(at("sessions", "list"))).toEqual({
      code: 3,
      out: "",
      err: expect.stringMatching(/^error: Cannot reach the daemon at http:.*ECONNREFUSED.*\n$/),
    });
    const { err } = await run(at("sessions", "stream-events", "s1", "--format", "json"));
    expect(JSON.parse(err)).toMatchObject({ code: "cannot_connect" });
  });

  it("0 for help and version", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
    expect(await run(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("sessions") });
    expect(await run(["serve", "--help"])).toMatchObject({ code: 0, out: expect.stringContaining("--durability") });
  });
});
