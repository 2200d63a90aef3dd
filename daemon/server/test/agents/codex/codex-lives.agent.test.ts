import { type Dirent, existsSync, readFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Conversation } from "@muster/conformance";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, onTestFinished } from "vitest";
import { startTimeOf } from "../../daemon-process.ts";
import { commandLineOf, parts } from "../agent-home.ts";
import { CodexHome, fakeKey, run } from "./codex-home.ts";

const { codex, test } = await CodexHome.forFile();

test("an interrupt ends the turn and the command that runs in it", async () => {
  const session = await codex.begin([{ tools: [run("echo $$ > pid; exec sleep 300")] }, { text: "Go on." }], {
    permissionMode: "bypass",
  });
  const { messageId } = await session.talk.send("run it");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const pid = await pidIn(join(session.directory, "pid"));
  expect(startTimeOf(pid)).toBeDefined();
  await codex.daemon.api.post(`${session.talk.path}/interrupt`);
  const turn = await session.talk.turnOf(messageId);
  expect(turn.end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
  await session.talk.until("item.completed", ({ item }) => item.kind === "tool_call");
  await gone(pid);
  expect((await session.talk.say("go on")).text).toBe("Go on.");
  await codex.finish(session);
});

test("an interrupt at the moment a command starts leaves nothing running", async () => {
  const session = await codex.begin([{ tools: [run("echo $$ > pid; exec sleep 300")] }], { permissionMode: "bypass" });
  const { messageId } = await session.talk.send("run it");
  const pid = await pidIn(join(session.directory, "pid"));
  await codex.daemon.api.post(`${session.talk.path}/interrupt`);
  expect((await session.talk.turnOf(messageId)).end.status).toBe("interrupted");
  await gone(pid);
  await codex.finish(session);
});

test("an interrupt while a person is asked ends the question and the turn", async () => {
  // The no to the request may reach the model before the interrupt does.
  const session = await codex.begin([{ tools: [run("touch never.txt")] }, { text: "Go on.", times: "always" }]);
  const { messageId } = await session.talk.send("run it");
  await session.talk.until("permission.requested");
  await codex.daemon.api.post(`${session.talk.path}/interrupt`);
  const turn = await session.talk.turnOf(messageId);
  expect(turn.end.status).toBe("interrupted");
  expect(turn.of("permission.resolved")).toMatchObject([{ decision: "cancelled" }]);
  expect(existsSync(join(session.directory, "never.txt"))).toBe(false);
  expect((await session.talk.say("go on")).text).toBe("Go on.");
  await codex.finish(session);
});

test("an interrupt in the middle of a message keeps what was said", async () => {
  const session = await codex.begin([
    { text: "word ".repeat(400), pace: { chars: 5, delayMs: 25 } },
    { text: "Go on." },
  ]);
  const { messageId } = await session.talk.send("talk");
  await session.talk.until("item.delta");
  await codex.daemon.api.post(`${session.talk.path}/interrupt`);
  const turn = await session.talk.turnOf(messageId);
  expect(turn.end.status).toBe("interrupted");
  const said = turn.of("item.completed").find(({ item }) => item.role === "assistant");
  expect(said?.item.status).toBe("cancelled");
  expect(parts(said ? [said] : [], "text")[0]?.text).toMatch(/^word /);
  // Until the gateway has left it, the scripted model takes the next request for one of another conversation.
  await session.talk.until("usage.updated", ({ request }) => request?.state === "settled");
  expect((await session.talk.say("go on")).text).toBe("Go on.");
  await codex.finish(session);
});

test("a steering message joins the turn that is open", async () => {
  const session = await codex.begin(
    [{ tools: [run("sleep 1; echo waited")] }, { expect: { user: "also this" }, text: "Both done." }],
    { permissionMode: "bypass" },
  );
  const { messageId } = await session.talk.send("do that");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const steered = await session.talk.send("also this", { delivery: "steer" });
  await session.talk.until(
    "message.updated",
    (data) => data.messageId === steered.messageId && data.status === "joined",
  );
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("Both done.");
  expect(turn.end.status).toBe("completed");
  await codex.finish(session);
});

test("a server that is killed ends the lives on it; the next message goes on with the same conversation", async () => {
  const session = await codex.begin(
    [
      { text: "I remember seven." },
      { tools: [run("echo $$ > pid; exec sleep 300")] },
      { expect: { body: "I remember seven." }, text: "Seven." },
    ],
    { permissionMode: "bypass" },
  );
  await session.talk.say("remember seven");
  const { messageId } = await session.talk.send("wait");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const command = await pidIn(join(session.directory, "pid"));
  const { nativeSessionId } = await session.talk.view();
  process.kill(codex.serverOf(command), "SIGKILL");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.end).toMatchObject({ status: "failed", cause: "agent_exited" });
  await session.talk.until(
    "session.ended",
    ({ terminatedBy, signal }) => terminatedBy === "agent" && signal === "SIGKILL",
  );
  await gone(command);
  expect((await session.talk.say("which number?")).text).toBe("Seven.");
  const resumed = await session.talk.until("session.started", (data) => data.resumed);
  expect(resumed.data).toMatchObject({ nativeSessionId });
  expect(resumed.data.contextLost).toBeUndefined();
  await codex.finish(session);
});

