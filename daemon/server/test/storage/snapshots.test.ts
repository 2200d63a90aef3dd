import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Conversation } from "@muster/conformance";
import { expect, it, onTestFinished } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

interface Point {
  kind: string;
  turn?: number;
  changes?: { path: string; by: { session?: string; turn?: number; how: string }[] }[];
}

it("the directory of a session is recorded at each turn's begin and end, with whose change it was", async () => {
  const { home, directory, talk } = await open({ snapshots: true });
  await talk.say("echo first");
  // What is written while a turn's end is recorded counts as the turn's: the person comes after it.
  await pointsOf(home, (all) => all.some(({ kind, turn }) => kind === "end" && turn === 1));
  await writeFile(join(directory, "mine.ts"), "person\n");
  await talk.send("slow 300");
  await talk.until("turn.started", ({ turnId }) => turnId === "turn_2");
  await writeFile(join(directory, "x.ts"), "agent\n");
  await talk.until("turn.ended", ({ turnId }) => turnId === "turn_2");
  const points = await pointsOf(home, (all) => all.some(({ kind, turn }) => kind === "end" && turn === 2));
  const changes = points.flatMap((point) => point.changes ?? []);
  expect(changes.map(({ path, by }) => ({ path, by }))).toEqual([
    { path: "mine.ts", by: [{ how: "person" }] },
    { path: "x.ts", by: [{ session: talk.sessionId, turn: 2, how: "command" }] },
  ]);
  await talk.finish();
}, 120_000);

it("a directory that holds the data directory has no snapshots, which its first turn tells once", async () => {
  const { home, talk } = await open({ snapshots: true, above: true });
  await talk.say("echo first");
  const { reason, moment, detail } = (await talk.until("snapshot.skipped")).data;
  expect({ reason, moment }).toEqual({ reason: "unavailable", moment: "begin" });
  expect(detail).toContain(home.path);
  await talk.finish();
}, 120_000);

it("with --no-snapshots nothing is kept of a directory", async () => {
  const { home, talk } = await open({ snapshots: false });
  await talk.say("echo first");
  await talk.finish();
  expect(await readdir(home.dataDirectory)).not.toContain("snapshots");
});

async function open({ snapshots, above = false }: { snapshots: boolean; above?: boolean }) {
  const home = await DaemonHome.make({ snapshots });
  onTestFinished(() => home.remove());
  const directory = above ? home.path : join(home.path, "project");
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "x.ts"), "one\n");
  const { api } = await home.start();
  return { home, api, directory, talk: await Conversation.open(api, { directory }) };
}

/** The end of a turn is recorded beside it: its line comes a moment after its event. */
async function pointsOf(home: DaemonHome, isEnough: (points: Point[]) => boolean): Promise<Point[]> {
  for (;;) {
    const stores = join(home.dataDirectory, "snapshots");
    const [name = ""] = await readdir(stores);
    const text = await readFile(join(stores, name, "sessions", "history", "points.jsonl"), "utf8");
    const lines = text.split("\n").slice(1, -1);
    const points = lines.map((line): Point => JSON.parse(line));
    if (isEnough(points)) return points;
    await setTimeout(20);
  }
}

it("an interrupt while the directory is looked at takes the message back: it is not given afterwards", async () => {
  const { api, directory, talk } = await open({ snapshots: true });
  for (let folder = 0; folder < 30; folder++) {
    await mkdir(join(directory, `${folder}`));
    const files = Array.from({ length: 100 }, (_, file) => join(directory, `${folder}`, `${file}.txt`));
    await Promise.all(files.map((file) => writeFile(file, file)));
  }
  await talk.say("echo awake");
  await writeFile(join(directory, "x.ts"), "two\n");
  await talk.send("slow 600000");
  // Before its turn the message is cancelled, in its turn that is interrupted: in neither case does it go on for ten minutes.
  await api.post(`/sessions/${talk.sessionId}/interrupt`, {});
  await talk.say("echo next");
  await talk.finish();
}, 120_000);
