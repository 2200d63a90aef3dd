import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { isProcessAlive } from "@muster/node";
import type { Answer, Process, ProcessPort } from "@muster/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { get, post, processOf } from "./daemon-calls.ts";
import { TerminalViewer } from "./terminal-viewer.ts";

let home: DaemonHome;
let daemon: DaemonProcess;

beforeAll(async () => {
  home = await DaemonHome.make({ args: [], env: { SOME_API_KEY: "not-for-you" } });
  daemon = await home.start();
});
afterAll(async () => {
  await home.remove();
});

it("a program that is run has its outputs apart, its exit code, and no variable that is not allowed", async () => {
  const script = 'cat; echo "$SOME_API_KEY|$GIVEN" >&2; pwd; exit 9';
  const run = await post<Answer<"processes.run">>(daemon, "/processes/run", {
    command: "sh",
    args: ["-c", script],
    directory: home.path,
    input: "read\n",
    env: { GIVEN: "given" },
  });
  expect(run).toMatchObject({ stdout: `read\n${home.path}\n`, stderr: "|given\n", truncated: false });
  expect(run.end).toMatchObject({ reason: "exited", exitCode: 9, signal: null });
});

it("the answer of a run is cut where it was asked to be, and the log has the rest", async () => {
  const body = { command: "sh", args: ["-c", "seq 1 5000"], maxOutput: 100 };
  const run = await post<Answer<"processes.run">>(daemon, "/processes/run", body);
  expect([run.stdout.length, run.truncated]).toEqual([100, true]);
  const { chunks } = await get<Answer<"processes.getLogs">>(daemon, `/processes/${run.processId}/logs?text`);
  const text = chunks.flatMap((chunk) => (chunk.type === "output" ? [chunk.text] : [])).join("");
  expect(text.endsWith("4999\n5000\n")).toBe(true);
});

for (const [reason, limits, script] of [
  ["time_limit", { timeoutMs: 300 }, "trap '' TERM; setsid sleep 1000 & echo $!; sleep 1000"],
  ["output_limit", { outputBytes: 10_000 }, "setsid sleep 1000 & echo $!; while :; do echo more and more; done"],
] as const) {
  it(`a process behind its ${reason} is ended with all it has started, and its end says so`, async () => {
    const run = await post<Answer<"processes.run">>(daemon, "/processes/run", {
      command: "sh",
      args: ["-c", script],
      limits,
    });
    expect(run.end.reason).toBe(reason);
    expect(run.end.outputBytes).toBeLessThanOrEqual(10_000);
    expect(isProcessAlive(Number(run.stdout.split("\n")[0]), undefined)).toBe(false);
  });
}

it("a process beyond its memory is killed by the kernel, or its start is refused where no group can be made", async (context) => {
  const script = "const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1));";
  const body = { command: process.execPath, args: ["-e", script], limits: { memoryBytes: 128 * 1024 * 1024 } };
  const ended = await post<Answer<"processes.run">>(daemon, "/processes/run", body).catch((error: Error) => error);
  if (ended instanceof Error) {
    expect(JSON.parse(ended.message)).toMatchObject({ code: "memory_limit_unavailable", status: 501 });
    return context.skip(`no group of processes can be made here: ${ended.message}`);
  }
  expect(ended.end).toMatchObject({ reason: "exited", signal: "SIGKILL" });
});

it("what cannot be started is told with the reason, and leaves nothing", async () => {
  const before = await readdir(join(home.dataDirectory, "processes"));
  for (const [body, code] of [
    [{ command: "no-such-program-here" }, "process_not_started"],
    [{ command: "true", directory: "/no/such/directory" }, "process_not_started"],
    [{ command: "true", args: ["nul \0 in it"] }, "process_not_started"],
    [{ command: "true", owner: "no-such-session" }, "session_not_found"],
    [{ command: "" }, "invalid_request"],
    [{ command: "true", more: 1 }, "invalid_request"],
    [{ command: "true", pty: { columns: 0, rows: 0 } }, "invalid_request"],
  ] as const) {
    const failed = await post(daemon, "/processes", body).catch((error: Error) => JSON.parse(error.message));
    expect(failed, JSON.stringify(body)).toMatchObject({ code });
  }
  expect(await readdir(join(home.dataDirectory, "processes"))).toEqual(before);
});

it("the ports on which a process and its children listen are told, and nobody else's", async () => {
  const stranger = createServer().listen(0);
  const listen =
    'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })';
  await post(daemon, "/processes/listening", {
    command: "sh",
    args: ["-c", `'${process.execPath}' -e '${listen}' & wait`],
  });
  let text = "";
  while (!text.includes("\n")) {
    const { chunks } = await get<Answer<"processes.getLogs">>(daemon, "/processes/listening/logs?text");
    text = chunks.flatMap((chunk) => (chunk.type === "output" ? [chunk.text] : [])).join("");
  }
  const { ports }: { ports: ProcessPort[] } = await get(daemon, "/processes/listening/ports");
  expect(ports).toMatchObject([{ port: Number(text), address: "127.0.0.1" }]);
  stranger.close();
});

