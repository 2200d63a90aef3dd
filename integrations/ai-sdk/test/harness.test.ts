import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HarnessAgent, type HarnessAgentSession } from "@ai-sdk/harness/agent";
import { Output, tool } from "ai";
import { z } from "zod";
import { daemonSandbox, type MusterSettings, muster } from "../src/index.ts";
import { Daemon } from "./daemon.ts";

/** The official `HarnessAgent` on sessions of a real daemon. */
let daemon: Daemon;
before(async () => {
  daemon = await Daemon.make();
});
after(() => daemon.remove());

test("a turn: reasoning, text, usage; what it says last is its text", async () => {
  const { agent, session } = await open();
  const parts = await all(await agent.stream({ session, prompt: "reasoning" }));
  assert.match(textOf(parts, "reasoning-delta"), /two sides/);
  const { text, usage, steps } = await agent.generate({ session, prompt: "tool" });
  assert.equal(text, "There are two entries.");
  assert.ok((usage.inputTokens ?? 0) > 0 && (usage.outputTokens ?? 0) > 0);
  assert.deepEqual(
    steps.map(({ finishReason, toolCalls, toolResults }) => [finishReason, toolCalls.length, toolResults.length]),
    [
      ["tool-calls", 1, 1],
      ["stop", 0, 0],
    ],
  );
  const [result] = steps[0]?.toolResults ?? [];
  assert.deepEqual(result?.output, { text: "README.md\nsrc\n", exitCode: 0 });
});

test("an approval pauses the turn; allowed it goes on, refused the agent hears why", async () => {
  const { agent, session } = await open();
  for (const approved of [true, false]) {
    const paused = await agent.generate({ session, prompt: "permission touch a" });
    const request = paused.content.find((part) => part.type === "tool-approval-request");
    assert.ok(request);
    assert.deepEqual(request.toolCall.input, { command: "touch a" });
    const answer = {
      type: "tool-approval-response" as const,
      approvalId: request.approvalId,
      approved,
      reason: "later",
    };
    const { text } = await agent.continueGenerate({ session, toolApprovalContinuations: [answer] });
    assert.equal(text, approved ? "I was allowed to: touch a" : "I was not allowed to: touch a (later)");
  }
});

test("allow-all asks nothing, allow-edits lets edits pass", async () => {
  const free = await open({ permissionMode: "allow-all" });
  const { text } = await free.agent.generate({ session: free.session, prompt: "permission touch a" });
  assert.match(text, /I was allowed/);
  const edits = await open({ permissionMode: "allow-edits" });
  assert.match((await edits.agent.generate({ session: edits.session, prompt: "permission edit a" })).text, /allowed/);
  const asked = await edits.agent.generate({ session: edits.session, prompt: "permission touch a" });
  assert.ok(asked.content.some(({ type }) => type === "tool-approval-request"));
});

test("a question waits over a change of process and daemon, and is answered there", async () => {
  const { agent, session } = await open();
  const { toolCalls } = await agent.generate({ session, prompt: "question" });
  const [call] = toolCalls;
  assert.equal(call?.toolName, "askUserQuestions");
  const state = JSON.parse(JSON.stringify(await session.detach()));
  assert.deepEqual(Object.keys(state.data).sort(), ["sequence", "turn"]);

  const later = agentOn({});
  const again = await later.createSession({ sessionId: session.sessionId, resumeFrom: state });
  const value = { action: "answered", answers: { colour: { optionIds: ["blue"] } } };
  const { text } = await later.continueGenerate({ session: again, toolResultContinuations: [result(call, value)] });
  assert.equal(text, "You answered: Blue.");
  const declined = await later.generate({ session: again, prompt: "questions" });
  const [both] = declined.toolCalls;
  const no = result(both, { action: "declined" });
  assert.match((await later.continueGenerate({ session: again, toolResultContinuations: [no] })).text, /You declined/);
});

