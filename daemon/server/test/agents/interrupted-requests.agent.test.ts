import { expect } from "vitest";
import { AgentHome } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";

const rounds = 8;

/** OpenCode is not among them: it has no such no, and on a busy machine asks once more in some eight interrupts. */
const agents = ["claude", "codex", "codebuff"] as const;

for (const agent of agents) {
  const home = new AgentHome(agent, everyAgent[agent].settings);
  const test = await home.forFile();
  test(`an interrupt while ${agent} waits for a permission lets it ask its model nothing more`, async () => {
    const command = { name: "run_command", input: { command: "touch never.txt" } };
    const turns = Array.from({ length: rounds }, (_, at) => [
      { match: { user: `make it ${at}` }, tools: [command] },
      { match: { user: `again ${at}` }, text: `After ${at}.` },
    ]).flat();
    const late = { text: "Nobody hears this.", times: "always" as const };
    const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
    const session = await home.beginWith({ conversations: [asides, { turns: [...turns, late] }] });
    const { talk, llm } = session;
    const asked = () => llm.requests().filter(({ body }) => !isAside(body)).length;
    const counts: number[] = [];
    for (let at = 0; at < rounds; at++) {
      const { messageId } = await talk.send(`make it ${at}`);
      const { sequence } = await talk.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
      await talk.until("permission.requested", () => true, sequence);
      const before = asked();
      await home.daemon.api.post(`${talk.path}/interrupt`);
      expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
      expect((await talk.say(`again ${at}`)).text).toBe(`After ${at}.`);
      counts.push(asked() - before);
    }
    // One request for each message that came after the interrupt.
    expect(counts).toEqual(counts.map(() => 1));
    await home.finish(session);
  });
}

/** Titles and summaries are asked for without tools; Codex, which asks for none, has its tools elsewhere. */
function isAside(body: unknown): boolean {
  const { tools, input } = Object(body) as { tools?: unknown; input?: unknown };
  return input === undefined && !(Array.isArray(tools) && tools.length > 0);
}
