import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { DirectoryHistory } from "../src/index.ts";
import { makeProject, type Project, pictureOf } from "./snapshots-fixture.ts";

const files = 3_000;
const program = fileURLToPath(new URL("programs/rewind.mjs", import.meta.url));

test("a move that was cut is finished at the next opening, and can be taken back then", async () => {
  const { project, afterFirst, afterSecond } = await cutMove();
  const history = await open(project);
  expect(history.recovered).toMatchObject({ session: "a", to: 1, how: "finished", left: [] });
  expect(pictureOf(project.root)).toEqual(afterFirst);
  const token = history.lastMove("a")?.token ?? "";
  expect(await history.undo({ session: "a", token })).toMatchObject({ kind: "moved" });
  expect(pictureOf(project.root)).toEqual(afterSecond);
});

test("a move that was cut and cannot be finished is taken back, and what stands in its way stays", async () => {
  const { project, afterSecond } = await cutMove();
  writeFileSync(join(project.root, "back"), "by a person\n");
  const history = await open(project);
  expect(history.recovered).toMatchObject({ session: "a", to: 1, how: "taken back", left: [] });
  expect(history.lastMove("a")).toBeUndefined();
  const { back, ...rest } = pictureOf(project.root);
  expect(back).toBeDefined();
  expect(rest).toEqual(afterSecond);
  // Nothing of it is left: the next opening finds no move, and the next rewind names what stands in the way.
  await history.close();
  expect((await open(project)).recovered).toBeUndefined();
  const { conflicts } = await (await open(project)).preview({ session: "a", to: 1 });
  expect(conflicts).toMatchObject([{ path: "back", reason: "in_the_way" }]);
});

/** A rewind that takes thousands of files away before it brings one back, killed while it takes them. */
async function cutMove() {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const project = makeProject();
    project.write("back/x.ts", "one\n");
    const history = await open(project);
    await turn(history, 1, () => project.write("y.ts", "one\n"));
    const afterFirst = pictureOf(project.root);
    await turn(history, 2, () => {
      rmSync(join(project.root, "back"), { recursive: true });
      mkdirSync(join(project.root, "many"));
      for (let at = 0; at < files; at++) writeFileSync(join(project.root, "many", `${at}.ts`), `${at}\n`);
    });
    const afterSecond = pictureOf(project.root);
    await history.close();
    await killAtFirstFile(project);
    const many = join(project.root, "many");
    const left = existsSync(many) ? readdirSync(many).length : 0;
    // Too early or too late now and then: the moment is not ours to choose.
    if (left > 0 && left < files && existsSync(journalOf(project))) return { project, afterFirst, afterSecond };
  }
  throw new Error("No kill came in the middle of the move");
}

async function killAtFirstFile(project: Project): Promise<void> {
  const { root, base } = project;
  const wish = { root, directory: join(base, "store"), session: "a", to: 1, force: [] };
  const watcher = watch(join(root, "many"));
  const child = spawn(process.execPath, [program, JSON.stringify(wish)], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  watcher.once("change", () => child.kill("SIGKILL"));
  await ended;
  watcher.close();
}

function journalOf({ base }: Project): string {
  const store = join(base, "store");
  return join(store, readdirSync(store)[0] ?? "", "sessions", "history", "move.json");
}

async function turn(history: DirectoryHistory, number: number, work: () => void): Promise<void> {
  const place = { session: "a", turn: number };
  expect(await history.begin(place, { timeoutMs: 120_000 })).toMatchObject({ kind: "taken" });
  work();
  expect(await history.end(place)).toMatchObject({ kind: "taken" });
}

async function open({ root, base }: Project): Promise<DirectoryHistory> {
  const history = await DirectoryHistory.open({ root, directory: join(base, "store") });
  onTestFinished(() => history.close());
  return history;
}