test("a server that ends politely in the middle of a turn has ended all the same", async () => {
  const waiting = [{ tools: [run("echo $$ > pid; exec sleep 300")] }];
  const session = await codex.begin(waiting, { permissionMode: "bypass" });
  const { messageId } = await session.talk.send("wait");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  process.kill(codex.serverOf(await pidIn(join(session.directory, "pid"))), "SIGTERM");
  expect((await session.talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "agent_exited" });
  await session.talk.until("session.ended", ({ exitCode }) => exitCode === 0);
  await codex.finish(session);
});

test("what a killed command leaves of its sandbox is removed with the session", async () => {
  const session = await codex.begin([{ tools: [run("touch made.txt; sleep 300")] }]);
  const { messageId } = await session.talk.send("run it");
  const asked = await session.talk.until("permission.requested");
  await codex.reply(session, asked.data.permissionId, "once");
  await exists(join(session.directory, "made.txt"));
  await codex.daemon.api.post(`${session.talk.path}/interrupt`);
  expect((await session.talk.turnOf(messageId)).end.status).toBe("interrupted");
  await session.talk.until("item.completed", ({ item }) => item.kind === "tool_call");
  await codex.daemon.api.post(`${session.talk.path}/terminate`);
  expect(await readdir(session.directory)).toEqual(["made.txt"]);
  await codex.finish(session);
});

test("sessions with different keys have different processes", async () => {
  const llm = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "Hello.", times: "always" }] }] } });
  onTestFinished(() => llm.close());
  const before = new Set(codex.servers());
  const one = await codex.beginOn(llm, { token: "sk-codex-test-one" });
  const two = await codex.beginOn(llm, { token: "sk-codex-test-two" });
  await Promise.all([one.talk.say("hello"), two.talk.say("hello")]);
  expect(codex.servers().filter((pid) => !before.has(pid))).toHaveLength(2);
  await codex.finish(one);
  await codex.finish(two);
});

test("a session that was put to sleep goes on on the same server with its newest settings", async () => {
  const session = await codex.begin([
    { text: "One." },
    { expect: { body: "One." }, tools: [run("touch two.txt")] },
    { text: "Two." },
  ]);
  await session.talk.say("one");
  await codex.daemon.api.post(`${session.talk.path}/terminate`);
  await codex.daemon.api.ask("PATCH", session.talk.path, { permissionMode: "bypass" });
  const turn = await session.talk.say("two");
  expect(turn.text).toBe("Two.");
  expect(turn.of("permission.requested")).toEqual([]);
  await codex.finish(session);
});

