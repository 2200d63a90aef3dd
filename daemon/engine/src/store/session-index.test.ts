import { appendFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Layout, layout } from "./layout.ts";
import { createSessionFile } from "./session-file.ts";
import { type IndexEntry, SessionIndex } from "./session-index.ts";

let places: Layout;
beforeEach(async () => {
  places = layout(await mkdtemp(join(tmpdir(), "muster-index-")));
});
afterEach(() => rm(places.root, { recursive: true, force: true }));

const entry = (sessionId: string, second: number): IndexEntry => {
  const time = `2026-01-01T00:00:0${second}.000Z`;
  return {
    sessionId,
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time,
    state: "asleep",
    agent: "mock",
    directory: "/",
  };
};
const ids = async (index: SessionIndex, after?: string) =>
  [...((await index.after(after)) ?? [])].map(({ sessionId }) => sessionId);

it("lists in the order of creation and goes on after any session", async () => {
  const index = new SessionIndex(places);
  await index.load();
  for (const [id, second] of [
    ["b", 2],
    ["a", 3],
    ["c", 1],
  ] as const)
    index.put(entry(id, second));
  expect(await ids(index)).toEqual(["c", "b", "a"]);
  expect(await ids(index, "c")).toEqual(["b", "a"]);
  expect(await index.after("unknown")).toBeUndefined();
  index.remove("b");
  expect(await ids(index)).toEqual(["c", "a"]);
  await index.close();
});

it("lists those used last first, and knows better than its file until the daemon ends", async () => {
  const index = new SessionIndex(places);
  await index.load();
  for (const [at, id] of ["a", "b", "c"].entries()) index.put(entry(id, at + 1));
  const used = async (list: SessionIndex, after?: string) =>
    [...((await list.lastUsed(after)) ?? [])].map(({ sessionId }) => sessionId);
  expect(await used(index)).toEqual(["c", "b", "a"]);
  index.refresh({ ...entry("a", 1), lastUsedAt: entry("a", 9).lastUsedAt });
  expect(await used(index)).toEqual(["a", "c", "b"]);
  expect(await used(index, "a")).toEqual(["c", "b"]);
  expect(await ids(index)).toEqual(["a", "b", "c"]);
  expect(await index.lastUsed("unknown")).toBeUndefined();
  await index.close();
});

it("looks at the folder of a session of which its file does not say whose it is", async () => {
  const settings = { agent: "mock", env: {}, mcp: {}, directory: "/somewhere", permissionMode: "default" } as const;
  const { agent: _, directory: __, ...old } = entry("old", 1);
  const file = {
    format: 1,
    sessionId: "old",
    createdAt: old.createdAt,
    settings,
    digest: "",
    secretNames: [],
  } as const;
  await createSessionFile(places.sessionFile("old"), { ...file, secretNames: [] });
  await appendFile(places.index, `${JSON.stringify(old)}\n`);
  const index = new SessionIndex(places);
  expect([...((await index.after(undefined)) ?? [])]).toEqual([{ ...old, agent: "mock", directory: "/somewhere" }]);
  await index.close();
  expect(await readFile(places.index, "utf8")).toContain("/somewhere");
});

it("believes the folders where its file is missing, torn or wrong", async () => {
  const settings = { agent: "mock", env: {}, mcp: {}, directory: "/", permissionMode: "default" } as const;
  for (const [sessionId, second] of [
    ["Kept", 1],
    ["unknown-to-the-file", 2],
  ] as const) {
    const { createdAt } = entry(sessionId, second);
    const file = { format: 1, sessionId, createdAt, settings, digest: "", secretNames: [] } as const;
    await createSessionFile(places.sessionFile(sessionId), { ...file, secretNames: [] });
  }
  await mkdir(places.root, { recursive: true });
  await appendFile(places.index, `${JSON.stringify(entry("Kept", 1))}\n${JSON.stringify(entry("gone", 3))}\n{"sess`);
  const index = new SessionIndex(places);
  expect(await ids(index)).toEqual(["Kept", "unknown-to-the-file"]);
  await index.close();
});
