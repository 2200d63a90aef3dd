import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { audit } from "../src/money/ledger/audit.ts";
import { frame, type Reply, streamOf, twoCents, usageFrame, words } from "./provider.ts";
import { type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

const path = "/api/v1/agent-mode";
const end: Reply = streamOf(words("Done.\n<end_turn></end_turn>"), usageFrame(twoCents), frame("[DONE]"));
let reply: Reply = end;
let server: TestServer;
let people = 0;
let victim: Person;
let attacker: Person;
beforeAll(async () => {
  const times = { pingMs: 200, bodyMs: 500, lastWordsMs: 100 };
  server = await startTestServer({ reply: (request, response) => reply(request, response), times });
  victim = await server.person("victim@example.com", 1000);
  attacker = await server.person("attacker@example.com", 1000);
});
afterAll(() => server.close());
afterEach(async () => {
  reply = end;
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
});

const prompt = (more: object = {}) =>
  JSON.stringify({ type: "agent_initial_prompt", task: "go", sessionId: "s", seq: 1, agentState: {}, ...more });
const statesOf = ({ id }: Person) =>
  server.database.db
    .selectFrom("agent_mode_state")
    .selectAll()
    .where("user_id", "=", id)
    .orderBy("session_id")
    .execute();

/** What the server sends back on a plain connection until it closes it. */
function exchange(request: string | Buffer, more: readonly Buffer[] = []): Promise<string> {
  return new Promise((resolve) => {
    // A client that never closes its own side.
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    socket.on("error", () => {});
    // Who has closed only one side still takes what is sent; a connection that is gone breaks.
    let knock: NodeJS.Timeout | undefined;
    socket.on("end", () => {
      knock = setInterval(() => socket.write("x"), 10);
    });
    socket.on("close", () => {
      clearInterval(knock);
      resolve(text);
    });
    socket.write(request);
    for (const bytes of more) socket.write(bytes);
  });
}

const handshake = (headers: Readonly<Record<string, string | undefined>>, target = path, method = "GET") => {
  const usual = { host: "127.0.0.1", connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const all = { ...usual, "sec-websocket-key": randomBytes(16).toString("base64"), ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
};

describe("before login: no socket, an answer of 4xx, and the connection is closed though the client stays", () => {
  const keys: [string, Record<string, string>][] = [
    ["no key", {}],
    ["an empty key", { authorization: "" }],
    ["only the scheme", { authorization: "Bearer" }],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["a wrong key", { authorization: "Bearer cb-pat-wrong" }],
    ["two keys in one", { authorization: "Bearer a b" }],
    ["a long key", { authorization: `Bearer ${"k".repeat(8000)}` }],
    ["a key of another kind", { authorization: "Bearer cbs-wrong" }],
    ["SQL", { authorization: "Bearer '; drop table session; --" }],
    ["a cookie", { cookie: "codebuff=x; __Host-codebuff=x" }],
    ["the other header, wrong", { "x-codebuff-api-key": "cb-pat-wrong" }],
    ["a key as protocol", { "sec-websocket-protocol": "cb-pat-wrong" }],
    ["another site", { origin: "https://evil.example" }],
    ["a proxy's word", { "x-forwarded-for": "127.0.0.1", "x-forwarded-user": "victim@example.com" }],
  ];
  const targets = [path, `${path}?key=cb-pat-wrong`, `${path}/`, "/ws", "/", "//", "/api/v1/../v1/agent-mode"];
  const cases = keys.flatMap(([name, headers]) => targets.map((target) => [name, target, headers] as const));

  it.each(cases)("%s at %s", async (_, target, headers) => {
    const answer = await exchange(handshake(headers, target), [maskedFrame(prompt())]);
    expect(answer).toMatch(/^HTTP\/1\.1 40[014] /);
  });

  it("a message sent together with the request is not read", async () => {
    await exchange(Buffer.concat([Buffer.from(handshake({})), maskedFrame(prompt({ sessionId: "early" }))]));
    const { db } = server.database;
    expect(await db.selectFrom("agent_mode_state").selectAll().where("session_id", "=", "early").execute()).toEqual([]);
  });
});

describe("with a key, a handshake that is none", () => {
  it.each([
    ["no version", { "sec-websocket-version": undefined }],
    ["an old version", { "sec-websocket-version": "7" }],
    ["a version of text", { "sec-websocket-version": "x" }],
    ["no key of its own", { "sec-websocket-key": undefined }],
    ["a short key of its own", { "sec-websocket-key": "YQ==" }],
    ["a key of its own that is no base64", { "sec-websocket-key": "!".repeat(24) }],
    ["another protocol", { upgrade: "h2c" }],
    ["broken protocols", { "sec-websocket-protocol": ",," }],
    ["POST", { method: "POST" }],
    ["PUT", { method: "PUT" }],
    ["DELETE", { method: "DELETE" }],
  ] as [string, Record<string, string | undefined>][])("%s", async (_, { method, ...headers }) => {
    const answer = await exchange(
      handshake({ authorization: `Bearer ${attacker.key}`, "content-length": "0", ...headers }, path, method),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it("permessage-deflate is not taken up, so nothing is ever inflated", async () => {
    const offered = { "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" };
    const { socket, head } = await openRaw(attacker, offered);
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head.toLowerCase()).not.toContain("permessage-deflate");
    socket.destroy();
  });
});

describe("frames that break the protocol end their socket and nothing else", () => {
  const text = Buffer.from(prompt({ sessionId: "broken" }));
  const broken: [string, Buffer[]][] = [
    ["not masked", [Buffer.concat([Buffer.from([0x81, 5]), Buffer.from("hello")])]],
    ...[0x40, 0x20, 0x10, 0x70].map((bit): [string, Buffer[]] => [
      `reserved bits ${bit}`,
      [maskedFrame(text, { first: 0x81 | bit })],
    ]),
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((code): [string, Buffer[]] => [
      `opcode ${code}`,
      [maskedFrame("x", { first: 0x80 | code })],
    ]),
    ["a ping of 126 bytes", [maskedFrame("x".repeat(126), { first: 0x89 })]],
    ["a pong of 126 bytes", [maskedFrame("x".repeat(126), { first: 0x8a })]],
    ["a close of 126 bytes", [maskedFrame("x".repeat(126), { first: 0x88 })]],
    ["a ping in pieces", [maskedFrame("x", { first: 0x09 })]],
    ["a close in pieces", [maskedFrame("", { first: 0x08 })]],
    ["a continuation of nothing", [maskedFrame("x", { first: 0x80 })]],
    ["a text inside of a text", [maskedFrame("{", { first: 0x01 }), maskedFrame("}", { first: 0x81 })]],
    ["a binary inside of a text", [maskedFrame("{", { first: 0x01 }), maskedFrame("}", { first: 0x82 })]],
    ["a length of 2^63", [Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])]],
    ["a length of 2^53", [Buffer.from([0x81, 0xff, 0, 0x20, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])]],
    ["a length of 17 MiB, before a byte of it", [Buffer.from([0x81, 0xff, 0, 0, 0, 0, 1, 0x10, 0, 0, 1, 2, 3, 4])]],
    [
      "17 MiB in pieces",
      [
        maskedFrame("x", { first: 0x01 }),
        ...Array.from({ length: 17 }, () => maskedFrame(Buffer.alloc(1024 * 1024, "x"), { first: 0x00 })),
      ],
    ],
    ...["80", "ff", "c0 80", "ed a0 80", "f5 80 80 80", "f8 88 80 80 80", "e2 28 a1", "22 ff 22"].map(
      (bytes): [string, Buffer[]] => [`text that is not UTF-8: ${bytes}`, [maskedFrame(hex(bytes))]],
    ),
    ...[0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map((code): [string, Buffer[]] => [
      `close with ${code}`,
      [maskedFrame(Buffer.from([code >> 8, code & 255]), { first: 0x88 })],
    ]),
    ["close with one byte", [maskedFrame("x", { first: 0x88 })]],
    ["close with a reason that is not UTF-8", [maskedFrame(hex("03 e8 ff ff"), { first: 0x88 })]],
    ["HTTP again", [Buffer.from("GET / HTTP/1.1\r\nhost: x\r\n\r\n")]],
    ["zeroes", [Buffer.alloc(1000)]],
  ];
  it.each(broken)("%s", async (_, frames) => {
    const before = await statesOf(attacker);
    const { socket } = await openRaw(attacker);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    for (const bytes of frames) socket.write(bytes);
    await closed;
    expect(await statesOf(attacker)).toEqual(before);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))("random bytes, seed %s", async (seed) => {
    const bytes = Buffer.from(
      Array.from({ length: 400 }, (_, n) => (Math.imul(n + 1, 2_654_435_761 * (seed + 3)) >>> 13) & 255),
    );
    // The first bit pattern that no frame may have, wherever the rest would lead.
    bytes[0] = 0x83 + (seed % 5);
    const { socket } = await openRaw(attacker);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(bytes);
    await closed;
  });
});

describe("a frame that stops in the middle", () => {
  const whole = maskedFrame(prompt({ sessionId: "half" }));
  const places = [...Array.from({ length: 16 }, (_, n) => n + 1), 40, whole.length - 1];
  it.each(places)("after %s bytes, and the client goes: nothing has begun", async (at) => {
    const { socket } = await openRaw(attacker);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.end(whole.subarray(0, at));
    await closed;
    expect((await statesOf(attacker)).map(({ session_id }) => session_id)).not.toContain("half");
  });

  it.each(places)("after %s bytes, and the client stays without a pong: it is ended", async (at) => {
    const { socket } = await openRaw(attacker);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(whole.subarray(0, at));
    await closed;
  });

  it("one byte at a time without a pong is ended too", async () => {
    const { socket } = await openRaw(attacker);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(hex("81 ff 00 00 00 00 00 f0 00 00 01 02 03 04"));
    const drip = setInterval(() => socket.write("x"), 50);
    await closed;
    clearInterval(drip);
  });
});

describe("messages that are none are answered with bad_message, in few words, and change nothing", () => {
  const state = (more: object) => prompt({ agentState: more });
  const bad: [string, string | Buffer][] = [
    ...[
      "",
      "{",
      "null",
      "7",
      "true",
      '"x"',
      "[]",
      "[{}]",
      "{}",
      "undefined",
      "NaN",
      "\u0000",
      "{'type':1}",
      "{}{}",
    ].map((text): [string, string] => [JSON.stringify(text), text]),
    ["a type nobody knows", '{"type":"admin"}'],
    ["a type that is a number", '{"type":1}'],
    ["a type that is __proto__", '{"type":"__proto__"}'],
    ["a server's message", '{"type":"agent_state","agentState":{}}'],
    ["no task", '{"type":"agent_initial_prompt","agentState":{}}'],
    ["no state", '{"type":"agent_initial_prompt","task":"go"}'],
    ["no results", '{"type":"agent_tool_response","agentState":{}}'],
    ["an empty task", prompt({ task: "" })],
    ["a task that is a number", prompt({ task: 7 })],
    ["a task that is an object", prompt({ task: { toString: "x" } })],
    ["a session without a name", prompt({ sessionId: "" })],
    ["a session with a long name", prompt({ sessionId: "x".repeat(201) })],
    ["a session that is a number", prompt({ sessionId: 1 })],
    ["a session that is an array", prompt({ sessionId: ["s"] })],
    ["a negative number", prompt({ seq: -1 })],
    ["half a number", prompt({ seq: 1.5 })],
    ["a number beyond all", prompt().replace('"seq":1', '"seq":1e400')],
    ["a number that is not exact", prompt().replace('"seq":1', '"seq":9007199254740993')],
    ["a number as text", prompt({ seq: "1" })],
    ["a state that is text", prompt({ agentState: "x" })],
    ["a state that is null", prompt({ agentState: null })],
    ["a negative revision", state({ revision: -1 })],
    ["a revision as text", state({ revision: "1" })],
    ["a revision beyond all", prompt().replace('"agentState":{}', '"agentState":{"revision":1e400}')],
    ["a history that is text", state({ messageHistory: "x" })],
    ["a history of numbers", state({ messageHistory: [1, 2] })],
    ["a history of a role nobody knows", state({ messageHistory: [{ role: "root", content: "x" }] })],
    ["subgoals that are an array", state({ subgoals: [] })],
    ["open calls that are none", state({ open: { calls: [], results: [] } })],
    ["open calls without a name", state({ open: { calls: [{ id: "1", params: {} }], results: [] } })],
    ["a run without an id", state({ run: { steps: 1 } })],
    ["a run with negative steps", state({ run: { id: "r", steps: -1, millicredits: 0, costKnown: true } })],
    ["results that are text", '{"type":"agent_tool_response","toolResults":"x","agentState":{}}'],
    [
      "a result of a status nobody knows",
      prompt({ toolResults: [{ id: "1", name: "x", result: "", status: "root" }] }),
    ],
    ["100,000 results that are none", prompt({ toolResults: Array.from({ length: 100_000 }, () => 1) })],
    [
      "nested 10,000 deep",
      `{"type":"agent_initial_prompt","task":"x","agentState":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    ],
    ["nested 5,000,000 deep", "[".repeat(5_000_000)],
    ["15 MiB of nothing", " ".repeat(15 * 1024 * 1024)],
    [
      "a key twice, the last is bad",
      prompt().replace("{", '{"type":"agent_initial_prompt",').replace('"task":"go"', '"task":"go","task":7'),
    ],
  ];
  it.each(bad)("%s", async (_, text) => {
    const before = await statesOf(attacker);
    const socket = await open(attacker);
    const message = once(socket, "message");
    socket.send(text);
    const answer = String((await message)[0]);
    expect(JSON.parse(answer)).toMatchObject({ type: "agent_error", code: "bad_message" });
    expect(answer.length).toBeLessThan(2000);
    socket.terminate();
    expect(await statesOf(attacker)).toEqual(before);
  });
});

describe("what belongs to somebody else", () => {
  let run: string;
  let stored: Awaited<ReturnType<typeof statesOf>>;
  beforeAll(async () => {
    run = await server.run(victim);
    reply = streamOf(
      words("<run_terminal_command>\n<command>secret-command</command>\n</run_terminal_command>"),
      usageFrame(twoCents),
      frame("[DONE]"),
    );
    const socket = await open(victim);
    const asked = until(socket, "agent_request_tool_execution");
    socket.send(prompt({ sessionId: "private", task: "the victim's secret" }));
    await asked;
    socket.close();
    stored = await statesOf(victim);
    reply = end;
  });
  const names = [
    "private",
    " private",
    "PRIVATE",
    "private\u0000",
    "../private",
    "%70rivate",
    "__proto__",
    "constructor",
  ];
  const claims = (): [string, object][] => [
    ...names.map((sessionId): [string, object] => [`the session ${JSON.stringify(sessionId)}`, { sessionId }]),
    ["the session with the owner's id before it", { sessionId: `${victim.id}:private` }],
    ["the session with an id of a request", { sessionId: `private:0:0:1` }],
    ["a user in the message", { sessionId: "private", userId: victim.id, user_id: victim.id }],
    ["a run in the state", { sessionId: "r1", agentState: claimRun(run) }],
    ["a run in the state, with steps", { sessionId: "r2", agentState: claimRun(run, 50) }],
    ["a run in the state that is begun anew", { sessionId: "r3", newTask: true, agentState: claimRun(run, 3) }],
  ];
  const count = 14;
  it.each(Array.from({ length: count }, (_, n) => n))(
    "is not read, not taken over, not written: case %s",
    async (n) => {
      const all = claims();
      expect(all.length).toBe(count);
      const [, more] = all[n] ?? ["", {}];
      const before = await unitsOf(server.database, victim.id);
      const socket = await open(attacker);
      const messages = collect(socket);
      const done = Promise.race([until(socket, "agent_turn_complete"), until(socket, "agent_error")]);
      // Results that nobody asked for say nothing; the prompt behind them is answered.
      socket.send(prompt({ type: "agent_tool_response", toolResults: [], ...more }));
      socket.send(prompt({ seq: 2, ...more }));
      await done;
      socket.terminate();
      await server.server.service.calls.none();
      expect(messages.join("")).not.toContain("secret");
      expect(await statesOf(victim)).toEqual(stored);
      expect(await unitsOf(server.database, victim.id)).toEqual(before);
      const { db } = server.database;
      expect(await db.selectFrom("agent_step").selectAll().where("run_id", "=", run).execute()).toEqual([]);
      const rows = await db.selectFrom("agent_run").select("status").where("id", "=", run).execute();
      expect(rows).toEqual([{ status: "running" }]);
    },
  );
});

describe("replays", () => {
  it.each([1, 2, 10, 100])("the same message %s times more costs one call", async (times) => {
    const person = await server.person(`replay${times}@example.com`, 1000);
    const socket = await open(person);
    for (let n = 0; n <= times; n++) {
      const done = until(socket, "agent_turn_complete");
      socket.send(prompt());
      await done;
    }
    socket.close();
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
  });

  it.each([0, 1, 4])("an older number (%s) is answered with the last reply and costs nothing", async (seq) => {
    const person = await server.person(`older${seq}@example.com`, 1000);
    const socket = await open(person);
    const first = until(socket, "agent_turn_complete");
    socket.send(prompt({ seq: 5 }));
    await first;
    const again = until(socket, "agent_turn_complete");
    socket.send(prompt({ seq, task: "another" }));
    await again;
    socket.close();
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
  });

  it.each([2, 8, 20])(
    "the same message over %s sockets at once: whoever is not the newest is told so",
    async (sockets) => {
      const person = await server.person(`race${sockets}@example.com`, 1000);
      const all = await Promise.all(Array.from({ length: sockets }, () => open(person)));
      const ends = all.map((socket) =>
        Promise.race([until(socket, "agent_turn_complete"), until(socket, "agent_error")]),
      );
      for (const socket of all) socket.send(prompt());
      await Promise.all(ends);
      for (const socket of all) socket.terminate();
      await server.server.service.calls.none();
      const { balance, held } = await unitsOf(server.database, person.id);
      expect(held).toBe(0);
      expect((1_000_000 - balance) % 2110).toBe(0);
    },
  );

  it("the largest numbers there are end in an error at most, and another session goes on", async () => {
    const person = await server.person("largest@example.com", 1000);
    const socket = await open(person);
    const most = Number.MAX_SAFE_INTEGER;
    for (const more of [{ seq: most }, { seq: undefined }, { sessionId: "t", agentState: { revision: most } }]) {
      const done = Promise.race([until(socket, "agent_turn_complete"), until(socket, "agent_error")]);
      socket.send(prompt(more));
      await done;
    }
    const done = until(socket, "agent_turn_complete");
    socket.send(prompt({ sessionId: "fresh" }));
    await done;
    socket.close();
  });
});

describe("floods", () => {
  it("more messages than are worked on end the socket", async () => {
    reply = () => {};
    const socket = await open(attacker);
    const closed = once(socket, "close");
    for (let n = 1; n <= 40; n++) socket.send(prompt({ sessionId: "flood", seq: n }));
    expect((await closed)[0]).toBe(1008);
  });

  it("more bytes than may wait end the socket", async () => {
    reply = () => {};
    const socket = await open(attacker);
    const closed = once(socket, "close");
    socket.send(prompt({ sessionId: "flood-bytes" }));
    for (let n = 0; n < 4; n++) socket.send("x".repeat(12 * 1024 * 1024));
    // 1006 when it was still sending.
    expect([1006, 1008]).toContain((await closed)[0]);
  });

  it("10,000 bad messages from a client that reads nothing are bounded", async () => {
    const { socket } = await openRaw(attacker);
    socket.pause();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const bytes = Buffer.concat(Array.from({ length: 10_000 }, () => maskedFrame("{")));
    socket.write(bytes);
    socket.on("error", () => {});
    // What ends it: 33 of them wait at once.
    setTimeout(() => socket.resume(), 300);
    await closed;
  });

  it("10,000 pings are answered or bounded, and the server lives", async () => {
    const { socket } = await openRaw(attacker);
    socket.resume();
    socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => maskedFrame("x", { first: 0x89 }))));
    const other = await open(victim);
    const message = once(other, "message");
    other.send("{");
    await message;
    other.close();
    socket.destroy();
  });

  it("one account has 64 sockets, not more; another is not kept out, and room comes back", async () => {
    const person = await server.person(`many${++people}@example.com`, 0);
    const all = await Promise.all(Array.from({ length: 64 }, () => open(person)));
    const again = `${handshake({ authorization: `Bearer ${person.key}` })}\0\0`;
    expect(await exchange(again)).toMatch(/^HTTP\/1\.1 429 /);
    (await open(victim)).terminate();
    for (const socket of all) socket.terminate();
    await expect.poll(() => exchange(again).then((text) => text.slice(9, 12))).toBe("101");
  });

  it("200 sockets that come and go in the middle of a handshake leave nothing behind", async () => {
    const port = Number(new URL(server.url).port);
    const one = () =>
      new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(handshake({ authorization: `Bearer ${attacker.key}` }), () => socket.destroy());
        });
        socket.on("error", () => {}).on("close", () => resolve());
      });
    await Promise.all(Array.from({ length: 200 }, one));
    const socket = await open(attacker);
    socket.terminate();
  });
});

it("nothing of all this was a fault of ours", () => {
  const faults = server.logged.filter((line) => line.includes('"level":"error"'));
  expect(faults.filter((line) => !line.includes("too large to count with"))).toEqual([]);
});

function claimRun(id: string, steps = 0): object {
  const history = [{ role: "user", content: "go" }];
  return { revision: 9, messageHistory: history, run: { id, steps, millicredits: 1e9, costKnown: true } };
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

/** A frame as a client sends it, with whatever first byte. */
function maskedFrame(content: string | Buffer, { first = 0x81 }: { first?: number } = {}): Buffer {
  const payload = Buffer.from(content);
  const mask = hex("01 02 03 04");
  const head =
    payload.length < 126
      ? Buffer.from([first, 0x80 | payload.length])
      : payload.length < 65_536
        ? Buffer.from([first, 0xfe, payload.length >> 8, payload.length & 255])
        : Buffer.concat([Buffer.from([first, 0xff, 0, 0, 0, 0]), uint32(payload.length)]);
  const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([head, mask, masked]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A socket past its handshake, in bytes: nothing answers pings for it. */
async function openRaw(
  person: Person,
  headers: Record<string, string> = {},
): Promise<{ socket: Socket; head: string }> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(handshake({ authorization: `Bearer ${person.key}`, ...headers }));
  const [head] = (await once(socket, "data")) as [Buffer];
  socket.resume();
  return { socket, head: head.toString("latin1") };
}

async function open(person: Person): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${person.key}` };
  const socket = new WebSocket(`${server.url.replace("http", "ws")}${path}`, { headers });
  await once(socket, "open");
  socket.on("error", () => {});
  return socket;
}

function collect(socket: WebSocket): string[] {
  const messages: string[] = [];
  socket.on("message", (data) => messages.push(String(data)));
  return messages;
}

function until(socket: WebSocket, type: string): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (data: unknown) => {
      if ((JSON.parse(String(data)) as { type: string }).type !== type) return;
      socket.off("message", onMessage);
      resolve();
    };
    socket.on("message", onMessage).once("close", () => resolve());
  });
}
