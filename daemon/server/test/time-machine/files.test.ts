import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { ForkedSessions, Rewound, SessionChanges } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
let directory: string;
beforeEach(async () => {
  home = await DaemonHome.make({ snapshots: true });
  daemon = await home.start();
  directory = await mkdtemp(join(home.path, "work-"));
  await writeFile(join(directory, "note.txt"), "at the beginning\n");
});
afterEach(() => home.remove());

const read = (name: string) => readFile(join(directory, name), "utf8");
const isThere = (name: string) =>
  stat(join(directory, name)).then(
    () => true,
    () => false,
  );

/** A turn in which these files are written, as a command of the agent would. */
async function turnThatWrites(talk: Conversation, files: Record<string, string>): Promise<void> {
  const { messageId } = await talk.send("permission make");
  const { sequence } = await talk.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
  const { permissionId } = (await talk.until("permission.requested", () => true, sequence)).data;
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  await daemon.api.post(`${talk.path}/permissions/${permissionId}/reply`, { reply: "once" });
  await talk.turnOf(messageId);
}

async function talkOf(...turns: Record<string, string>[]): Promise<Conversation> {
  const talk = await Conversation.open(daemon.api, { directory });
  for (const files of turns) await turnThatWrites(talk, files);
  return talk;
}

it("a rewind takes the files back with the conversation, and an undo brings both again", async () => {
  const talk = await talkOf({ "note.txt": "one\n" }, { "note.txt": "two\n", "new.txt": "new\n" });
  const preview = await daemon.api.post<Rewound>(`${talk.path}/rewind`, { to: 1, preview: true });
  expect(preview.changes.map(({ path, change }) => [path, change]).sort()).toEqual([
    ["new.txt", "removed"],
    ["note.txt", "restored"],
  ]);
  expect(await read("note.txt")).toBe("two\n");
  const { undo, changes, turns } = await daemon.api.post<Rewound>(`${talk.path}/rewind`, { to: 1 });
  expect(changes.map(({ path }) => path).sort()).toEqual(["new.txt", "note.txt"]);
  expect(turns).toEqual(["turn_2"]);
  expect([await read("note.txt"), await isThere("new.txt")]).toEqual(["one\n", false]);
  await daemon.api.post(`${talk.path}/rewind/undo`, { undo });
  expect([await read("note.txt"), await read("new.txt")]).toEqual(["two\n", "new\n"]);
  expect((await talk.say("history")).text.match(/permission make/g)).toHaveLength(2);
  await talk.finish();
});

it("a rewind of the files alone leaves the conversation, and to the beginning is before the first turn", async () => {
  const talk = await talkOf({ "note.txt": "one\n", "new.txt": "new\n" });
  const rewound = await daemon.api.post<Rewound>(`${talk.path}/rewind`, { to: 0, files: true });
  expect(rewound.turns).toEqual([]);
  expect([await read("note.txt"), await isThere("new.txt")]).toEqual(["at the beginning\n", false]);
  expect((await talk.say("history")).text).toContain("permission make");
  await talk.finish();
});

it("a file that a person changed since is a conflict: nothing is done until it is named", async () => {
  const talk = await talkOf({ "note.txt": "one\n" }, { "note.txt": "two\n", "other.txt": "two\n" });
  // The end of the turn is recorded by then: what is written meanwhile counts as the agent's.
  await daemon.api.get(`${talk.path}/changes`);
  await writeFile(join(directory, "note.txt"), "by a person\n");
  const refused = await daemon.api.request("POST", `${talk.path}/rewind`, { to: 1 });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "rewind_conflict", conflicts: [{ path: "note.txt" }] },
  });
  expect([await read("note.txt"), await read("other.txt")]).toEqual(["by a person\n", "two\n"]);
  expect((await talk.say("history")).text.match(/permission make/g)).toHaveLength(2);
  await daemon.api.post(`${talk.path}/rewind`, { to: 1, force: ["note.txt"] });
  expect([await read("note.txt"), await isThere("other.txt")]).toEqual(["one\n", false]);
  await talk.finish();
});

it("changes are told between turns, with the turn that made them", async () => {
  const talk = await talkOf({ "note.txt": "one\n" }, { "second.txt": "two\n" });
  const all = await daemon.api.get<SessionChanges>(`${talk.path}/changes`);
  expect(all.files.map(({ path, change }) => [path, change]).sort()).toEqual([
    ["note.txt", "changed"],
    ["second.txt", "added"],
  ]);
  const second = await daemon.api.get<SessionChanges>(`${talk.path}/changes?from=1&to=2`);
  expect(second.files).toMatchObject([{ path: "second.txt", change: "added", by: [{ turn: 2, how: "command" }] }]);
  expect(second.files[0]?.diff).toContain("+two");
  expect((await daemon.api.request("GET", `${talk.path}/changes?from=9`)).status).toBe(404);
  await talk.finish();
});

it("a fork works in a copy of the directory as it was, and the other stays as it is", async () => {
  const talk = await talkOf({ "note.txt": "one\n" }, { "note.txt": "two\n" });
  const into = join(home.path, "copy");
  const { sessions } = await daemon.api.post<ForkedSessions>(`${talk.path}/fork`, { at: 1, directory: into });
  expect(await readFile(join(into, "note.txt"), "utf8")).toBe("one\n");
  expect(await read("note.txt")).toBe("two\n");
  const fork = new Conversation(daemon.api, sessions[0]?.session.sessionId ?? "");
  expect(await fork.view()).toMatchObject({ directory: into });
  expect((await fork.say("history")).text.match(/permission make/g)).toHaveLength(1);
  await daemon.api.post(`${fork.path}/rewind`, { to: 0 });
  expect(await readFile(join(into, "note.txt"), "utf8")).toBe("at the beginning\n");
  expect(await read("note.txt")).toBe("two\n");
  await fork.finish();
  await talk.finish();
});

it("a session without snapshots rewinds its conversation and says that the files stayed", async () => {
  await home.remove();
  home = await DaemonHome.make({ args: ["--no-snapshots", "--no-token"] });
  daemon = await home.start();
  directory = await mkdtemp(join(home.path, "work-"));
  const talk = await talkOf({ "note.txt": "one\n" });
  const rewound = await daemon.api.post<Rewound>(`${talk.path}/rewind`, { to: 0 });
  expect(rewound).toMatchObject({ changes: [], turns: ["turn_1"] });
  expect(rewound.filesSkipped).toBeTruthy();
  const asked = await daemon.api.request("POST", `${talk.path}/rewind`, { to: 0, files: true });
  expect(asked).toMatchObject({ status: 409, body: { code: "cannot_rewind" } });
  expect(await read("note.txt")).toBe("one\n");
  await talk.finish();
});

it("a daemon that is killed right after a rewind has it, files and conversation", async () => {
  const talk = await talkOf({ "note.txt": "one\n" }, { "note.txt": "two\n" });
  await daemon.api.post(`${talk.path}/rewind`, { to: 1 });
  await daemon.kill("SIGKILL");
  daemon = await home.start();
  const again = new Conversation(daemon.api, talk.sessionId);
  expect((await again.say("history")).text.match(/permission make/g)).toHaveLength(1);
  expect(await read("note.txt")).toBe("one\n");
  await mkdir(join(directory, "more"));
  await rm(join(directory, "more"), { recursive: true });
  await again.finish();
});
