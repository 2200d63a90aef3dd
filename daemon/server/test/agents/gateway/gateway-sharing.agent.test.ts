import type { AgentInfo } from "@muster/schema";
import { describe, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { CountedModel } from "./counted-model.ts";
import { behindGateway, gatewayHome, modelOf, talkTo } from "./gateway-home.ts";

describe.each(["codex", "opencode"] as const)("two sessions of %s on one server", async (agent) => {
  const { program, test } = await testsOf(agent);

  test("are told apart on the wire, sub-agents included, and a second life goes on with the first key", async () => {
    const { home, daemon } = await gatewayHome({ [agent]: program?.path ?? "" });
    const heron = new CountedModel();
    const otter = new CountedModel();
    const script = (name: string, model: CountedModel) => [
      { match: { user: `errand of ${name}` }, turns: [model.turn({ text: `${name} did it.` })] },
      {
        match: { user: `go ${name}` },
        each: "prompt" as const,
        turns: [
          model.turn({ tools: [{ name: "run_command", input: { command: `echo ${name}` } }] }),
          ...(agent === "opencode"
            ? [model.turn({ tools: [{ name: "subagent", input: { prompt: `errand of ${name}` } }] })]
            : []),
          model.turn({ text: `${name} is done.`, pace: { chars: 2, delayMs: 20 } }),
        ],
      },
      { match: { user: `again ${name}` }, each: "prompt" as const, turns: [model.turn({ text: `${name} again.` })] },
    ];
    const llm = await modelOf([...script("heron", heron), ...script("otter", otter)]);
    const settings = { agent, ...behindGateway[agent], baseUrl: llm.url, directory: home.path };
    const talks = await Promise.all([talkTo(daemon, settings), talkTo(daemon, settings)]);
    const [first, second] = talks;
    const turns = await Promise.all([first.say("go heron"), second.say("go otter")]);
    expect(turns.map(({ end }) => end.wire)).toMatchObject([heron.counts, otter.counts]);
    const { serverStatus } = await daemon.api.get<AgentInfo>(`/agents/${agent}`);
    expect(serverStatus).toEqual({ processes: 1, sessions: 2 });
    // A thread that is still loaded keeps the key it was opened with.
    await daemon.api.post(`${first.path}/terminate`, {});
    expect((await first.say("again heron")).text).toBe("heron again.");
    expect((await first.view()).wire).toMatchObject(heron.counts);
    expect((await second.view()).wire).toMatchObject(otter.counts);
    expect(llm.failures()).toEqual([]);
  });
});
