import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import { sendSignal } from "@muster/node";
import type { ForkedSessions } from "@muster/schema";
import type { ScriptedLlm, ScriptInput } from "@muster/scripted-llm";
import { describe, expect } from "vitest";
import { AgentHome, type Talk, type Turns } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";

const agents = ["claude", "codex", "opencode", "codebuff"] as const;

/** A turn tells its fact three times: by the person, in a call with its result, and by the model. */
const factsOf = (turn: number) => [`PERSON-${turn}-FACT`, `TOOL-${turn}-FACT`, `MODEL-${turn}-FACT`];
const promptOf = (turn: number) => `Remember PERSON-${turn}-FACT`;
const answersOf = (turn: number) => [
  { tools: [{ name: "run_command", input: { command: `echo TOOL-${turn}-FACT` } }] },
  { text: `MODEL-${turn}-FACT` },
];

/** Titles and the like are asked for without tools, and answered apart. */
function scriptOf(turns: number, more: Turns = []): ScriptInput {
  const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
  const answers = Array.from({ length: turns }, (_, index) => answersOf(index + 1)).flat();
  return { conversations: [asides, { turns: [...answers, ...more, { text: "DONE", times: "always" }] }] };
}

/** How each is made to compact: by its command, a context that is said to be full, one that is refused, one that is full. */
const compactions: Readonly<Record<(typeof agents)[number], { prompt: string; answers?: Turns }>> = {
  claude: { prompt: "/compact" },
  codex: { prompt: "Read it all", answers: [{ text: "It is long", usage: { input: 5_000_000, output: 1 } }] },
  opencode: {
    prompt: "Read it all",
    answers: [
      { fault: { kind: "status", status: 400, message: "prompt is too long: 300000 tokens > 200000 maximum" } },
    ],
  },
  codebuff: { prompt: `Read it all: ${"every word of it. ".repeat(45_000)}` },
};

/** The first request that has these words. */
function asked(llm: ScriptedLlm, marker: string): string {
  const bodies = llm.requests().map(({ body }) => JSON.stringify(body));
  return bodies.find((body) => body.includes(marker)) ?? "";
}

/** The facts of which turns the model was told with what first had these words. */
function heard(llm: ScriptedLlm, marker: string): number[] {
  const text = asked(llm, marker);
  return [1, 2, 3, 4].filter((turn) => factsOf(turn).some((fact) => text.includes(fact)));
}

/** All of them, not one of three. */
function knowsWhole(llm: ScriptedLlm, marker: string, turn: number): boolean {
  const text = asked(llm, marker);
  return factsOf(turn).every((fact) => text.includes(fact));
}

const chat = { files: false, chat: true };

