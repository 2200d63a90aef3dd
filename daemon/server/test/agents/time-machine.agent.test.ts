import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import { sendSignal } from "@muster/node";
import type { ForkedSessions } from "@muster/schema";
import type { ScriptedLlm, ScriptInput } from "@muster/scripted-llm";
import { describe, expect } from "vitest";
import { AgentHome, type Talk } from "./agent-home.ts";
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
function scriptOf(turns: number): ScriptInput {
  const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
  const answers = Array.from({ length: turns }, (_, index) => answersOf(index + 1)).flat();
  return { conversations: [asides, { turns: [...answers, { text: "DONE", times: "always" }] }] };
}

/** The facts of which turns the model was told with what first had these words. */
function heard(llm: ScriptedLlm, marker: string): number[] {
  const asked = llm.requests().find(({ body }) => JSON.stringify(body).includes(marker));
  const text = JSON.stringify(asked?.body ?? "");
  return [1, 2, 3, 4].filter((turn) => factsOf(turn).some((fact) => text.includes(fact)));
}

/** All of them, not one of three. */
function knowsWhole(llm: ScriptedLlm, marker: string, turn: number): boolean {
  const asked = llm.requests().find(({ body }) => JSON.stringify(body).includes(marker));
  return factsOf(turn).every((fact) => JSON.stringify(asked?.body ?? "").includes(fact));
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

  // Of the four Claude is the one that a message tells to compact.
  const testOfClaude = agent === "claude" ? test : undefined;
  testOfClaude?.("is rewound behind a compaction", async () => {
    const session = await begin(3);
    const { talk, llm } = session;
    await talk.say("/compact");
    await talk.say("ASK-AFTER-COMPACTION");
    expect(knowsWhole(llm, "ASK-AFTER-COMPACTION", 1)).toBe(false);
    await home.daemon.api.post(`${talk.path}/rewind`, { to: 2, ...chat });
    await talk.say("ASK-BEHIND-IT");
    expect(heard(llm, "ASK-BEHIND-IT")).toEqual([1, 2]);
    expect(knowsWhole(llm, "ASK-BEHIND-IT", 1)).toBe(true);
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
