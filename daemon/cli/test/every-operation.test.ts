import { mkdirSync, writeFileSync } from "node:fs";
import { type Client, createClient } from "@muster/client";
import {
  headerOf,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type UniversalEvent,
} from "@muster/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldsOf, positionalsOf } from "../src/fields/operation-fields.ts";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { runCommand, startCommand } from "./start-command.ts";

interface Input {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Where the operation takes bytes. */
  content?: string;
}

/** Makes what the operation needs and tells how to call it; `sessionId` is free for this case. */
type Prepare = (sessionId: string) => Input | Promise<Input>;

/** Operation → how it is called. Reads are prepared once and asked both ways; writes get a session for each way. */
const cases: { [Id in OperationId]: Prepare } = {
  health: () => ({}),
  info: () => ({}),
  openapi: () => ({}),
  metrics: () => ({}),
  "agents.list": () => ({}),
  "agents.get": () => ({ params: { agent: "mock" } }),
  "agents.install": () => ({ params: { agent: "mock" }, body: { reinstall: false } }),
  "agents.uninstall": () => ({ params: { agent: "mock" } }),
  "agents.listModels": () => ({ params: { agent: "mock" } }),
  "agents.listModes": () => ({ params: { agent: "mock" } }),
  "sessions.create": (sessionId) => ({
    params: { sessionId },
    body: { agent: "mock", directory: folder.path, title: "Two words", limits: { turnIdleMs: 60_000 } },
  }),
  "sessions.list": async (sessionId) => ({ query: { limit: 1, order: "used", state: (await idle(sessionId)).state } }),
  "sessions.get": async (sessionId) => ({ params: { sessionId: (await idle(sessionId)).sessionId } }),
  "sessions.usage": async (sessionId) => ({ params: { sessionId: (await idle(sessionId)).sessionId } }),
  "sessions.update": async (sessionId) => {
    await idle(sessionId);
    return { params: { sessionId }, body: { title: "Another", permissionMode: "acceptEdits" } };
  },
  "sessions.delete": async (sessionId) => ({ params: { sessionId: (await idle(sessionId)).sessionId } }),
  "sessions.sendMessage": async (sessionId) => {
    await idle(sessionId);
    return { params: { sessionId }, body: { message: "echo hello", messageId: "m1", delivery: "queue" } };
  },
  "sessions.streamMessage": async (sessionId) => {
    await idle(sessionId);
    return { params: { sessionId }, query: { deltas: false }, body: { message: "echo hello", messageId: "m1" } };
  },
  "sessions.getMessages": async (sessionId) => ({
    params: { sessionId: await afterTurn(sessionId, "reasoning") },
  }),
  "processes.run": () => ({ body: { command: "echo", args: ["one", "two"], limits: { timeoutMs: 60_000 } } }),
  "processes.start": (name) => ({ params: { processId: processIdOf(name) }, body: { command: "true" } }),
  "processes.list": async (sessionId) => ({ query: { owner: await owned(sessionId), state: "ended" } }),
  "processes.get": async (name) => ({ params: { processId: await ended(name) } }),
  "processes.wait": async (name) => ({ params: { processId: await ended(name) }, query: { timeoutMs: 5 } }),
  "processes.getLogs": async (name) => ({
    params: { processId: await ended(name) },
    query: { offset: 1, limit: 10, text: true },
  }),
  "processes.streamLogs": async (name) => ({ params: { processId: await ended(name) }, query: { offset: 1 } }),
  "processes.input": async (name) => ({ params: { processId: await running(name) }, body: { text: "hello" } }),
  "processes.signal": async (name) => ({
    params: { processId: await running(name) },
    body: { signal: "SIGCONT" },
  }),
  "processes.resize": async (name) => ({
    params: { processId: await running(name) },
    body: { columns: 90, rows: 20 },
  }),
  "processes.end": async (name) => ({ params: { processId: await ended(name) }, body: { graceMs: 10 } }),
  "processes.delete": async (name) => ({ params: { processId: await ended(name) } }),
  "processes.ports": async (name) => ({ params: { processId: await running(name) } }),
  "terminals.screen": async (name) => ({ params: { processId: await ended(name) } }),
  "terminals.recording": async (name) => ({ params: { processId: await ended(name) } }),
  "sessions.getAttachment": async (sessionId) => {
    await idle(sessionId);
    const data = Buffer.from("a note").toString("base64");
    const attachments = [{ data, mime: "text/plain", filename: "note.txt" }];
    await client.sessions.sendMessage({ sessionId, message: "echo seen", attachments });
    const { events } = await client.sessions.getEvents({ sessionId });
    const sent = events.find(({ type }) => type === "message.updated")?.data as { attachments?: { path: string }[] };
    return { params: { sessionId, attachment: sent.attachments?.[0]?.path.split("/").at(-1) ?? "" } };
  },
  "sessions.cancelMessage": async (sessionId) => {
    await during(sessionId, "hang", "turn.started");
    await client.sessions.sendMessage({ sessionId, message: "later", messageId: "m2" });
    return { params: { sessionId, messageId: "m2" } };
  },
  "sessions.getEvents": async (sessionId) => ({
    params: { sessionId: await afterTurn(sessionId, "echo hello") },
    query: { offset: 1, limit: 5, raw: true, deltas: false },
  }),
  "sessions.streamEvents": async (sessionId) => ({
    params: { sessionId: await afterTurn(sessionId, "tool") },
    query: { offset: 1, deltas: true },
  }),
  "sessions.listRequests": async (sessionId) => {
    await during(sessionId, "permission", "permission.requested");
    return { params: { sessionId } };
  },
  "sessions.replyQuestion": async (sessionId) => {
    const { data } = await during(sessionId, "question", "question.requested");
    const answers = data.questions.map(({ options }) => options.slice(0, 1).map(({ label }) => label));
    return { params: { sessionId, questionId: data.questionId }, body: { answers } };
  },
  "sessions.rejectQuestion": async (sessionId) => {
    const { data } = await during(sessionId, "question", "question.requested");
    return { params: { sessionId, questionId: data.questionId }, body: { message: "not now" } };
  },
  "sessions.replyPermission": async (sessionId) => {
    const { data } = await during(sessionId, "permission", "permission.requested");
    return { params: { sessionId, permissionId: data.permissionId }, body: { reply: "once" } };
  },
  "sessions.interrupt": async (sessionId) => {
    await during(sessionId, "slow 60000", "turn.started");
    return { params: { sessionId }, body: { queue: "cancel" } };
  },
  "sessions.terminate": async (sessionId) => {
    await during(sessionId, "hang", "turn.started");
    return { params: { sessionId } };
  },
  "sessions.rewind": async (sessionId) => ({
    params: { sessionId: await afterTurn(sessionId, "echo hello") },
    body: { to: 0, chat: true },
  }),
  "sessions.undoRewind": async (sessionId) => {
    await afterTurn(sessionId, "echo hello");
    const { undo } = await client.sessions.rewind({ sessionId, to: 0, chat: true });
    return { params: { sessionId }, body: { undo } };
  },
  "sessions.fork": async (sourceId) => ({
    params: { sourceId: await afterTurn(sourceId, "echo hello") },
    body: { at: 1, sessionId: `fork-of-${sourceId}` },
  }),
  "sessions.handOver": async (sessionId) => ({
    params: { sessionId: (await idle(sessionId)).sessionId },
    body: { agent: "codebuff" },
  }),
  "sessions.changes": async (sessionId) => ({
    params: { sessionId: await afterTurn(sessionId, "echo hello") },
    query: { from: 0, to: 1 },
  }),
  "events.stream": async (sessionId) => ({ query: { sessions: (await idle(sessionId)).sessionId, deltas: false } }),
  "files.list": (path) => ({ query: { path: filesFolder(path), recursive: true, limit: 2 } }),
  "files.stat": (path) => ({ query: { path: `${filesFolder(path)}/a` } }),
  "files.read": (path) => ({ query: { path: `${filesFolder(path)}/a` }, headers: { range: "bytes=1-3" } }),
  "files.write": (path) => ({
    query: { path: `${filesFolder(path)}/new`, mode: "600" },
    headers: { ifNoneMatch: "*" },
    content: "written",
  }),
  "files.append": (path) => ({ query: { path: `${filesFolder(path)}/a` }, content: " and more" }),
  "files.makeDirectory": (path) => ({ body: { path: `${filesFolder(path)}/x/y`, parents: true } }),
  "files.move": (path) => ({ body: { from: `${filesFolder(path)}/a`, to: `${filesFolder(path)}/b`, overwrite: true } }),
  "files.copy": (path) => ({ body: { from: `${filesFolder(path)}/a`, to: `${filesFolder(path)}/c` } }),
  "files.delete": (path) => ({ query: { path: `${filesFolder(path)}/sub`, recursive: true } }),
  "files.download": (path) => ({ query: { path: filesFolder(path), format: "tar" } }),
  "files.upload": (path) => ({ query: { path: `${filesFolder(path)}/up` }, content: "\0".repeat(1024) }),
  "files.search": (path) => ({ query: { path: filesFolder(path), query: "some", limit: 1 } }),
  "files.watch": (path) => ({ query: { path: filesFolder(path) } }),
  "ui.send": async (sessionId) => {
    const parts = [{ type: "text", text: "permission touch a" }];
    return { body: { id: (await idle(sessionId)).sessionId, messages: [{ id: "m1", role: "user", parts }] } };
  },
  "ui.resume": async (sessionId) => {
    await during(sessionId, "permission touch a", "permission.requested");
    return { params: { sessionId } };
  },
  "ui.getMessages": async (sessionId) => ({ params: { sessionId: await afterTurn(sessionId, "tool") } }),
  "credentials.list": () => ({}),
  "tickets.create": () => ({ body: { use: "page" } }),
  "tokens.create": () => ({ body: { scope: "read", sessions: ["s1", "s2"], name: "for a colleague" } }),
  "tokens.list": async () => {
    await client.tokens.create({ scope: "answer" });
    return {};
  },
  "tokens.revoke": async () => ({ params: { tokenId: (await client.tokens.create({ scope: "read" })).tokenId } }),
  "tickets.redeem": async () => ({ body: { ticket: (await client.tickets.create({ use: "page" })).ticket } }),
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let daemon: Awaited<ReturnType<typeof startDaemonProcess>>;
let client: Client;
beforeAll(async () => {
  folder = await temporaryFolder();
  daemon = await startDaemonProcess([
    "--port",
    "0",
    "--no-token",
    "--data-dir",
    `${folder.path}/data`,
    "--root",
    `${folder.path}/work`,
  ]);
  client = createClient({ endpoint: daemon.url });
});
afterAll(async () => {
  const end = await daemon?.stop();
  await folder?.remove();
  expect(end).toEqual({ code: 0, signal: null });
});

it("covers every operation of the table", () => {
  expect(Object.keys(cases).sort()).toEqual([...operationIds].sort());
});

describe("every operation answers the same over HTTP and over the command line", () => {
  const once = operationIds.filter((id) => operations[id].answer !== "sse" && operations[id].answer !== "ui");
  it("files.watch", async () => {
    const id = "files.watch";
    const input = await cases[id](sessionFor(id, "both"));
    const [frame] = await firstFrames(await callHttp(id, input), 1);
    const [line] = await firstLines(commandOf(id, input), 1);
    expect(JSON.parse(line ?? "")).toEqual(JSON.parse(frame ?? ""));
  });

  it.each(once)("%s", async (id) => {
    const reads = operations[id].method === "GET";
    const overHttp = await cases[id](reads ? sessionFor(id, "both") : sessionFor(id, "http"));
    const overCli = reads ? overHttp : await cases[id](sessionFor(id, "cli"));
    const response = await callHttp(id, overHttp);
    const text = await response.text();
    const isPart = overHttp.headers?.range !== undefined;
    const isNew = id === "files.write";
    expect(response.status, text).toBe(isPart ? 206 : isNew ? 201 : operations[id].status);
    const { code, out, err } = await runCommand(commandOf(id, overCli));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(comparable(id, out)).toEqual(comparable(id, text));
  });

  it("sessions.streamMessage", async () => {
    const id = "sessions.streamMessage";
    const response = await callHttp(id, await cases[id](sessionFor(id, "http")));
    const frames = dataOf(await response.text());
    const { code, out, err } = await runCommand(commandOf(id, await cases[id](sessionFor(id, "cli"))));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => neutral(JSON.parse(line)))).toEqual(frames.map((frame) => neutral(JSON.parse(frame))));
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "turn.ended", data: { status: "completed" } });
  });

  it.each(operationIds.filter((id) => operations[id].answer === "ui"))("%s", async (id) => {
    const response = await callHttp(id, await cases[id](sessionFor(id, "http")));
    const frames = dataOf(await response.text());
    const { code, out, err } = await runCommand(commandOf(id, await cases[id](sessionFor(id, "cli"))));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(frames.pop()).toBe("[DONE]");
    expect(lines.map((line) => neutral(JSON.parse(line)))).toEqual(frames.map((frame) => neutral(JSON.parse(frame))));
    expect(lines.join()).toContain("tool-approval-request");
  });

  it("sessions.streamEvents", async () => {
    const id = "sessions.streamEvents";
    const sessionId = sessionFor(id, "both");
    const input = await cases[id](sessionId);
    const count = (await client.sessions.get({ sessionId })).lastSequence - 1;
    const frames = await firstFrames(await callHttp(id, input), count);
    const lines = await firstLines(commandOf(id, input), count);
    expect(lines).toHaveLength(count);
    expect(lines.map((line) => JSON.parse(line))).toEqual(frames.map((frame) => JSON.parse(frame)));
  });

  it("processes.streamLogs", async () => {
    const id = "processes.streamLogs";
    const input = await cases[id](sessionFor(id, "both"));
    const frames = dataOf(await (await callHttp(id, input)).text());
    const { code, out, err } = await runCommand(commandOf(id, input));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.trimEnd().split("\n")).toEqual(frames);
  });

  it("events.stream", async () => {
    const id = "events.stream";
    const sessionId = sessionFor(id, "both");
    const input = await cases[id](sessionId);
    // Only what happens while connected is sent, and a command does not say when it is: so the session goes on talking.
    const talking = talk(sessionId);
    const frames = await firstFrames(await callHttp(id, input), 5);
    const lines = await firstLines(commandOf(id, input), 5);
    await talking.stop();
    const { events } = await client.sessions.getEvents({ sessionId, deltas: false, limit: 10_000 });
    const bySequence = new Map(events.map((event) => [event.sequence, event]));
    for (const streamed of [frames, lines].map((texts) => texts.map((text): UniversalEvent => JSON.parse(text)))) {
      expect(streamed).toEqual(streamed.map(({ sequence }) => bySequence.get(sequence)));
      const first = events.findIndex(({ sequence }) => sequence === streamed[0]?.sequence);
      expect(streamed).toEqual(events.slice(first, first + streamed.length));
    }
  });
});