describe.each(agents)("%s", async (agent) => {
  const { settings } = everyAgent[agent];
  const home = new AgentHome(agent, settings, { snapshots: true });
  const test = await home.forFile();

  async function begin(turns: number): Promise<Talk> {
    const session = await home.beginWith(scriptOf(turns), { permissionMode: "bypass" });
    for (let turn = 1; turn <= turns; turn++) await session.talk.say(promptOf(turn));
    return session;
  }

  test("goes on after a rewind without what was rewound, and with it again after an undo", async () => {
    const session = await begin(4);
    const { talk, llm } = session;
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 2, ...chat });
    await talk.say("ASK-AFTER-REWIND");
    expect(heard(llm, "ASK-AFTER-REWIND")).toEqual([1, 2]);
    expect([1, 2].every((turn) => knowsWhole(llm, "ASK-AFTER-REWIND", turn))).toBe(true);
    // A second rewind stands on the first: the places of the turns that were kept hold in it too.
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 1, ...chat });
    await home.daemon.api.post(`${talk.path}/rewind/undo`, {});
    await talk.say("ASK-AFTER-UNDO");
    expect(heard(llm, "ASK-AFTER-UNDO")).toEqual([1, 2]);
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 1, ...chat });
    await talk.say("ASK-AT-ONE");
    expect(heard(llm, "ASK-AT-ONE")).toEqual([1]);
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 0, ...chat });
    await talk.say("ASK-AT-ZERO");
    expect(heard(llm, "ASK-AT-ZERO")).toEqual([]);
    const log = await home.daemon.api.log(talk.sessionId);
    expect(log.filter((event) => "contextLost" in event.data && event.data.contextLost)).toEqual([]);
    await home.finish(session);
  });

  test("keeps a rewind over kill -9 of itself and its daemon at once", async () => {
    const session = await begin(3);
    const { talk, llm } = session;
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 1, ...chat });
    // A process of one that was just killed may be gone already.
    for (const pid of home.home.agents()) sendSignal(pid, "SIGKILL");
    await home.daemon.kill("SIGKILL");
    await home.restart();
    await home.daemon.api.ask("PATCH", talk.path, { token: settings.token });
    const again = new Conversation(home.daemon.api, talk.sessionId);
    await again.say("ASK-AFTER-KILL");
    expect(heard(llm, "ASK-AFTER-KILL")).toEqual([1]);
    expect(knowsWhole(llm, "ASK-AFTER-KILL", 1)).toBe(true);
    await home.finish({ ...session, talk: again });
  });

  test("is not rewound while a permission waits, unless that is ended first", async () => {
    const texts = [1, 2].map((turn) => ({ text: `MODEL-${turn}-FACT` }));
    const asks = { tools: [{ name: "run_command", input: { command: "touch TOOL-3-FACT" } }] };
    const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
    const turns = [...texts, asks, { text: "DONE", times: "always" as const }];
    const session = await home.beginWith({ conversations: [asides, { turns }] }, { permissionMode: "default" });
    const { talk, llm } = session;
    for (const turn of [1, 2]) await talk.say(promptOf(turn));
    await talk.send(promptOf(3));
    await talk.until("permission.requested");
    const busy = await home.daemon.api.request("POST", `${talk.path}/rewind`, { to: 2, ...chat });
    expect(busy).toMatchObject({ status: 409, body: { code: "session_busy" } });
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 2, ...chat, interrupt: true });
    await talk.say("ASK-AFTER-PERMISSION");
    expect(heard(llm, "ASK-AFTER-PERMISSION")).toEqual([1, 2]);
    await home.finish(session);
  });

  test("is rewound behind a compaction", async () => {
    const session = await home.beginWith(scriptOf(3, compactions[agent].answers), { permissionMode: "bypass" });
    const { talk, llm } = session;
    for (const turn of [1, 2, 3]) await talk.say(promptOf(turn));
    await talk.say(compactions[agent].prompt);
    await talk.say("ASK-AFTER-COMPACTION");
    // A summary of Codebuff has the facts, which are short; of the others it is what the scripted model says.
    if (agent === "codebuff") expect(asked(llm, "ASK-AFTER-COMPACTION")).toContain("<conversation_summary>");
    else expect(knowsWhole(llm, "ASK-AFTER-COMPACTION", 1)).toBe(false);
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 2, ...chat });
    await talk.say("ASK-BEHIND-IT");
    expect(heard(llm, "ASK-BEHIND-IT")).toEqual([1, 2]);
    expect([1, 2].every((turn) => knowsWhole(llm, "ASK-BEHIND-IT", turn))).toBe(true);
    expect(asked(llm, "ASK-BEHIND-IT")).not.toContain("<conversation_summary>");
    await talk.leave();
  });

  test("forks after a turn, and both go on, in its directory and in another one", async () => {
    const session = await begin(3);
    const { talk, llm } = session;
    const { sessions } = await home.daemon.api.post<ForkedSessions>(`${talk.path}/fork`, { at: 2 });
    const fork = new Conversation(home.daemon.api, sessions[0]?.session.sessionId ?? "");
    await fork.say("ASK-IN-FORK");
    await talk.say("ASK-IN-SOURCE");
    expect(heard(llm, "ASK-IN-FORK")).toEqual([1, 2]);
    expect(heard(llm, "ASK-IN-SOURCE")).toEqual([1, 2, 3]);
    const directory = join(home.home.path, `elsewhere-${agent}`);
    const { sessions: others } = await home.daemon.api.post<ForkedSessions>(`${talk.path}/fork`, { at: 1, directory });
    const other = new Conversation(home.daemon.api, others[0]?.session.sessionId ?? "");
    await other.say("ASK-ELSEWHERE");
    expect(heard(llm, "ASK-ELSEWHERE")).toEqual([1]);
    expect(knowsWhole(llm, "ASK-ELSEWHERE", 1)).toBe(true);
    const log = await home.daemon.api.log(other.sessionId);
    expect(log.filter((event) => "contextLost" in event.data && event.data.contextLost)).toEqual([]);
    await other.leave();
    await fork.leave();
    await home.finish(session);
  });
});
