import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { HandedOver } from "@muster/schema";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { everyAgent } from "./every-agent.ts";
import { testsOf } from "./installed-agent.ts";

const agents = ["claude", "codex", "opencode", "codebuff"] as const;
const programs = await Promise.all(agents.map(async (agent) => ({ agent, ...(await testsOf(agent)) })));

let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  const sources = programs.flatMap(({ agent, program }) =>
    program === undefined ? [] : ["--agent-source", `${agent}=path:${program.path}`],
  );
  home = await DaemonHome.make({ args: ["--no-token", ...sources] });
  daemon = await home.start();
});
afterAll(() => home.remove());

const script: ScriptInput = {
  conversations: [
    { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" }] },
    {
      match: { user: "/after the hand-over/" },
      turns: [{ text: "I go on.", times: "always" }],
    },
    {
      turns: [
        { tools: [{ name: "run_command", input: { command: "echo TOOL-1-FACT" } }] },
        { text: "MODEL-1-FACT" },
        { text: "MODEL-2-FACT" },
        { text: "DONE", times: "always" },
      ],
    },
  ],
};

/** Everything that is said in one message of a request, whatever the protocol calls its parts. */
function messagesOf(body: unknown): string[] {
  const { messages, input } = body as { messages?: unknown[]; input?: unknown[] };
  return (messages ?? input ?? []).map((message) => JSON.stringify(message));
}

function askedWith(llm: ScriptedLlm, words: string): unknown {
  return llm.requests().find(({ body }) => JSON.stringify(body).includes(words))?.body;
}

describe.each(programs)("$agent hands over", ({ agent: from, test: testFrom }) => {
  for (const { agent: to, test: testTo } of programs) {
    if (from === to) continue;
    const test = testFrom === undefined ? testFrom : testTo;
    test?.(`to ${to}, which has the turns as its own and nothing of what was rewound`, async () => {
      const llm = await startScriptedLlm({ script });
      onTestFinished(() => llm.close());
      const directory = await mkdtemp(join(home.path, "work-"));
      const body = { agent: from, directory, baseUrl: llm.url, permissionMode: "bypass", ...everyAgent[from].settings };
      const talk = await Conversation.open(daemon.api, body);
      await talk.say("Remember PERSON-1-FACT");
      await talk.say("Remember PERSON-2-FACT");
      await daemon.api.post(`${talk.path}/rewind`, { to: 1, files: false, chat: true });
      const handed = await daemon.api.post<HandedOver>(`${talk.path}/hand-over`, {
        agent: to,
        baseUrl: llm.url,
        ...everyAgent[to].settings,
      });
      expect(handed.how).toBe("imported");
      const turn = await talk.say("Now after the hand-over");
      expect(turn.end.status).toBe("completed");
      expect(await talk.view()).toMatchObject({ agent: to });
      const asked = messagesOf(askedWith(llm, "after the hand-over"));
      const at = (words: string) => asked.findIndex((message) => message.includes(words));
      const [person, call, result, model, now] = [
        at("PERSON-1-FACT"),
        asked.findIndex((message) => message.includes("echo TOOL-1-FACT")),
        asked.findIndex((message) => message.includes("TOOL-1-FACT") && !message.includes("echo TOOL-1-FACT")),
        at("MODEL-1-FACT"),
        at("after the hand-over"),
      ];
      // Each a message of its own, in their order.
      const places = [person, call, result, model, now];
      expect(places.every((place) => place >= 0)).toBe(true);
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(new Set(places).size).toBe(places.length);
      expect(JSON.stringify(asked)).not.toMatch(/PERSON-2-FACT|MODEL-2-FACT/);
      await talk.leave();
      await daemon.api.ask("DELETE", talk.path);
    });
  }
});

describe("an agent that stores no history of others", () => {
  const [codebuff] = programs.filter(({ agent }) => agent === "codebuff");
  codebuff?.test?.("is told of the conversation with its first message", async () => {
    const llm = await startScriptedLlm({ script });
    onTestFinished(() => llm.close());
    const directory = await mkdtemp(join(home.path, "work-"));
    const body = { agent: "codebuff", directory, baseUrl: llm.url, ...everyAgent.codebuff.settings };
    const talk = await Conversation.open(daemon.api, { ...body, permissionMode: "bypass" });
    await talk.say("Remember PERSON-1-FACT");
    const handed = await daemon.api.post<HandedOver>(`${talk.path}/hand-over`, { agent: "mock" });
    expect(handed.how).toBe("digest");
    await talk.say("first words to the mock");
    const told = await talk.say("history");
    expect(told.text).toContain("PERSON-1-FACT");
    expect(told.text).toContain("first words to the mock");
    await talk.leave();
    await daemon.api.ask("DELETE", talk.path);
  });
});
