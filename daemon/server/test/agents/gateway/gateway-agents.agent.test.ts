import { Conversation } from "@muster/conformance";
import type { Session, UsageReport } from "@muster/schema";
import { type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { DaemonHome, type DaemonProcess } from "../../daemon-process.ts";
import { type TestedAgent, testsOf } from "../installed-agent.ts";
import { CountedModel, type Turn, toldBy, type WrittenTurn } from "./counted-model.ts";
import { lyingAgent } from "./lying-agent.ts";

interface Row {
  agent: TestedAgent;
  token: string;
  model?: string;
  /** The header in which the provider must find the real key. */
  key: [header: string, value: string];
  /** What it does after it has sent a sub-agent off. */
  wait?: NonNullable<WrittenTurn["tools"]>[number];
}

const real = "sk-ant-real-key-314159265358979";
const openai = "sk-real-key-271828182845904523";
const wait = { name: "wait_agent", native: true, namespace: "collaboration", input: { timeout_ms: 20_000 } };

const rows: readonly Row[] = [
  { agent: "claude", token: real, key: ["x-api-key", real] },
  { agent: "codex", token: openai, key: ["authorization", `Bearer ${openai}`], wait },
  {
    agent: "opencode",
    token: real,
    model: "anthropic/claude-sonnet-4-5",
    key: ["x-api-key", real],
  },
  { agent: "codebuff", token: real, key: ["x-api-key", real] },
];

describe.each(rows)("$agent behind the gateway", async ({ agent, token, model, key, wait: waiting }) => {
  const { program, test } = await testsOf(agent);
  let home: DaemonHome;
  let daemon: DaemonProcess;
  if (program !== undefined) {
    beforeAll(async () => {
      const path = await lyingAgent(program.path);
      home = await DaemonHome.make({ args: ["--no-token", "--agent-source", `${agent}=path:${path}`] });
      daemon = await home.start();
    });
    afterAll(() => home.remove());
  }

  const open = async (conversations: ScriptInput["conversations"]) => {
    const llm = await startScriptedLlm({ script: { conversations } });
    onTestFinished(() => llm.close());
    const settings = { agent, token, model, baseUrl: llm.url, directory: home.path, permissionMode: "bypass" };
    const talk = await Conversation.open(daemon.api, settings);
    onTestFinished(() => talk.leave());
    return { llm, talk };
  };
  const requestsIn = (talk: Conversation) =>
    talk.events.flatMap((event) =>
      event.type === "usage.updated" && event.data.request?.state === "settled" ? [event.data.request] : [],
    );

  test("text, tools, a sub-agent, a slow answer, 429, a cut stream, 401 and an interrupt are counted as the provider tells them", async () => {
    const model = new CountedModel();
    const turn = (one: WrittenTurn) => model.turn(one);
    const errand = [
      turn({ tools: [{ name: "run_command", input: { command: "echo errand" } }] }),
      turn({ text: "Done." }),
    ];
    const prompt = (user: string, turns: Turn[]) => ({ match: { user }, each: "prompt" as const, turns });
    const { llm, talk } = await open([
      { match: { header: { "x-openai-subagent": "/./" } }, turns: errand },
      { match: { firstUser: "the errand" }, turns: errand },
      prompt("say it", [turn({ expect: { header: { [key[0]]: `=${key[1]}` } }, text: "Said." })]),
      prompt("do it", [
        turn({ tools: [{ name: "run_command", input: { command: "echo done" } }] }),
        turn({ text: "It is done." }),
      ]),
      prompt("send somebody", [
        turn({ tools: [{ name: "subagent", input: { prompt: "the errand", ...subAgentOf[agent] } }] }),
        ...(waiting ? [turn({ tools: [waiting] })] : []),
        turn({ text: "It came back.", times: "always" }),
      ]),
      prompt("be slow", [
        turn({ text: "At last.", fault: { kind: "stall", atByte: 0, forMs: 1_500, afterwards: "continue" } }),
      ]),
      prompt("not so fast", [{ fault: { kind: "status", status: 429, retryAfter: 0 } }, turn({ text: "Now." })]),
      prompt("break off", [
        { text: "This is a long sentence that breaks off somewhere.", fault: { kind: "drop", atByte: 600 } },
        turn({ text: "Whole again.", times: "always" }),
      ]),
      prompt("who are you", [{ fault: { kind: "status", status: 401 }, times: "always" }]),
      prompt("talk long", [{ text: "word ".repeat(400), pace: { chars: 5, delayMs: 30 }, times: "always" }]),
    ]);

    const ends: Record<string, string> = {};
    for (const message of ["say it", "do it", "send somebody", "be slow", "not so fast", "break off"]) {
      ends[message] = (await talk.say(message)).end.status;
    }
    const { messageId } = await talk.send("talk long");
    const started = await talk.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
    await talk.until("item.delta", () => true, started.sequence);
    await daemon.api.post(`${talk.path}/interrupt`, {});
    ends["talk long"] = (await talk.turnOf(messageId)).end.status;
    ends["who are you"] = (await talk.say("who are you")).end.cause ?? "none";
    expect(ends).toEqual({
      "say it": "completed",
      "do it": "completed",
      "send somebody": "completed",
      "be slow": "completed",
      "not so fast": "completed",
      "break off": "completed",
      "talk long": "interrupted",
      "who are you": "auth_failed",
    });
    const seen = llm.requests().filter(({ path }) => !path.includes("count_tokens")).length;
    // A request is settled shortly after its agent has left it.
    await talk.until("usage.updated", () => requestsIn(talk).length === seen);

    expect(toldBy(requestsIn(talk))).toEqual(model.counts);
    const report = await daemon.api.get<UsageReport>(`${talk.path}/usage`);
    const estimated = requestsIn(talk).filter(({ estimated }) => estimated);
    expect(report.requests).toBe(seen);
    expect(report.estimated).toBe(estimated.length);
    expect(estimated.length).toBeGreaterThanOrEqual(2);
    expect(report.listUsd).toBeGreaterThan(0);
    expect(report.byTurn.reduce((sum, { requests }) => sum + requests, 0)).toBe(report.requests);
    expect(report.byModel.reduce((sum, { requests }) => sum + requests, 0)).toBe(report.requests);
    // Codebuff names no sub-agent on the wire.
    expect(report.bySubAgent.length > 0).toBe(agent !== "codebuff");
    const view = await daemon.api.get<Session>(talk.path);
    expect(view).toMatchObject({ keys: "gateway", wire: { requests: report.requests, listUsd: report.listUsd } });
    expect(llm.failures()).toEqual([]);
    await talk.finish();
  });

  test("the cost of a turn is told", async () => {
    const model = new CountedModel();
    const { talk } = await open([{ turns: [model.turn({ text: "Hello." })] }]);
    const { end } = await talk.say("hello");
    expect(end.wire).toMatchObject(model.counts);
    expect(end.wire?.listUsd).toBeGreaterThan(0);
    expect(end.costUsd).toBeGreaterThan(0);
    // The agent's own word of it is false, or the test would show nothing.
    expect(end.usage?.inputTokens).toBeDefined();
    expect(end.usage?.inputTokens).not.toBe(model.counts.inputTokens);
    await talk.finish();
  });
});

/** Codebuff has no sub-agent for everything. */
const subAgentOf: Partial<Record<TestedAgent, { type: string }>> = { codebuff: { type: "researcher" } };
