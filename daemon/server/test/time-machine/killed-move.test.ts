import { watch } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

const files = 3_000;

let home: DaemonHome;
let daemon: DaemonProcess;
beforeEach(async () => {
  home = await DaemonHome.make({ snapshots: true });
  daemon = await home.start();
});
afterEach(() => home.remove());

it("a rewind that a kill cuts in the middle of its files is finished, told, and can be undone", async () => {
  const { talk, directory } = await cutRewind();
  const again = new Conversation(daemon.api, talk.sessionId);
  expect((await again.view()).state).toBeDefined();
  expect(await everyFile(directory)).toEqual({ "back/x.ts": "one\n" });
  expect(daemon.stderr).toContain("a rewind was finished after a kill");
  const log = await daemon.api.log(talk.sessionId);
  const told = log.flatMap((event) => (event.type === "session.rewound" ? [event.data] : []));
  expect(told).toMatchObject([{ toTurn: 1, turns: ["turn_2"], chat: true, files: true }]);
  expect(told[0]?.paths).toContain("back/x.ts");
  await daemon.api.post(`${again.path}/rewind/undo`, {});
  expect(await everyFile(directory)).toEqual(afterSecond());
  expect((await again.say("history")).text.match(/permission make/g)).toHaveLength(2);
  await again.finish();
});

it("a rewind that a kill cuts and that cannot be finished is taken back, and the log has nothing of it", async () => {
  const { talk, directory } = await cutRewind(async (root) => {
    await writeFile(join(root, "back"), "by a person\n");
  });
  const again = new Conversation(daemon.api, talk.sessionId);
  expect((await again.view()).state).toBeDefined();
  expect(await everyFile(directory)).toEqual({ ...afterSecond(), back: "by a person\n" });
  expect(daemon.stderr).toContain("a rewind was taken back after a kill");
  const log = await daemon.api.log(talk.sessionId);
  expect(log.filter(({ type }) => type === "session.rewound")).toEqual([]);
  expect((await again.say("history")).text.match(/permission make/g)).toHaveLength(2);
  await again.finish();
});

/** A session of two turns; its daemon was killed while a rewind to the first took files away, and runs again. */
async function cutRewind(meanwhile: (directory: string) => Promise<void> = async () => {}) {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const directory = await mkdtemp(join(home.path, "work-"));
    const many = join(directory, "many");
    await mkdir(join(directory, "back"));
    const talk = await Conversation.open(daemon.api, { directory });
    await turnThat(talk, () => writeFile(join(directory, "back/x.ts"), "one\n"));
    await turnThat(talk, async () => {
      await rm(join(directory, "back"), { recursive: true });
      await mkdir(many);
      for (let at = 0; at < files; at++) await writeFile(join(many, `${at}.ts`), `${at}\n`);
    });
    const watcher = watch(many);
    const killed = new Promise<void>((resolve) => {
      watcher.once("change", () => resolve(daemon.kill("SIGKILL").then(() => undefined)));
    });
    const answer = daemon.api.request("POST", `${talk.path}/rewind`, { to: 1 }).catch(() => undefined);
    await killed;
    await answer;
    watcher.close();
    const left = await readdir(many).catch(() => []);
    if (left.length > 0 && left.length < files) await meanwhile(directory);
    daemon = await home.start();
    // Too late now and then: the moment is not ours to choose.
    if (left.length > 0 && left.length < files) return { talk, directory };
  }
  throw new Error("No kill came in the middle of the move");
}

/** A turn in which something is done to the files, as a command of the agent would. */
async function turnThat(talk: Conversation, work: () => Promise<void>): Promise<void> {
  const { messageId } = await talk.send("permission make");
  const { sequence } = await talk.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
  const { permissionId } = (await talk.until("permission.requested", () => true, sequence)).data;
  await work();
  await daemon.api.post(`${talk.path}/permissions/${permissionId}/reply`, { reply: "once" });
  await talk.turnOf(messageId);
  // The end of the turn is recorded by then.
  await daemon.api.get(`${talk.path}/changes`);
}

function afterSecond(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: files }, (_, at) => [`many/${at}.ts`, `${at}\n`]));
}

async function everyFile(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const told = paths.map(async (path) => [path.slice(directory.length + 1), await readFile(path, "utf8")] as const);
  return Object.fromEntries(await Promise.all(told));
}