test("a session with a new key goes on with its conversation on another server", async () => {
  const session = await codex.begin([{ text: "One." }, { expect: { body: "One." }, text: "Two." }]);
  await session.talk.say("one");
  await codex.daemon.api.ask("PATCH", session.talk.path, { token: "sk-codex-test-0815" });
  const turn = await session.talk.say("two");
  expect(turn.text).toBe("Two.");
  await codex.finish(session);
});

test("a conversation that Codex has lost starts anew and says so", async () => {
  const session = await codex.begin([{ text: "Hello.", times: "always" }]);
  await session.talk.say("one");
  await codex.daemon.api.post(`${session.talk.path}/terminate`);
  for (const pid of codex.servers()) process.kill(pid, "SIGKILL");
  const sessions = join(codex.home.dataDirectory, "homes", "codex", "sessions");
  const { nativeSessionId = "none" } = await session.talk.view();
  for (const file of await filesIn(sessions)) if (file.includes(nativeSessionId)) await rm(file);
  expect((await session.talk.say("two")).text).toBe("Hello.");
  await session.talk.until("session.started", (data) => data.contextLost === true);
  await codex.finish(session);
});

test("eight sessions at once are eight threads of one process", async () => {
  const llm = await startScriptedLlm({
    script: {
      conversations: [
        { turns: [{ tools: [run("echo $PWD > where.txt")] }, { text: "Here.", pace: { chars: 1, delayMs: 20 } }] },
      ],
    },
  });
  onTestFinished(() => llm.close());
  const before = new Set(codex.servers());
  const sessions = await Promise.all(Array.from({ length: 8 }, () => codex.beginOn(llm, { permissionMode: "bypass" })));
  const turns = await Promise.all(sessions.map(({ talk }) => talk.say("go")));
  expect(turns.map(({ text }) => text)).toEqual(sessions.map(() => "Here."));
  const servers = codex.servers().filter((pid) => !before.has(pid));
  expect(servers).toHaveLength(1);
  for (const { directory } of sessions) {
    expect((await readFile(join(directory, "where.txt"), "utf8")).trim()).toBe(directory);
  }
  for (const session of sessions) await codex.finish(session);
});

test("a sub-agent's work is nested under the call that made it, and its commands are asked for", async () => {
  const session = await codex.beginWith(
    {
      conversations: [
        {
          name: "child",
          match: { header: { "x-openai-subagent": "/./" } },
          turns: [{ tools: [run("touch child.txt")] }, { text: "I made it." }],
        },
        {
          name: "main",
          turns: [
            { tools: [{ name: "subagent", input: { prompt: "make a file" } }] },
            {
              tools: [{ name: "wait_agent", native: true, namespace: "collaboration", input: { timeout_ms: 20_000 } }],
            },
            { text: "It is made." },
          ],
        },
      ],
    },
    { model: "gpt-6.1-sol" },
  );
  const { messageId } = await session.talk.send("have a file made");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data).toMatchObject({ action: "execute", title: "Run touch child.txt" });
  await codex.reply(session, asked.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text.endsWith("It is made.")).toBe(true);
  const [spawned] = turn.of("item.started").filter(({ item }) => JSON.stringify(item.content).includes("spawn_agent"));
  expect(spawned?.item).toMatchObject({ kind: "tool_call", background: true });
  const nested = turn.of("item.completed").filter(({ item }) => item.parentId === spawned?.item.itemId);
  expect(nested.map(({ item }) => item.kind)).toEqual(["tool_call", "tool_result", "message"]);
  expect(parts(nested, "text")).toMatchObject([{ text: "I made it." }]);
  expect(existsSync(join(session.directory, "child.txt"))).toBe(true);
  await codex.finish(session);
});

