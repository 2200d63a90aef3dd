import { appendFile, open, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { historyFaults, type Message } from "@muster/codebuff-protocol";
import { expect, it } from "vitest";
import { freshFolder } from "../../test/fresh-folder.ts";
import { sessionsFolder } from "./places.ts";
import { SessionStore } from "./session-store.ts";

const user = (text: string): Message => ({
  role: "user",
  content: [{ type: "text", text: `<user_message>${text}</user_message>` }],
  tags: ["USER_PROMPT"],
});
const says = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const calls = (toolCallId: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "glob", input: { pattern: "*" } }],
});
const returns = (toolCallId: string): Message => ({
  role: "tool",
  toolName: "glob",
  toolCallId,
  content: [{ type: "json", value: { files: [] } }],
});
const append = (...messages: Message[]) => ({ type: "append", agentId: "main-agent", messages }) as const;

async function freshStore() {
  const home = await freshFolder("home");
  const cwd = await freshFolder("My Project");
  return { store: new SessionStore({ cwd, home }), folder: sessionsFolder(home, cwd), home, cwd };
}

it("keeps a conversation over processes and lists it by its first words", async () => {
  const { store, cwd } = await freshStore();
  const writer = await store.create({ id: "s_1", mode: "DEFAULT" });
  await writer.write({ type: "run", agent: "base2" });
  await writer.write(append(user("fix the test"), says("done")));
  await writer.write({ type: "end", status: "completed", state: { creditsUsed: 3 } });
  await writer.close();

  const restored = await store.restore("s_1");
  expect(restored.messages).toEqual([user("fix the test"), says("done")]);
  expect(restored.state).toEqual({ creditsUsed: 3 });
  expect(restored.interrupted).toBe(false);
  expect(await store.list()).toMatchObject([{ id: "s_1", title: "fix the test", cwd, mode: "DEFAULT" }]);
  expect(await store.latest()).toBe("s_1");
});

it("goes on after a line that a crash tore, wherever it was torn", async () => {
  const { store, folder } = await freshStore();
  const writer = await store.create({ id: "s_1" });
  await writer.write(append(user("ä first")));
  await writer.close();
  const file = join(folder, "s_1.jsonl");
  const whole = (await readFile(file)).length;
  const line = Buffer.from(`${JSON.stringify({ n: 2, at: 1, ...append(says("zweite ü Zeile")) })}\n`);
  for (let bytes = 0; bytes < line.length; bytes++) {
    await truncate(file, whole);
    await appendFile(file, line.subarray(0, bytes));
    expect((await store.restore("s_1")).messages).toEqual([user("ä first")]);
    const again = await store.open("s_1");
    expect(await again.write(append(says("next")))).toBe(2);
    await again.close();
    expect((await store.restore("s_1")).messages).toEqual([user("ä first"), says("next")]);
  }
});

it("gives every call a result after a kill, also to those that only the journal knows", async () => {
  const { store } = await freshStore();
  const writer = await store.create({ id: "s_1" });
  await writer.write({ type: "run", agent: "base2" });
  await writer.write(append(user("go"), calls("c1"), calls("c2"), returns("c1")));
  const c3 = { toolCallId: "c3", toolName: "run_terminal_command", input: { command: "make" } };
  await writer.write({ type: "calls", agentId: "main-agent", calls: [c3] }, { sync: true });
  await writer.close();

  const { messages, interrupted } = await store.restore("s_1");
  expect(interrupted).toBe(true);
  expect(historyFaults(messages)).toEqual([]);
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  expect(results).toEqual(["c1", "c2", "c3"]);
  expect(JSON.stringify(messages.at(-1))).toContain("Interrupted");
});

it("restores from the last replacement of the history, and honours a rewind", async () => {
  const { store } = await freshStore();
  const writer = await store.create({ id: "s_1" });
  await writer.write({ type: "end", status: "completed", state: { creditsUsed: 7 } });
  await writer.write(append(user("old"), says("old answer")));
  await writer.write({ type: "replace", agentId: "main-agent", messages: [user("summary")], reason: "compact" });
  const kept = await writer.write(append(says("after")));
  expect(await store.restore("s_1")).toMatchObject({
    messages: [user("summary"), says("after")],
    state: { creditsUsed: 7 },
  });
  await writer.write(append(user("taken back")));
  await writer.write({ type: "rewind", to: kept });
  await writer.write(append(user("instead")));
  await writer.close();
  expect((await store.restore("s_1")).messages).toEqual([user("summary"), says("after"), user("instead")]);
});

it("brings back what a rewind took away, in whatever order they come", async () => {
  const { store } = await freshStore();
  const writer = await store.create({ id: "s_1" });
  const first = await writer.write(append(user("one"), says("1")));
  await writer.write(append(user("two"), says("2")));
  const all = [user("one"), says("1"), user("two"), says("2")];
  const undone = await writer.write({ type: "rewind", to: first });
  expect((await store.restore("s_1")).messages).toEqual(all.slice(0, 2));
  expect((await store.restore("s_1", { redone: undone })).messages).toEqual(all);
  await writer.write({ type: "redo", rewind: undone });
  expect((await store.restore("s_1")).messages).toEqual(all);
  expect((await store.restore("s_1", { upTo: first })).messages).toEqual(all.slice(0, 2));
  const again = await writer.write({ type: "rewind", to: 0 });
  expect((await store.restore("s_1")).messages).toEqual([]);
  await writer.write({ type: "redo", rewind: again });
  expect((await store.restore("s_1")).messages).toEqual(all);
  await writer.close();
});

