import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { parts } from "../agent-home.ts";
import { mcpServer } from "../mcp-demo.ts";
import { AmpHome, bash } from "./amp-home.ts";

const { amp, test } = await AmpHome.forFile();

test("a permission: once is asked again, always is not, and what is rejected does not run", async () => {
  const session = await amp.begin([
    { tools: [bash("touch once.txt")] },
    { tools: [bash("touch once.txt")] },
    { tools: [bash("touch once.txt")] },
    { tools: [bash("touch never.txt")] },
    { expect: { toolResult: "rejected" }, text: "Done." },
  ]);
  const { messageId } = await session.talk.send("make them");
  const first = await session.talk.until("permission.requested");
  expect(first.data).toMatchObject({
    action: "execute",
    title: "Run touch once.txt",
    detail: { tool: "Bash", command: "touch once.txt" },
    alwaysScope: [{ action: "execute", pattern: "touch once.txt" }],
  });
  await amp.reply(session, first.data.permissionId, "once");
  const second = await session.talk.until("permission.requested", () => true, first.sequence);
  await amp.reply(session, second.data.permissionId, "always");
  const never = await session.talk.until("permission.requested", ({ title }) => title.includes("never"));
  await amp.reply(session, never.data.permissionId, "reject");
  const turn = await session.talk.turnOf(messageId);
  expect(turn).toMatchObject({ text: "Done.", end: { status: "completed" } });
  expect(turn.of("permission.resolved").map(({ by, decision }) => `${decision} by ${by}`)).toEqual([
    "allow by user",
    "allow by user",
    "allow by rule",
    "reject by user",
  ]);
  expect(["once.txt", "never.txt"].map((name) => existsSync(join(session.directory, name)))).toEqual([true, false]);
  expect(parts(turn.of("item.completed"), "tool_result").map(({ isError }) => isError)).toEqual([
    ...[false, false, false],
    true,
  ]);
  await amp.finish(session);
});

test("acceptEdits: files are written without asking and told with their diff, commands are asked for", async () => {
  const directory = await amp.directory();
  const path = join(directory, "new.txt");
  const session = await amp.begin(
    [
      { tools: [{ name: "write_file", input: { path, content: "one\n" } }] },
      { tools: [{ name: "edit_file", input: { path, old: "one", new: "two" } }] },
      { tools: [bash("touch three.txt")] },
      { text: "Written." },
    ],
    { permissionMode: "acceptEdits", directory },
  );
  const { messageId } = await session.talk.send("write");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data.title).toBe("Run touch three.txt");
  await amp.reply(session, asked.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.of("permission.requested")).toHaveLength(1);
  expect(await readFile(path, "utf8")).toBe("two\n");
  expect(parts(turn.of("item.completed"), "file")).toMatchObject([
    { path: "new.txt", action: "write", diff: expect.stringMatching(/^--- a\/new.txt\n[\s\S]*\+one/) },
    { path: "new.txt", action: "patch", diff: expect.stringMatching(/^--- a\/new.txt\n[\s\S]*-one[\s\S]*\+two/) },
  ]);
  await amp.finish(session);
});

test("a todo list, a sub-agent under its call, and a tool of an MCP server with a secret of its own", async () => {
  const program = join(await amp.directory(), "server.mjs");
  await writeFile(program, mcpServer);
  const session = await amp.beginWith(
    {
      conversations: [
        { match: { firstUser: "look inside" }, turns: [{ tools: [bash("echo inner")] }, { text: "Inside." }] },
        {
          turns: [
            { tools: [{ name: "todo", input: { items: [{ text: "one", status: "in_progress" }] } }] },
            { tools: [{ name: "subagent", input: { prompt: "look inside" } }] },
            { tools: [{ name: "mcp__demo__echo", native: true, input: { text: "hi" } }] },
            { expect: { toolResult: "echo: hi s3cret" }, text: "All." },
          ],
        },
      ],
    },
    {
      permissionMode: "bypass",
      mcp: { demo: { command: process.execPath, args: [program], env: { ECHO_SECRET: "s3cret" } } },
    },
  );
  const turn = await session.talk.say("everything");
  expect(turn.text).toBe("Inside.\nAll.");
  expect(turn.of("plan.updated")).toEqual([{ entries: [{ content: "one", status: "in_progress" }] }]);
  const items = turn.of("item.completed").map(({ item }) => item);
  const task = items.find(({ content: [part] }) => part?.type === "tool_call" && part.toolKind === "agent");
  const inner = items.filter(({ parentId }) => parentId !== undefined && parentId === task?.itemId);
  expect(inner.map(({ kind }) => kind)).toEqual(["tool_call", "message"]);
  expect(JSON.stringify(turn.of("item.completed"))).toContain("mcp__demo__echo");
  await amp.finish(session);
});

test("a steering message enters the turn: what runs is cut off, and one turn answers both", async () => {
  const session = await amp.begin([{ tools: [bash("tail -f /dev/null")] }, { text: "Both.", times: "always" }], {
    permissionMode: "bypass",
  });
  const { messageId } = await session.talk.send("wait");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const steering = await session.talk.send("hurry", { delivery: "steer" });
  const turn = await session.talk.turnOf(messageId);
  expect(turn).toMatchObject({ text: "Both.", end: { status: "completed" } });
  const joined = await session.talk.until("message.updated", ({ status }) => status === "joined");
  expect(joined.data.messageId).toBe(steering.messageId);
  expect(amp.processesWith("/dev/null")).toEqual([]);
  await amp.finish(session);
});

test("a picture is refused before anything changes", async () => {
  const session = await amp.begin([{ text: "Seen." }]);
  const events = () => amp.daemon.api.log(session.talk.sessionId);
  // Its start may still be on its way to the log.
  await expect.poll(events, { timeout: 30_000 }).not.toEqual([]);
  const before = await events();
  const picture = { message: "see", attachments: [{ data: "iVBORw0K", mime: "image/png" }] };
  const answer = await amp.daemon.api.request("POST", `${session.talk.path}/messages`, picture);
  expect(answer).toMatchObject({ status: 400, body: { code: "unsupported_option" } });
  expect(await events()).toEqual(before);
  await amp.finish(session);
});

test("settings it does not have are refused before anything is there", async () => {
  const refused = [
    { model: "claude-opus" },
    { variant: "high" },
    { systemPrompt: "Be kind." },
    { permissionMode: "plan" },
    { agentMode: "clever" },
    { env: { AMP_URL: "http://elsewhere" } },
  ];
  for (const settings of refused) {
    const answer = await amp.daemon.api.request("POST", "/sessions/refused", { agent: "amp", ...settings });
    expect([settings, answer]).toMatchObject([settings, { status: 400, body: { code: "unsupported_option" } }]);
  }
  expect((await amp.daemon.api.request("GET", "/sessions/refused")).status).toBe(404);
  const modes = await amp.daemon.api.get<{ modes: { id: string }[] }>("/agents/amp/modes");
  expect(modes.modes.map(({ id }) => id)).toEqual(["free", "rush", "smart"]);
});