test("no key is on disk, neither in Codex's home nor in the daemon's", async () => {
  const session = await codex.begin([{ text: "Hello." }], { token: "sk-codex-secret-31415" });
  await session.talk.say("hello");
  expect(session.llm.requests()[0]?.headerNames).toContain("authorization");
  for (const file of await filesIn(codex.home.dataDirectory)) {
    const content = await contentOf(file);
    expect(content.includes("sk-codex-secret-31415"), file).toBe(false);
    expect(content.includes(fakeKey), file).toBe(false);
  }
  for (const pid of codex.servers()) expect(commandLineOf(pid)).not.toContain("sk-codex");
  await codex.finish(session);
});

const mcp = {
  demo: { command: process.execPath, args: [fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url))] },
};
const mcpCall = (name: string) => ({ name, native: true, namespace: "mcp__demo", input: { text: "hi" } });

test("the tools of an MCP server are called, and a destructive one is asked for", async () => {
  const session = await codex.begin(
    [
      { tools: [mcpCall("echo")] },
      { tools: [mcpCall("danger")] },
      { expect: { toolResult: "danger: hi" }, text: "Done." },
    ],
    { mcp },
  );
  const { messageId } = await session.talk.send("use them");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data).toMatchObject({
    action: "mcp",
    detail: { tool: "mcp__demo__danger", input: { text: "hi" } },
    alwaysScope: [{ action: "mcp", pattern: "mcp__demo__danger" }],
  });
  await codex.reply(session, asked.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  expect(parts(turn.of("item.completed"), "tool_call").map(({ name }) => name)).toEqual([
    "mcp__demo__echo",
    "mcp__demo__danger",
  ]);
  expect(turn.text).toBe("Done.");
  await codex.finish(session);
});

test("what an MCP server asks for itself is a question with the fields of its form", async () => {
  const session = await codex.begin(
    [{ tools: [mcpCall("ask")] }, { expect: { toolResult: ["Ann", "7"] }, text: "Hello Ann." }],
    { mcp },
  );
  const { messageId } = await session.talk.send("ask me");
  const asked = await session.talk.until("question.requested");
  // Codex passes the fields on in the order of their names.
  expect(asked.data.questions).toMatchObject([
    { id: "age", type: "number", question: "Who are you?" },
    { id: "name", type: "string" },
  ]);
  const answers = { answers: [["7"], ["Ann"]] };
  await codex.daemon.api.post(`${session.talk.path}/questions/${asked.data.questionId}/reply`, answers);
  expect((await session.talk.turnOf(messageId)).text).toBe("Hello Ann.");
  await codex.finish(session);
});

test("a daemon that was killed and started again goes on with the conversation", async () => {
  const session = await codex.begin([{ text: "I remember nine." }, { expect: { body: "nine" }, text: "Nine." }]);
  await session.talk.say("remember nine");
  await codex.home.kill();
  await session.talk.over();
  const daemon = await codex.restart();
  expect(codex.servers()).toEqual([]);
  const talk = new Conversation(daemon.api, session.talk.sessionId);
  onTestFinished(() => talk.leave());
  expect(await talk.view()).toMatchObject({ needsCredentials: ["token"] });
  await daemon.api.ask("PATCH", talk.path, { token: fakeKey });
  expect((await talk.say("which number?")).text).toBe("Nine.");
  await codex.finish({ ...session, talk });
});

async function pidIn(path: string): Promise<number> {
  for (const giveUpAt = Date.now() + 30_000; ; ) {
    const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
    if (text !== "") return Number(text);
    if (Date.now() > giveUpAt) throw new Error(`Nothing in ${path}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function exists(path: string): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; !existsSync(path); ) {
    if (Date.now() > giveUpAt) throw new Error(`There is no ${path}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function gone(pid: number): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; startTimeOf(pid) !== undefined; ) {
    if (Date.now() > giveUpAt) throw new Error(`Process ${pid} still runs`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The files below a folder. A folder that is removed meanwhile has none: Codex clones its plugins into temporary folders. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfRemoved<Dirent[]>([]));
  const found = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The bytes of a file, none if it has been removed since it was listed. */
function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch(noneIfRemoved(Buffer.alloc(0)));
}

function noneIfRemoved<T>(none: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return none;
    throw error;
  };
}
