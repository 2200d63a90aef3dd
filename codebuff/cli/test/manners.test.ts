import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { PrintModeEvent } from "@muster/codebuff-protocol";
import { Steering } from "@muster/codebuff-sdk";
import { type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Conversation, type TurnEnd } from "../src/run/conversation.ts";
import { manners } from "../src/run/manners.ts";
import { Stopper } from "../src/run/stopper.ts";
import type { GivenFlags } from "../src/run-flags.ts";
import { readRunOptions } from "../src/run-options.ts";
import { done } from "./agent-mode/agent-world.ts";

type MannerName = keyof typeof manners;
const all = Object.keys(manners) as MannerName[];
const isChat = (name: MannerName) => name === "chat";

type Turns = NonNullable<ScriptInput["conversations"]>[number]["turns"];
const call = (name: string, input: Record<string, unknown>) => ({ name, input, native: true });
const writeFileCall = call("write_file", { path: "made.txt", instructions: "make it", content: "made\n" });

interface Place {
  readonly project: string;
  readonly home: string;
  readonly url: string;
}

/** A project, a home and a model that follows a script, for conversations of any manner. */
async function openPlace(turns: Turns): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "codebuff-manners-"));
  const [project, home] = [join(root, "project"), join(root, "home")];
  await Promise.all([mkdir(project), mkdir(home)]);
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  onTestFinished(async () => {
    await llm.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  return { project, home, url: llm.url };
}

/** One conversation there; what it asks is counted and denied. */
async function converse(name: MannerName, { project, home, url }: Place, flags: GivenFlags = {}, hasKey = true) {
  const manner = manners[name];
  const stderr = new PassThrough();
  const asked = { questions: 0, trust: 0 };
  const key = hasKey ? { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url } : {};
  const io = {
    args: [],
    env: { PATH: process.env.PATH, ...key },
    home,
    cwd: project,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    interrupted: new AbortController().signal,
  };
  const options = readRunOptions(flags, [], io);
  const parts = {
    options,
    io,
    manner,
    ask: async () => {
      asked.questions++;
      return { decision: "deny" };
    },
    trust: async () => {
      asked.trust++;
      return false;
    },
  };
  const opened = manner.opens === "at once" ? await Conversation.open(parts) : undefined;
  const conversation = opened?.conversation ?? new Conversation(parts);
  onTestFinished(() => conversation.close());
  let sent = 0;
  const run = (prompt: string, agentMode = false) =>
    conversation.run({
      prompt,
      agentMode,
      messageId: `m${++sent}`,
      settings: options,
      stopper: new Stopper(),
      steering: new Steering(),
    });
  return {
    conversation,
    opened,
    asked,
    run,
    told: () => String(stderr.read() ?? ""),
    async say(prompt: string, agentMode?: boolean): Promise<{ events: PrintModeEvent[]; end: TurnEnd }> {
      const events: PrintModeEvent[] = [];
      const reading = run(prompt, agentMode);
      for (;;) {
        const next = await reading.next();
        if (next.done) return { events, end: next.value };
        events.push(next.value);
      }
    },
  };
}

async function sessionFiles({ home }: Place): Promise<string[]> {
  const names = await readdir(join(home, ".codebuff"), { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.endsWith(".jsonl") && name.includes("sessions"))
    .map((one) => join(home, ".codebuff", one));
}

describe.each(all)("%s", (name) => {
  const manner = manners[name];

  it("waiting: whoever does not read holds the run up, its tools too", async () => {
    const words = Array.from({ length: 200 }, (_, n) => `word ${n} `);
    const place = await openPlace([{ text: words, tools: [writeFileCall] }, { text: "Done." }]);
    const { run } = await converse(name, place, { permissions: "allow" });
    const events = run("go");
    for (let taken = 0; taken < 5; taken++) await events.next();
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    expect(existsSync(join(place.project, "made.txt"))).toBe(false);
    for (let next = await events.next(); !next.done; next = await events.next());
    expect(existsSync(join(place.project, "made.txt"))).toBe(true);
  });

  it(`budget: counts this process alone; used up, a prompt is ${manner.spentBudget}`, async () => {
    const place = await openPlace([{ text: "Dear words.", times: "always" }]);
    const flags = { budget: "0.0001", model: "anthropic/claude-sonnet-4.5" };
    const first = await converse(name, place, flags);
    expect((await first.say("one")).end.status).toBe("completed");
    expect(first.conversation.isSpent).toBe(manner.spentBudget === "not sent");
    expect((await first.say("two")).end.output).toMatchObject({ error: "budget_exceeded" });
    await first.conversation.close();
    const later = await converse(name, place, { ...flags, continue: true });
    expect((await later.say("three")).end.status).toBe("completed");
  });

  it(`opening: its session is there ${manner.opens}`, async () => {
    const place = await openPlace([{ text: "Hello.", times: "always" }]);
    const { say, opened } = await converse(name, place, { sessionId: "mine" });
    expect(await sessionFiles(place)).toHaveLength(isChat(name) ? 0 : 1);
    expect(opened?.id).toBe(isChat(name) ? undefined : "mine");
    await say("hi");
    expect(await sessionFiles(place)).toHaveLength(1);
  });

  it(`opening: that there is no key is found out ${manner.opens}`, async () => {
    const place = await openPlace([{ text: "Hello." }]);
    const opening = converse(name, place, {}, false);
    if (!isChat(name)) return expect(opening).rejects.toMatchObject({ code: "no_credentials", exitCode: 3 });
    expect((await (await opening).say("hi")).end).toMatchObject({ hasRun: false, output: { error: "no_credentials" } });
  });

  it(`context lost: an unknown session is ${manner.lostContext}`, async () => {
    const place = await openPlace([{ text: "Hello." }]);
    const opening = converse(name, place, { continue: "nobody" });
    const lost = { code: "session_not_found", message: "No session nobody" };
    if (manner.lostContext === "begun anew") expect((await opening).opened?.contextLost).toBe(true);
    else if (manner.opens === "at once") await expect(opening).rejects.toMatchObject(lost);
    else await expect((await opening).conversation.continued()).rejects.toMatchObject(lost);
  });

  it("snapshots, notes, recorded terminals: a person's chat has them, a program none", async () => {
    const place = await openPlace([
      { tools: [call("run_terminal_command", { command: "echo hi" })] },
      { text: "Done." },
    ]);
    const { say } = await converse(name, place, { permissions: "allow" });
    expect((await say("go")).end.status).toBe("completed");
    const [file = ""] = await sessionFiles(place);
    expect((await readFile(file, "utf8")).includes('"type":"note"')).toBe(manner.notes);
    expect(existsSync(join(place.home, ".codebuff", "snapshots"))).toBe(manner.snapshots);
    expect(existsSync(join(place.home, ".codebuff", "terminals"))).toBe(manner.keepsTerminals);
    expect([manner.notes, manner.snapshots, manner.keepsTerminals]).toEqual(Array(3).fill(isChat(name)));
  });

  it("trust: only a person can accept what the project brings", async () => {
    const place = await openPlace([{ text: "Hello." }]);
    await mkdir(join(place.project, ".agents"));
    const server = { command: "true", args: [] };
    await writeFile(join(place.project, ".agents", "mcp.json"), JSON.stringify({ mcpServers: { own: server } }));
    const { say, asked } = await converse(name, place);
    const { events } = await say("hi");
    expect(asked.trust > 0).toBe(manner.trust);
    expect(events.filter((event) => event.type === "error").map(({ code }) => code)).toContain("untrusted");
    expect(manner.trust).toBe(isChat(name));
  });

  it("unasked: without --permissions a person's chat asks for an edit, a program makes it", async () => {
    const place = await openPlace([{ tools: [writeFileCall] }, { text: "Done." }]);
    const { say, asked } = await converse(name, place);
    await say("write");
    expect(asked.questions).toBe(isChat(name) ? 1 : 0);
    expect(existsSync(join(place.project, "made.txt"))).toBe(!isChat(name));
  });

  it(`usage log: a use of agent mode that cannot be logged ${manner.failedUsageLog}`, async () => {
    const place = await openPlace([{ text: done("Done."), times: "always" }]);
    await mkdir(join(place.home, ".codebuff"), { recursive: true });
    await writeFile(join(place.home, ".codebuff", "logs"), "in the way");
    const { say, told } = await converse(name, place);
    if (manner.failedUsageLog === "refuses the prompt") {
      await expect(say("look", true)).rejects.toThrow(/EEXIST|ENOTDIR/);
      return;
    }
    expect((await say("look", true)).end.status).toBe("completed");
    await vi.waitFor(() => expect(told()).toContain("the usage log cannot be written"));
  });
});
