import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { audit } from "../src/money/ledger/audit.ts";
import { AgentClient } from "./agent-client.ts";
import {
  frame,
  type ProviderRequest,
  type Reply,
  shortAnswer,
  streamOf,
  twoCents,
  usageFrame,
  words,
} from "./provider.ts";
import { type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

let reply: Reply = shortAnswer;
let server: TestServer;
let people = 0;
beforeAll(async () => {
  server = await startTestServer({ reply: (request, response) => reply(request, response) });
});
afterAll(() => server.close());
afterEach(async () => {
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
});

const somebody = () => server.person(`agent${++people}@example.com`, 1000);

/** The model answers each request with the next text; a stop sequence is not part of it. */
function script(...texts: string[]): ProviderRequest[] {
  const seen: ProviderRequest[] = [];
  reply = (request, response) => {
    const text = texts[seen.length] ?? "<end_turn></end_turn>";
    seen.push(request);
    return streamOf(
      ...[...text].map((letter) => words(letter)),
      usageFrame(twoCents),
      frame("[DONE]"),
    )(request, response);
  };
  return seen;
}

const command = (text: string) => `<run_terminal_command>\n<command>${text}</command>\n</run_terminal_command>`;
const clientOf = (person: Person, sessionId: string, run = async () => "ok") =>
  new AgentClient({ url: () => server.url, key: person.key, sessionId, run });

it("T-1: subgoal, command, command, end: messages in order, each model call billed, the run recorded", async () => {
  const seen = script(
    "Plan.\n<add_subgoal>\n<id>1</id>\n<objective>tests pass</objective>\n<status>IN_PROGRESS</status>\n</add_subgoal>\n",
    `Run the tests.\n${command("npm test")}`,
    `Again.\n${command("npm test")}`,
    "All tests pass.\n<end_turn></end_turn>",
  );
  const person = await somebody();
  const outputs = ["1 failed", "all passed"];
  const client = clientOf(person, "s1", async () => outputs.shift() ?? "");
  const end = await client.work("make tests pass");
  client.close();
  expect(end).toMatchObject({ type: "completed", response: "All tests pass.", ended: true });
  expect(end.state.subgoals["1"]).toMatchObject({ objective: "tests pass" });
  const kinds = client.received.map(({ type }) => type).filter((type) => type !== "agent_response_chunk");
  expect(kinds).toEqual([
    "agent_state",
    "agent_request_tool_execution",
    "agent_state",
    "agent_request_tool_execution",
    "agent_state",
    "agent_turn_complete",
  ]);
  expect(JSON.stringify(seen.at(-1)?.body.messages)).toContain("all passed");
  expect(seen[0]?.body).toMatchObject({ model: "google/gemini-2.5-pro", stream: true, stop: expect.any(Array) });
  expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 4 * 2110, held: 0 });
  const { db } = server.database;
  const runs = await db.selectFrom("agent_run").selectAll().where("user_id", "=", person.id).execute();
  expect(runs).toMatchObject([{ agent_id: "agent-mode", status: "completed", total_steps: 4, billed_units: 8440 }]);
  const steps = await db
    .selectFrom("agent_step")
    .selectAll()
    .where("run_id", "=", runs[0]?.id ?? "")
    .execute();
  expect(steps).toHaveLength(4);
});

it("the plain documented message is enough: no session, no number, an empty state", async () => {
  script("Hello.\n<end_turn></end_turn>");
  const person = await somebody();
  const socket = await open(person);
  socket.send(JSON.stringify({ type: "agent_initial_prompt", task: "say hello", agentState: {} }));
  const messages = await until(socket, "agent_turn_complete");
  expect(messages.at(-1)).toMatchObject({ type: "agent_turn_complete", response: "Hello.", ended: true, seq: 1 });
  socket.close();
});

it("broken messages are answered and change nothing; a partial tool response is asked for again", async () => {
  script(`Both.\n${command("a")}`);
  const person = await somebody();
  const socket = await open(person);
  for (const broken of ["{", '{"type":"nonsense"}', '{"type":"agent_initial_prompt","task":7}']) {
    socket.send(broken);
    expect((await until(socket, "agent_error")).at(-1)).toMatchObject({ code: "bad_message" });
  }
  const framed = { sessionId: "partial", agentState: {} };
  socket.send(JSON.stringify({ type: "agent_initial_prompt", task: "go", seq: 1, ...framed }));
  const asked = await until(socket, "agent_request_tool_execution");
  const { toolCalls } = asked.at(-1) as { toolCalls: { id: string }[] };
  socket.send(JSON.stringify({ type: "agent_tool_response", toolResults: [], seq: 2, ...framed }));
  const again = await until(socket, "agent_request_tool_execution");
  expect(again).toMatchObject([{ code: "bad_tool_response" }, { toolCalls }]);
  socket.close();
});

it("a message that was answered is answered again alike, without a second model call", async () => {
  const seen = script(`One.\n${command("a")}`);
  const person = await somebody();
  const first = { type: "agent_initial_prompt", task: "go", sessionId: "again", seq: 1, agentState: {} };
  const socket = await open(person);
  socket.send(JSON.stringify(first));
  const asked = (await until(socket, "agent_request_tool_execution")).at(-1);
  socket.close();
  const other = await open(person);
  other.send(JSON.stringify(first));
  expect((await until(other, "agent_request_tool_execution")).at(-1)).toEqual(asked);
  expect(seen).toHaveLength(1);
  other.close();
});