test("a plan is approved as a question is answered", async () => {
  const { agent, session } = await open({}, { permissionMode: "plan" });
  const { toolCalls } = await agent.generate({ session, prompt: "plan" });
  const [call] = toolCalls;
  assert.match(JSON.stringify(call?.input), /change one line.*approve_edits/);
  const value = { action: "answered", answers: { plan: { optionIds: ["approve"] } } };
  const { text } = await agent.continueGenerate({ session, toolResultContinuations: [result(call, value)] });
  assert.match(text, /The plan is done/);
});

test("a turn that is suspended in the middle of a text is gone on with elsewhere: nothing lost, nothing twice", async () => {
  const { agent, session } = await open();
  const stream = await agent.stream({ session, prompt: "slow 1500" });
  const first: Part[] = [];
  let state: unknown;
  for await (const part of stream.fullStream) {
    first.push(part);
    if (part.type === "text-delta" && state === undefined) state = session.suspendTurn();
  }
  assert.equal(first.filter(({ type }) => type === "text-end").length, 1);
  const continueFrom = JSON.parse(JSON.stringify(await state));
  const later = agentOn({});
  const again = await later.createSession({ sessionId: session.sessionId, continueFrom });
  const second = await all(await later.continueStream({ session: again }));
  const ids = [first, second].map((parts) => parts.find(({ type }) => type === "text-start")?.id);
  assert.ok(ids[0] !== undefined && ids[0] !== ids[1]);
  const { messages } = await daemon.client.sessions.getMessages({ sessionId: session.sessionId });
  const said = JSON.stringify(messages.at(-1)).match(/(tick )+/)?.[0];
  assert.equal(textOf(first, "text-delta") + textOf(second, "text-delta"), said);
});

test("the conversation survives: the daemon starts again, the agent is another process, and remembers", async () => {
  const { agent, session } = await open();
  await agent.generate({ session, prompt: "echo remember the heron" });
  const state = await session.stop();
  await daemon.stop();
  await daemon.start();
  const later = agentOn({});
  const again = await later.createSession({ sessionId: session.sessionId, resumeFrom: state });
  assert.match((await later.generate({ session: again, prompt: "history" })).text, /remember the heron/);
});

test("destroy ends the agent and keeps what was said", async () => {
  const { agent, session } = await open();
  await agent.generate({ session, prompt: "echo kept" });
  await session.destroy();
  const { sessionId } = session;
  assert.equal((await daemon.client.sessions.get({ sessionId })).state, "ended");
  assert.match(JSON.stringify(await daemon.client.sessions.getMessages({ sessionId })), /kept/);
});

test("a trouble the agent goes on after is no error; a turn that fails is one, and the session goes on", async () => {
  const { agent, session } = await open();
  const parts = await all(await agent.stream({ session, prompt: "retry 50" }));
  assert.deepEqual(
    parts.filter(({ type }) => type === "error"),
    [],
  );
  assert.equal(parts.at(-1)?.type, "finish");
  const failed = await all(await agent.stream({ session, prompt: "error" }));
  assert.match(String(failed.find((part) => part.type === "error")?.error), /provider_error: The pretended provider/);
  assert.equal((await agent.generate({ session, prompt: "echo still here" })).text, "still here");
});

test("an abort interrupts the agent, and the session goes on", async () => {
  const { agent, session } = await open();
  const abort = new AbortController();
  const stream = await agent.stream({ session, prompt: "slow 60000", abortSignal: abort.signal });
  const types: string[] = [];
  for await (const part of stream.fullStream) {
    types.push(part.type);
    if (part.type === "text-delta") abort.abort();
  }
  assert.ok(types.includes("abort") && !types.includes("error"));
  assert.equal((await agent.generate({ session, prompt: "echo next" })).text, "next");
});

test("a message is steered into the open turn", async () => {
  const { agent, session } = await open();
  const stream = await agent.stream({ session, prompt: "slow 3000" });
  let text = "";
  for await (const part of stream.fullStream) {
    if (part.type !== "text-delta") continue;
    if (text === "") await agent.experimental_steer({ session, text: "hurry" });
    text += part.text;
  }
  assert.match(text, /\[you added: hurry\]/);
});

