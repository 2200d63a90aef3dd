import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startReplay } from "@muster/scripted-llm";
import { describe, expect, onTestFinished } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { agentsBehindGateway, behindGateway, gatewayHome, modelOf, talkTo } from "./gateway-home.ts";

describe.each(agentsBehindGateway)("a recorded session of %s", async (agent) => {
  const { program, test } = await testsOf(agent);

  test("is the same session again when its records are replayed", async () => {
    const { home, daemon } = await gatewayHome({ [agent]: program?.path ?? "" }, { args: ["--record"] });
    const llm = await modelOf([
      {
        match: { user: "do it" },
        each: "prompt",
        turns: [
          { text: "First a look.", tools: [{ name: "run_command", input: { command: "echo heron" } }] },
          { text: "It is done.", usage: { input: 4_000, output: 200 } },
        ],
      },
      { match: { user: "and again" }, turns: [{ text: "Done again.", usage: { input: 5_000, output: 300 } }] },
    ]);
    const run = async (baseUrl: string) => {
      const talk = await talkTo(daemon, { agent, ...behindGateway[agent], baseUrl, directory: home.path });
      const turns = [await talk.say("do it"), await talk.say("and again")];
      const said = turns.map(({ text, end }) => ({
        text,
        status: end.status,
        requests: end.wire?.requests,
        tokens: [end.wire?.inputTokens, end.wire?.outputTokens],
      }));
      const tools = turns.flatMap((turn) =>
        turn.of("item.completed").flatMap(({ item }) => (item.kind === "tool_call" ? [item.status] : [])),
      );
      return { said, tools };
    };
    const recorded = await run(llm.url);
    expect(recorded.tools).toEqual(["completed"]);
    expect(recorded.said.map(({ text }) => text)).toEqual([expect.stringContaining("It is done."), "Done again."]);
    const records = join(home.dataDirectory, "records");
    const [folder = ""] = await readdir(records);
    const replay = await startReplay({ file: join(records, folder) });
    onTestFinished(() => replay.close());
    expect(await run(replay.url)).toEqual(recorded);
    expect(replay.failures()).toEqual([]);
  });
});