it("a process goes with the session that owns it, and runs in its directory", async () => {
  const directory = join(home.path, "work");
  await mkdir(directory);
  await writeFile(join(directory, "here"), "");
  await post(daemon, "/sessions/owner", { agent: "mock", directory });
  const started: Process = await post(daemon, "/processes/owned", { command: "sleep", args: ["1000"], owner: "owner" });
  expect(started).toMatchObject({ directory, owner: "owner", state: "running" });
  const headers = { authorization: `Bearer ${daemon.token}` };
  await fetch(`${daemon.api.baseUrl}/sessions/owner`, { method: "DELETE", headers });
  await expect(processOf(daemon, "owned")).rejects.toThrow("process_not_found");
  expect(isProcessAlive(started.pid ?? 0, undefined)).toBe(false);
});

it("a token sees only the processes of its sessions, and a terminal is closed when its token is revoked", async () => {
  await post(daemon, "/sessions/mine", { agent: "mock", directory: home.path });
  await post(daemon, "/sessions/other", { agent: "mock", directory: home.path });
  const pty = { columns: 80, rows: 24 };
  await post(daemon, "/processes/of-mine", { command: "cat", pty, owner: "mine" });
  await post(daemon, "/processes/of-other", { command: "cat", pty, owner: "other" });
  await post(daemon, "/processes/of-daemon", { command: "cat", pty });
  const made: { token: string; tokenId: string } = await post(daemon, "/tokens", { scope: "work", sessions: ["mine"] });
  const as = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${made.token}`, "content-type": "application/json" };
    const answer = await fetch(`${daemon.api.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  expect(await as("GET", "/processes/of-mine")).toEqual([200, undefined]);
  for (const path of ["of-other", "of-daemon", "of-nobody"]) {
    expect(await as("GET", `/processes/${path}`)).toEqual([404, "process_not_found"]);
    expect(await as("POST", `/processes/${path}/input`, { text: "x" })).toEqual([404, "process_not_found"]);
    await expect(TerminalViewer.open(daemon.api.baseUrl, path, {}, made.token)).rejects.toThrow("404");
  }
  expect(await as("POST", "/processes", { command: "true" })).toEqual([403, "token_limited"]);
  const listed = await fetch(`${daemon.api.baseUrl}/processes`, { headers: { authorization: `Bearer ${made.token}` } });
  const { processes } = (await listed.json()) as { processes: Process[] };
  expect(processes.map(({ processId }) => processId)).toEqual(["of-mine"]);
  await expect(TerminalViewer.open(daemon.api.baseUrl, "of-mine")).rejects.toThrow("401");
  const viewer = await TerminalViewer.open(daemon.api.baseUrl, "of-mine", {}, made.token);
  await viewer.untilControl("writing");
  const headers = { authorization: `Bearer ${daemon.token}` };
  await fetch(`${daemon.api.baseUrl}/tokens/${made.tokenId}`, { method: "DELETE", headers });
  expect(await viewer.closed).toMatchObject({ code: 4401 });
});

it("a ticket opens one terminal, once, and a page of another site none", async () => {
  await post(daemon, "/processes/ticketed", { command: "cat", pty: { columns: 80, rows: 24 } });
  const { ticket }: { ticket: string } = await post(daemon, "/tickets", {});
  const viewer = await TerminalViewer.open(daemon.api.baseUrl, "ticketed", { ticket });
  viewer.type("typed\r");
  await viewer.until((lines) => lines.filter((line) => line === "typed").length === 2);
  await expect(TerminalViewer.open(daemon.api.baseUrl, "ticketed", { ticket })).rejects.toThrow("401");
  const another: { ticket: string } = await post(daemon, "/tickets", {});
  const { WebSocket } = await import("ws");
  const foreign = new WebSocket(
    `${daemon.api.baseUrl.replace("http", "ws")}/processes/ticketed/attach?ticket=${another.ticket}`,
    { origin: "https://evil.example" },
  );
  const error = await new Promise<Error>((resolve) => foreign.once("error", resolve));
  expect(error.message).toContain("403");
});

it("a daemon without processes, terminals or ports refuses them and tells nothing of them", async () => {
  const own = await DaemonHome.make({ args: ["--no-token", "--no-processes"] });
  const none = await own.start();
  await expect(post(none, "/processes/run", { command: "true" })).rejects.toThrow("processes_disabled");
  await expect(get(none, "/processes")).rejects.toThrow("processes_disabled");
  await own.remove();
  const partly = await DaemonHome.make({ args: ["--no-token", "--no-terminals", "--no-ports"] });
  const some = await partly.start();
  await post(some, "/processes/plain", { command: "cat" });
  await expect(post(some, "/processes", { command: "cat", pty: { columns: 80, rows: 24 } })).rejects.toThrow(
    "terminal_unavailable",
  );
  await expect(get(some, "/processes/plain/ports")).rejects.toThrow("processes_disabled");
  await partly.remove();
});