describe("every operation on a session that does not exist fails the same way", () => {
  const inSession = operationIds.filter((id) => "sessionId" in operations[id].params.shape && id !== "sessions.create");
  it.each(inSession)("%s", async (id) => {
    const names = positionalsOf(operations[id]);
    const params = Object.fromEntries(names.map((name) => [name, "nobody"]));
    const input = { params, body: smallestBodies[id] ?? {} };
    const response = await callHttp(id, input);
    const problem = await response.json();
    expect(problem).toMatchObject({ status: 404, code: "session_not_found", sessionId: "nobody" });
    const { code, out, err } = await runCommand([...commandOf(id, input), "--format", "json"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(JSON.parse(err)).toEqual(problem);
  });
});

const smallestBodies: { [Id in OperationId]?: Record<string, unknown> } = {
  "sessions.sendMessage": { message: "hi" },
  "sessions.streamMessage": { message: "hi", messageId: "m1" },
  "sessions.replyQuestion": { answers: [["yes"]] },
  "sessions.replyPermission": { reply: "once" },
  "sessions.rewind": { to: 0 },
  "sessions.handOver": { agent: "codebuff" },
};

function sessionFor(id: OperationId, way: "http" | "cli" | "both"): string {
  return `${id}-${way}`;
}

async function idle(sessionId: string) {
  const { session } = await client.sessions.create({ sessionId, agent: "mock", directory: folder.path });
  if (session.state !== "starting") return session;
  await during(sessionId, undefined, "session.started");
  return await client.sessions.get({ sessionId });
}

async function afterTurn(sessionId: string, message: string): Promise<string> {
  await idle(sessionId);
  for await (const _ of client.sessions.streamMessage({ sessionId, message, messageId: "m1" }));
  return sessionId;
}

/** Sends the message and resolves with the first event of this type. */
async function during<Type extends UniversalEvent["type"]>(sessionId: string, message: string | undefined, type: Type) {
  if (message !== undefined) {
    await idle(sessionId);
    await client.sessions.sendMessage({ sessionId, message, messageId: "m1" });
  }
  for await (const event of client.sessions.streamEvents({ sessionId })) {
    if (event.type === type) return event as Extract<UniversalEvent, { type: Type }>;
  }
  throw new Error(`the stream of ${sessionId} ended before ${type}`);
}

function talk(sessionId: string) {
  let going = true;
  const talking = (async () => {
    for (let n = 1; going; n++) {
      for await (const _ of client.sessions.streamMessage({ sessionId, message: `echo ${n}` }));
    }
  })();
  return {
    stop() {
      going = false;
      return talking;
    },
  };
}

/** Plain fetch, so that our own client is not its own witness. */
function callHttp(
  id: OperationId,
  { params = {}, query = {}, headers = {}, body = {}, content }: Input,
): Promise<Response> {
  const operation: Operation = operations[id];
  const url = new URL(daemon.url + operation.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? ""));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerOf(name), value]));
  if (operation.takesBytes) return fetch(url, { method: operation.method, headers: own, body: content });
  return fetch(url, { method: operation.method, headers: own, ...(operation.body !== undefined && json) });
}