it("the newest connection wins: the older one is told and closed", async () => {
  script(`One.\n${command("a")}`);
  const person = await somebody();
  const old = await open(person);
  const framed = { sessionId: "two", agentState: {} };
  old.send(JSON.stringify({ type: "agent_initial_prompt", task: "go", seq: 1, ...framed }));
  await until(old, "agent_request_tool_execution");
  const newer = await open(person);
  newer.send(JSON.stringify({ type: "agent_initial_prompt", task: "go", seq: 1, ...framed }));
  await until(newer, "agent_request_tool_execution");
  const closed = once(old, "close");
  old.send(JSON.stringify({ type: "agent_tool_response", toolResults: [], seq: 2, ...framed }));
  expect((await until(old, "agent_error")).at(-1)).toMatchObject({ code: "superseded" });
  expect((await closed)[0]).toBe(4409);
  newer.close();
});

it("every model call passes the gates: out of credits, banned and revoked are agent errors", async () => {
  script(`One.\n${command("a")}`);
  const poor = await server.person("agent-poor@example.com", 0);
  expect(await clientOf(poor, "poor").work("go")).toMatchObject({ type: "failed", code: "out_of_credits" });
  const { db } = server.database;
  const banned = await somebody();
  const seen = script(`One.\n${command("a")}`, "never");
  const client = clientOf(banned, "ban", async () => {
    await db.updateTable("user").set({ banned: 1 }).where("id", "=", banned.id).execute();
    return "ok";
  });
  expect(await client.work("go")).toMatchObject({ type: "failed", code: "account_suspended" });
  expect(seen).toHaveLength(1);
  const revoked = await somebody();
  script(`One.\n${command("a")}`);
  const other = clientOf(revoked, "revoke", async () => {
    await db.deleteFrom("session").where("user_id", "=", revoked.id).execute();
    return "ok";
  });
  expect(await other.work("go")).toMatchObject({ type: "failed", code: "unauthorized" });
});

it("another person's session of the same name is another session", async () => {
  script(`One.\n${command("secret")}`, "Fresh.\n<end_turn></end_turn>");
  const [one, other] = [await somebody(), await somebody()];
  const socket = await open(one);
  socket.send(JSON.stringify({ type: "agent_initial_prompt", task: "go", sessionId: "same", seq: 1, agentState: {} }));
  await until(socket, "agent_request_tool_execution");
  socket.close();
  expect(await clientOf(other, "same").work("go")).toMatchObject({ type: "completed", response: "Fresh." });
});

describe("a client that leaves in the middle of an answer", () => {
  /** A word of the model has come, and the client has gone; the server knows it. */
  async function leaveInTheMiddle(at: TestServer): Promise<Person> {
    const person = await at.person("leaver@example.com", 1000);
    const socket = await open(person, at);
    socket.send(
      JSON.stringify({ type: "agent_initial_prompt", task: "go", sessionId: "left", seq: 1, agentState: {} }),
    );
    await once(socket, "message");
    socket.terminate();
    // The way of another connection takes longer than the news that this one has ended.
    (await open(person, at)).terminate();
    return person;
  }
  const messageOf = ({ database }: TestServer) =>
    database.db.selectFrom("message").select(["outcome", "cost_from", "units"]).executeTakeFirstOrThrow();

  it("has the provider's last words billed exactly", async () => {
    let finish = () => {};
    const at = await startTestServer({
      times: { lastWordsMs: 600_000 },
      reply: (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(words("One"));
        finish = () => response.end(`${words("Two")}${usageFrame(twoCents)}${frame("[DONE]")}`);
      },
    });
    try {
      const person = await leaveInTheMiddle(at);
      expect(at.provider.cuts.count).toBe(0);
      finish();
      await at.server.service.calls.none();
      expect(await messageOf(at)).toEqual({ outcome: "completed", cost_from: "service", units: 2110 });
      expect(await unitsOf(at.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
      expect(await audit(at.database)).toEqual([]);
    } finally {
      await at.close();
    }
  });

  it("leaves a provider that says nothing more, and what came is billed by its length", async () => {
    let cut = () => {};
    const wasCut = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const at = await startTestServer({
      times: { lastWordsMs: 50 },
      reply: (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(words("x".repeat(4000)));
        response.on("close", cut);
      },
    });
    try {
      const person = await leaveInTheMiddle(at);
      await wasCut;
      await at.server.service.calls.none();
      const { units, ...message } = await messageOf(at);
      expect(message).toEqual({ outcome: "client gone", cost_from: "estimate" });
      // 1000 tokens of the model's output and its input.
      expect(units).toBeGreaterThan(1000);
      expect(await unitsOf(at.database, person.id)).toEqual({ balance: 1_000_000 - units, held: 0 });
      expect(await audit(at.database)).toEqual([]);
    } finally {
      await at.close();
    }
  });
});

it.each([
  ["no key", {}, 401],
  ["a wrong key", { authorization: "Bearer cb-pat-wrong" }, 401],
])("%s is refused before the upgrade", async (_, headers, status) => {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/v1/agent-mode`, { headers });
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(status);
});

it("a message of more than 16 MiB closes the socket", async () => {
  const person = await somebody();
  const socket = await open(person);
  socket.send("x".repeat(17 * 1024 * 1024));
  expect((await once(socket, "close"))[0]).toBe(1009);
});

async function open(person: Person, at = server): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${person.key}` };
  const socket = new WebSocket(`${at.url.replace("http", "ws")}/api/v1/agent-mode`, { headers });
  await once(socket, "open");
  return socket;
}

/** Messages up to the first of a kind, the streamed words left out. */
function until(socket: WebSocket, type: string): Promise<Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    const messages: Record<string, unknown>[] = [];
    const onMessage = (data: unknown) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      if (message.type !== "agent_response_chunk") messages.push(message);
      if (message.type !== type) return;
      socket.off("message", onMessage);
      resolve(messages);
    };
    socket.on("message", onMessage);
    socket.once("close", () => reject(new Error(`closed before ${type}`)));
  });
}
