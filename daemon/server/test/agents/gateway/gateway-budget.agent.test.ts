import type { Session, UsageReport } from "@muster/schema";
import { describe, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { agentsBehindGateway, behindGateway, gatewayHome, modelOf, talkTo } from "./gateway-home.ts";

const usage = { input: 4_000, output: 200 };

describe.each(agentsBehindGateway)("the budget of %s", async (agent) => {
  const { program, test } = await testsOf(agent);

  test("holds in the middle of a turn with ten requests, and a higher one lets it go on", async () => {
    const { home, daemon } = await gatewayHome({ [agent]: program?.path ?? "" });
    const step = { tools: [{ name: "run_command", input: { command: "echo step" } }], usage };
    const llm = await modelOf([
      { match: { user: "once" }, each: "prompt", turns: [{ text: "Once.", usage }] },
      {
        match: { user: "ten times" },
        each: "prompt",
        turns: [
          { ...step, times: 9 },
          { text: "All ten.", usage },
        ],
      },
      { match: { user: "go on" }, each: "prompt", turns: [{ text: "On.", usage }] },
    ]);
    const settings = { agent, ...behindGateway[agent], baseUrl: llm.url, directory: home.path };
    const talk = await talkTo(daemon, settings);
    const once = await talk.say("once");
    const price = once.end.wire?.listUsd ?? 0;
    expect(price).toBeGreaterThan(0);

    // Room for five requests more, and a half.
    const budgetUsd = price * 6.5;
    await daemon.api.ask("PATCH", talk.path, { limits: { budgetUsd } });
    const cut = await talk.say("ten times");
    expect(cut.end).toMatchObject({ status: "failed", cause: "budget_exceeded" });
    expect(cut.end.message).toContain("The budget of this session is used up");
    const asked = llm.requests().length;
    // A request whose input would not fit by what the ones before told is not let in.
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(asked).toBeLessThanOrEqual(7);
    const report = await daemon.api.get<UsageReport>(`${talk.path}/usage`);
    expect(report.requests).toBe(asked);
    expect(report.listUsd).toBeLessThanOrEqual(budgetUsd + price);
    expect(cut.of("budget.warned")).toMatchObject([{ budgetUsd }]);

    await daemon.api.ask("PATCH", talk.path, { limits: { budgetUsd: 1_000 } });
    const on = await talk.say("go on");
    expect(on.end).toMatchObject({ status: "completed", wire: { requests: 1 } });
    await talk.finish();
  });
});

describe("a daemon that is killed", async () => {
  const { program, test } = await testsOf("codex");

  test("counts what it had forwarded, and says what it knows only by estimate", async () => {
    const { home, daemon } = await gatewayHome({ codex: program?.path ?? "" });
    const llm = await modelOf([
      { match: { user: "one" }, each: "prompt", turns: [{ text: "One.", usage }] },
      { match: { user: "two" }, turns: [{ text: "word ".repeat(2_000), pace: { chars: 5, delayMs: 50 }, usage }] },
    ]);
    const settings = { agent: "codex", ...behindGateway.codex, baseUrl: llm.url, directory: home.path };
    const talk = await talkTo(daemon, settings);
    const { wire } = (await talk.say("one")).end;
    expect(wire).toMatchObject({ requests: 1, inputTokens: usage.input, outputTokens: usage.output });
    await talk.send("two");
    const begun = await talk.until("usage.updated", ({ request }) => request?.state === "open", talk.events.length);
    await talk.until("item.delta", () => true, begun.sequence);
    await daemon.kill("SIGKILL");
    const next = await home.start();
    const report = await next.api.get<UsageReport>(`${talk.path}/usage`);
    const reserved = begun.data.request;
    expect(report).toMatchObject({ requests: 2, estimated: 1 });
    expect(report.open).toBeUndefined();
    expect(report.tokens.input).toBe(usage.input + (reserved?.inputTokens ?? 0));
    expect(report.listUsd).toBeCloseTo((wire?.listUsd ?? 0) + (reserved?.listUsd ?? 0), 9);
    const log = await next.api.log(talk.sessionId);
    const told = log.findLast(({ type }) => type === "usage.updated");
    expect(told?.data).toMatchObject({
      request: { requestId: reserved?.requestId, state: "settled", estimated: true },
    });
    const ended = log.findLast(({ type }) => type === "turn.ended");
    expect(ended?.data).toMatchObject({ cause: "daemon_restarted", wire: { requests: 1, estimated: 1 } });
    expect((await next.api.get<Session>(talk.path)).wire).toMatchObject({ requests: 2, estimated: 1 });
  });
});