function commandOf(id: OperationId, { params = {}, query = {}, headers = {}, body = {}, content }: Input): string[] {
  const operation: Operation = operations[id];
  const values: Record<string, unknown> = { ...query, ...headers, ...body };
  const file = content === undefined ? [] : ["--file", contentFile(content)];
  const options = fieldsOf(operation).flatMap(({ name, flag, kind, repeatable }) => {
    const value = values[name];
    if (value === undefined) return [];
    if (kind === "boolean") return [value === true ? `--${flag}` : `--no-${flag}`];
    const elements = repeatable && Array.isArray(value) ? value : [value];
    return elements.flatMap((element) => [`--${flag}`, kind === "json" ? JSON.stringify(element) : String(element)]);
  });
  const positionals = positionalsOf(operation).map((name) => params[name] ?? "");
  return [...operation.cli, ...positionals, ...options, ...file, "--endpoint", daemon.url];
}

function contentFile(content: string): string {
  const path = `${folder.path}/content-${content.length}`;
  writeFileSync(path, content);
  return path;
}

/** A folder for one case, the same each time it is asked for. */
function filesFolder(name: string): string {
  const path = `${folder.path}/work/${name}`;
  mkdirSync(`${path}/sub/deep`, { recursive: true });
  writeFileSync(`${path}/a`, "some bytes of a file");
  return path;
}