it("a page goes back to the beginning of a turn", async () => {
  const { store } = await freshStore();
  const writer = await store.create({ id: "s_1" });
  for (let turn = 0; turn < 3; turn++) {
    await writer.write({ type: "run", agent: "base2" });
    for (let n = 0; n < 5; n++) await writer.write(append(says(`${turn} ${n}`)));
  }
  await writer.close();
  const { entries, before } = await store.page("s_1", { limit: 3, beginsWith: "run" });
  expect(entries.map(({ type }) => type)).toEqual(["run", ...Array.from({ length: 5 }, () => "append")]);
  const earlier = await store.page("s_1", { limit: 8, before, beginsWith: "run" });
  expect(earlier.entries).toHaveLength(12);
  expect(earlier.before).toBeDefined();
});

it("forks at an entry, with its parent in the header and its pictures", async () => {
  const { store } = await freshStore();
  const picture = Buffer.alloc(4_000, 7).toString("base64");
  const shown: Message = { role: "user", content: [{ type: "image", image: picture, mediaType: "image/png" }] };
  const writer = await store.create({ id: "s_1" });
  const first = await writer.write(append(user("one"), shown));
  await writer.write(append(user("two")));
  await writer.close();
  const id = await store.fork("s_1", { upTo: first });
  expect((await store.restore(id)).messages).toEqual([user("one"), shown]);
  expect((await store.restore(id)).header.parent).toEqual({ id: "s_1", upTo: first });
  await store.delete("s_1");
  expect((await store.restore(id)).messages).toEqual([user("one"), shown]);
  expect((await store.list()).map((session) => session.id)).toEqual([id]);
});

it("stores a picture once, outside of the lines", async () => {
  const { store, folder } = await freshStore();
  const picture = Buffer.alloc(300_000, 9).toString("base64");
  const shown: Message = { role: "user", content: [{ type: "image", image: picture, mediaType: "image/png" }] };
  const writer = await store.create({ id: "s_1" });
  await writer.write(append(shown));
  await writer.write(append(shown));
  await writer.close();
  expect((await readFile(join(folder, "s_1.jsonl"))).length).toBeLessThan(2_000);
  expect(await readdir(join(folder, "s_1.files"))).toHaveLength(1);
  expect((await store.restore("s_1")).messages).toEqual([shown, shown]);
});

it("exports Markdown, JSON and a page that stands alone", async () => {
  const { store } = await freshStore();
  const evil = "<script>alert(1)</script> ``` fence";
  const writer = await store.create({ id: "s_1" });
  await writer.write(append(user(evil), calls("c1"), returns("c1"), says("ok & done")));
  await writer.close();
  const markdown = await store.export("s_1", "markdown");
  expect(markdown).toContain("## You");
  expect(markdown).toContain("**glob**");
  const html = await store.export("s_1", "html");
  expect(html).toContain("&lt;script&gt;alert(1)");
  expect(html).not.toMatch(/<script|src="http|href=/);
  expect(html).toContain("ok &amp; done");
  const json = JSON.parse(await store.export("s_1", "json")) as { messages: { message: Message }[] };
  expect(json.messages.map(({ message }) => message)).toEqual([
    user(evil),
    calls("c1"),
    returns("c1"),
    says("ok & done"),
  ]);
});

it("refuses a second writer, an unknown id and an id that is a path", async () => {
  const { store } = await freshStore();
  const writer = await store.create({ id: "s_1" });
  await expect(store.open("s_1")).rejects.toMatchObject({ code: "session_busy" });
  await expect(store.create({ id: "s_1" })).rejects.toMatchObject({ code: "session_busy" });
  await expect(store.delete("s_1")).rejects.toMatchObject({ code: "session_busy" });
  await writer.close();
  await expect(store.create({ id: "s_1" })).rejects.toMatchObject({ code: "session_exists" });
  await expect(store.open("s_2")).rejects.toMatchObject({ code: "session_not_found" });
  await expect(store.open("../s_1")).rejects.toMatchObject({ code: "bad_session_id" });
});

it("takes over the lock of a process that is gone", async () => {
  const { store, folder } = await freshStore();
  await (await store.create({ id: "s_1" })).close();
  await writeFile(join(folder, "s_1.jsonl.lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: "1" }));
  const writer = await store.open("s_1");
  await writer.close();
  expect(await readdir(folder)).toEqual(["s_1.jsonl"]);
});

it("shows the last screen of a session of 50 MB and pages back, reading only the end", async () => {
  const { store, folder } = await freshStore();
  await (await store.create({ id: "s_1" })).close();
  const file = await open(join(folder, "s_1.jsonl"), "a");
  const lines = 5_000;
  const text = "x".repeat(10_000);
  for (let n = 1; n <= lines; n++) {
    await file.appendFile(`${JSON.stringify({ n, at: n, ...append(says(`${n} ${text}`)) })}\n`);
  }
  expect((await file.stat()).size).toBeGreaterThan(50_000_000);
  await file.close();
  const page = await store.page("s_1", { limit: 30 });
  expect(page.entries.map(({ n }) => n)).toEqual(Array.from({ length: 30 }, (_, index) => lines - 29 + index));
  const earlier = await store.page("s_1", { limit: 30, before: page.before });
  expect(earlier.entries.at(-1)?.n).toBe(lines - 30);
  const small = await store.page("s_1", { limit: lines + 10 });
  expect(small.entries).toHaveLength(lines);
  expect(small.before).toBeUndefined();
});