test("the first answer wins, whoever gives it; a turn continued without its answer asks again", async () => {
  const { agent, session } = await open();
  const { sessionId } = session;
  await agent.generate({ session, prompt: "permission touch a" });
  const asked = await agent.continueGenerate({ session });
  const request = asked.content.find((part) => part.type === "tool-approval-request");
  assert.ok(request);
  const permissionId = request.approvalId;
  await daemon.client.sessions.replyPermission({ sessionId, permissionId, reply: "reject", message: "I was first" });
  const answer = { type: "tool-approval-response" as const, approvalId: permissionId, approved: true };
  const { text } = await agent.continueGenerate({ session, toolApprovalContinuations: [answer] });
  assert.match(text, /I was first/);
});

test("what a sub-agent says is not what the agent says", async () => {
  const { agent, session } = await open();
  const { text, steps } = await agent.generate({ session, prompt: "subagent" });
  assert.equal(text, "My helper found two files.");
  assert.doesNotMatch(steps.map((step) => step.text).join(""), /I am the helper/);
});

test("host tools, instructions and skills give warnings; a JSON format is refused", async () => {
  const seen: string[] = [];
  const agent = agentOn({
    tools: { weather: tool({ description: "", inputSchema: z.object({}), execute: () => "sunny" }) },
    instructions: "Be brief.",
    skills: [{ name: "s", description: "d", content: "c" }],
    debug: { enabled: true },
    onLog: ({ message }: { message: string }) => seen.push(message),
  });
  const session = await agent.createSession();
  assert.equal((await agent.generate({ session, prompt: "echo hi" })).text, "hi");
  for (const name of ["weather", "instructions", "skills"]) {
    assert.ok(
      seen.some((message) => message.startsWith(`${name}: `)),
      `${name} in ${seen.join(" | ")}`,
    );
  }
  const formatted = agentOn({ output: Output.object({ schema: z.object({ a: z.string() }) }) });
  const other = await formatted.createSession();
  await assert.rejects(async () => await formatted.generate({ session: other, prompt: "echo hi" }), /answers in text/);
});

test("an agent that cannot start says why, and a session of another agent is not taken over", async () => {
  const broken = agentOn({}, { directory: "/does/not/exist" });
  await assert.rejects(broken.createSession(), /exist/);
  const { session } = await open();
  const state = await session.detach();
  const wrong = { ...state, harnessId: "muster-claude" };
  const other = agentOn({}, { agent: "claude" });
  await assert.rejects(other.createSession({ sessionId: session.sessionId, resumeFrom: wrong }), /one of mock/);
});

test("a picture travels with the message", async () => {
  const { agent, session } = await open();
  const content = [
    { type: "text" as const, text: "echo with a file" },
    { type: "file" as const, mediaType: "image/png", filename: "a.png", data: "iVBORw0KGgo=" },
  ];
  const parts = await all(await agent.stream({ session, prompt: [{ role: "user", content }] }));
  assert.match(JSON.stringify(parts), /file received/);
});

// biome-ignore lint/suspicious/noExplicitAny: the parts of a stream are read by their type alone.
type Part = any;

function agentOn(options: object, settings: Partial<MusterSettings> = {}) {
  const harness = muster({ client: daemon.client, agent: "mock", directory: daemon.home, ...settings });
  return new HarnessAgent({ harness, sandbox: daemonSandbox, permissionMode: "allow-reads", ...options });
}

async function open(options: object = {}, settings: Partial<MusterSettings> = {}) {
  const agent = agentOn(options, settings);
  const session: HarnessAgentSession = await agent.createSession();
  return { agent, session };
}

async function all({ fullStream }: { fullStream: AsyncIterable<Part> }): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of fullStream) parts.push(part);
  return parts;
}

function textOf(parts: readonly Part[], type: string): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}

function result(call: { toolCallId: string; toolName: string } | undefined, value: object): Part {
  return { type: "tool-result", ...call, output: { type: "json", value } };
}