function comparable(id: OperationId, text: string): unknown {
  // Counters move between two readings: the names must be the same.
  if (id === "metrics") return text.split("\n").filter((line) => line.startsWith("# TYPE"));
  if (id.startsWith("tickets.") || id === "tokens.create") return Object.keys(JSON.parse(text));
  if (text === "" || id === "terminals.recording" || operations[id].answer === "bytes") return text;
  return operations[id].method === "GET" ? JSON.parse(text) : neutral(JSON.parse(text));
}

/** What two sessions with the same history have in common: ids of the session, times and durations are taken out. */
function neutral(value: unknown): unknown {
  const text = JSON.stringify(value, (key, entry) => {
    if (key === "etag") return "<etag>";
    if (key === "nativeSessionId" || key === "undo") return `<${key}>`;
    if (key === "processId" && String(entry).startsWith("p_")) return "<made>";
    if (key === "pid") return 0;
    return key === "durationMs" ? 0 : entry;
  });
  return JSON.parse(text.replace(/-(http|cli)(?=["/])/g, "-<way>").replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"'));
}

function dataOf(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
}

async function firstFrames(response: Response, count: number): Promise<string[]> {
  if (response.body === null) throw new Error("no body");
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const frames = dataOf(text.slice(0, text.lastIndexOf("\n\n") + 1));
    if (frames.length >= count) return frames.slice(0, count);
  }
  throw new Error(`the stream ended early: ${text}`);
}

async function firstLines(args: string[], count: number): Promise<string[]> {
  const { child, exit, err } = startCommand(args);
  const lines = await new Promise<string[]>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      const whole = text.split("\n").slice(0, -1);
      if (whole.length >= count) resolve(whole.slice(0, count));
    });
    void Promise.all([exit, err]).then(([{ code }, message]) => reject(new Error(`ended with ${code}: ${message}`)));
  });
  child.kill("SIGINT");
  expect(await exit).toEqual({ code: 0, signal: null });
  return lines;
}

/** A process with a terminal that has written a line and ended. */
async function ended(name: string): Promise<string> {
  const processId = processIdOf(name);
  await client.processes.start({ processId, command: "echo", args: ["written"], pty: { columns: 80, rows: 24 } });
  await client.processes.wait({ processId });
  return processId;
}

async function running(name: string): Promise<string> {
  const processId = processIdOf(name);
  await client.processes.start({ processId, command: "cat", pty: { columns: 80, rows: 24 } });
  return processId;
}

async function owned(sessionId: string): Promise<string> {
  await idle(sessionId);
  const processId = processIdOf(sessionId);
  await client.processes.start({ processId, command: "true", owner: sessionId });
  await client.processes.wait({ processId });
  return sessionId;
}

function processIdOf(name: string): string {
  return name.toLowerCase().replaceAll(".", "_");
}
