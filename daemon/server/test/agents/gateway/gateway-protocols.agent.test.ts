import type { UsageReport } from "@muster/schema";
import { describe, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { CountedModel, type WrittenTurn } from "./counted-model.ts";
import { gatewayHome, modelOf, talkTo } from "./gateway-home.ts";
import { lyingAgent } from "./lying-agent.ts";

interface Row {
  agent: "opencode" | "codebuff";
  /** Where the provider takes it. */
  protocol: keyof typeof paths;
  model: string;
  token: string;
  provider?: string;
}

const paths = { responses: /\/responses$/, chat: /\/chat\/completions$/ };

/** What agents speak beside the protocol of their default model; gateway-agents has that in full. */
const rows: readonly Row[] = [
  { agent: "opencode", protocol: "responses", model: "openai/gpt-5.2", token: "sk-real-key-271828182845904523" },
  {
    agent: "opencode",
    protocol: "chat",
    model: "openrouter/anthropic/claude-sonnet-4.5",
    token: "sk-or-real-key-1618033988749894",
  },
  { agent: "codebuff", protocol: "responses", model: "openai/gpt-5.2", token: "sk-real-key-271828182845904523" },
  {
    agent: "codebuff",
    protocol: "chat",
    model: "anthropic/claude-sonnet-4.5",
    token: "sk-or-real-key-1618033988749894",
  },
  {
    agent: "codebuff",
    protocol: "chat",
    model: "google/gemini-2.5-pro",
    token: "AIza-real-key-14142135623730950",
    provider: "gemini",
  },
];

describe.each(rows)(
  "$agent with $model on $protocol behind the gateway",
  async ({ agent, protocol, model, token, provider }) => {
    const { program, test } = await testsOf(agent);

    test("the wire is what the provider counts, a budget holds in a turn of ten requests, and the provider has the real key", async () => {
      const counted = new CountedModel();
      const step: WrittenTurn = { tools: [{ name: "run_command", input: { command: "echo step" } }] };
      const isKey = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) =>
        [headers.authorization, headers["x-api-key"], headers["x-goog-api-key"]].some((value) =>
          value?.includes(token),
        );
      const usage = { input: 4_000, output: 200 };
      let seen = 0;
      const llm = await modelOf([
        {
          match: { user: "do it" },
          each: "prompt",
          turns: [
            (request) => {
              if (isKey(request)) seen++;
              return counted.turn(step)();
            },
            counted.turn({ text: "It is done." }),
          ],
        },
        { match: { user: "once" }, each: "prompt", turns: [{ text: "Once.", usage }] },
        {
          match: { user: "ten times" },
          each: "prompt",
          turns: [
            { ...step, usage, times: 9 },
            { text: "All ten.", usage },
          ],
        },
      ]);
      const { home, daemon } = await gatewayHome({ [agent]: await lyingAgent(program?.path ?? "") });
      const agentOptions = provider === undefined ? {} : { agentOptions: { provider } };
      const settings = { agent, model, token, baseUrl: llm.url, directory: home.path, ...agentOptions };
      const talk = await talkTo(daemon, settings);
      const done = await talk.say("do it");
      expect([done.end.status, done.end.message]).toEqual(["completed", undefined]);
      for (const { path } of llm.requests()) expect(path.split("?")[0]).toMatch(paths[protocol]);
      expect(seen).toBe(1);
      const report = await daemon.api.get<UsageReport>(`${talk.path}/usage`);
      expect(report.requests).toBe(llm.requests().length);
      expect(report.estimated).toBeUndefined();
      expect(done.end.wire).toMatchObject({ requests: 2, ...counted.counts });
      expect(done.end.usage?.inputTokens).not.toBe(counted.counts.inputTokens);
      const price = (await talk.say("once")).end.wire?.listUsd ?? 0;
      expect(price).toBeGreaterThan(0);

      // Room for five requests more, and a half.
      const asked = llm.requests().length;
      const { listUsd } = await daemon.api.get<UsageReport>(`${talk.path}/usage`);
      await daemon.api.ask("PATCH", talk.path, { limits: { budgetUsd: listUsd + price * 5.5 } });
      const cut = await talk.say("ten times");
      expect(cut.end).toMatchObject({ status: "failed", cause: "budget_exceeded" });
      expect(llm.requests().length - asked).toBeGreaterThanOrEqual(3);
      expect(llm.requests().length - asked).toBeLessThanOrEqual(6);
      await talk.finish();
    });
  },
);
