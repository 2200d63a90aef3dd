import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import { afterAll, beforeAll, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { OpencodeDaemon } from "./opencode-home.ts";

const run = (command: string) => ({ name: "run_command", input: { command } });

const { program, test: it } = await testsOf("opencode");
let opencode: OpencodeDaemon;
beforeAll(async () => {
  if (program === undefined) return;
  opencode = await OpencodeDaemon.start([
    {
      match: { firstUser: "where are you" },
      turns: [{ tools: [run("pwd > where.txt; sleep 1; pwd")] }, { text: "Here." }],
    },
    {
      match: { firstUser: "remember the number 41" },
      turns: [
        { text: "I remember." },
        { text: "word ".repeat(400), pace: { chars: 5, delayMs: 50 } },
        { expect: { body: "number 41" }, text: "It is 41." },
      ],
    },
    {
      match: { firstUser: "keep working" },
      turns: [{ tools: [run("echo begun; sleep 300")] }, { text: "Where was I?" }],
    },
  ]);
});
afterAll(async () => {
  if (program === undefined) return;
  await opencode.remove();
});

it("two directories at once share one server and do not meet", async () => {
  const directories = [await opencode.directory(), await opencode.directory()];
  const talks = await Promise.all(
    directories.map((directory) => opencode.open({ directory, permissionMode: "bypass" })),
  );
  expect(await opencode.daemon.api.get("/agents/opencode")).toMatchObject({
    serverStatus: { processes: 1, sessions: 2 },
  });
  const turns = await Promise.all(talks.map((talk) => talk.say("where are you")));
  expect(turns.map(({ text }) => text)).toEqual(["Here.", "Here."]);
  for (const directory of directories) {
    expect(await readFile(join(directory, "where.txt"), "utf8")).toBe(`${directory}\n`);
  }
  for (const talk of talks) await talk.finish();
});

it("after kill -9 of the server in the middle of a text the session goes on and knows what was said", async () => {
  const talk = await opencode.open();
  expect((await talk.say("remember the number 41")).text).toBe("I remember.");
  const { messageId } = await talk.send("tell a long story");
  await talk.until("item.delta", () => true, talk.events.at(-1)?.sequence);
  for (const pid of opencode.home.agents()) process.kill(pid, "SIGKILL");
  expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "agent_exited" });
  expect((await talk.say("which number")).text).toBe("It is 41.");
  const started = talk.events.filter(({ type }) => type === "session.started").map(({ data }) => data);
  expect(started).toMatchObject([{ resumed: false }, { resumed: true }]);
  expect(started[1]).not.toHaveProperty("contextLost");
  await talk.finish();
});

it("kill -9 in the middle of a command leaves no command behind", async () => {
  const talk = await opencode.open({ permissionMode: "bypass" });
  const { messageId } = await talk.send("keep working");
  await talk.until("item.delta", ({ part }) => part === "output");
  const [server] = opencode.home.agents();
  if (server === undefined) throw new Error("No server of OpenCode runs");
  process.kill(server, "SIGKILL");
  expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "agent_exited" });
  await expect.poll(() => opencode.home.agents(), { timeout: 20_000 }).toEqual([]);
  expect((await talk.say("and now")).text).toBe("Where was I?");
  await talk.finish();
});

it("a session survives the end of the daemon", async () => {
  const talk = await opencode.open();
  expect((await talk.say("remember the number 41")).text).toBe("I remember.");
  await opencode.daemon.kill("SIGTERM");
  expect(opencode.home.agents()).toEqual([]);
  opencode.daemon = await opencode.home.start();
  const { api } = opencode.daemon;
  const again = new Conversation(api, talk.sessionId);
  await api.ask("PATCH", again.path, { token: "sk-fake-another" });
  const { messageId } = await again.send("a story");
  await again.until("item.delta", () => true, talk.events.at(-1)?.sequence);
  await api.post(`${again.path}/interrupt`, {});
  await again.turnOf(messageId);
  expect((await again.say("which number")).text).toBe("It is 41.");
  await again.finish();
});
