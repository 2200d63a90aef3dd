import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { agents } from "../src/index.ts";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const recordings = fileURLToPath(new URL("../recordings/", import.meta.url));

/** What stands beside the agents, and which of each other the rooms may use. A new name is given its place here first. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  channel: ["converter", "process"],
  converter: ["channel"],
  credentials: ["network"],
  install: ["channel", "credentials", "network", "process"],
  network: [],
  process: [],
  "shared-server": ["channel", "converter", "process"],
};
const shared = {
  folders: Object.keys(mayUse),
  files: [
    "adapter.ts",
    "commands.ts",
    "converters.ts",
    "fork-point.ts",
    "history.ts",
    "host.ts",
    "index.ts",
    "option-checks.ts",
    "own-programs.ts",
    "signals.ts",
  ],
};

/** The rooms of an agent; the fifth looks like the first. Who can go back, or take over what another agent said, has a room for that. */
const rooms = {
  folders: ["inverse", "read", "run", "wire", "write"],
  some: ["history", "rewind"],
  files: ["converter.ts", "credentials.ts", "index.ts", "models.ts", "options.ts", "release.ts"],
};

test("beside the agents stand only the rooms they share", () => {
  const { folders, files } = entriesOf(src);
  expect(folders.filter((name) => !Object.hasOwn(agents, name))).toEqual(shared.folders);
  expect(files).toEqual(shared.files);
});

test.each(shared.folders)("%s uses no agent, and of the other rooms only those in its row", (room) => {
  expect(roomsUsedBy(room).filter((other) => other !== room && !mayUse[room]?.includes(other))).toEqual([]);
});

describe.each(Object.keys(agents))("%s", (agent) => {
  test("loads what drives it only when it is used: every start of the daemon pays for the rest", () => {
    const text = readFileSync(join(src, agent, "index.ts"), "utf8");
    expect(
      text.match(/^import .* from "\.\/(run|write|inverse|history|rewind)\/.*$|^import .* from ".*installer\.ts";$/gm),
    ).toBeNull();
  });

  const { folders, files } = entriesOf(`${src}${agent}`);

  test("has a folder with nothing but the rooms every agent has", () => {
    expect(folders.filter((name) => ![...rooms.folders, ...rooms.some].includes(name))).toEqual([]);
    expect(files.filter((name) => !rooms.files.includes(name))).toEqual([]);
  });

  test("has all of them if it can be driven, and what installs it otherwise", () => {
    const isDriven = "open" in (agents[agent] ?? {});
    expect(folders.filter((name) => !rooms.some.includes(name))).toEqual(isDriven ? rooms.folders : []);
    expect(entriesOf(recordings).folders.includes(agent)).toBe(isDriven);
    const least = ["credentials.ts", "index.ts", "release.ts"];
    const needed = isDriven ? rooms.files.filter((name) => name !== "models.ts") : least;
    expect(needed.filter((name) => !files.includes(name))).toEqual([]);
  });
});

/** The folders of src that the files of a room import from. */
function roomsUsedBy(room: string): string[] {
  const names = readdirSync(join(src, room), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const paths = names.flatMap((name) => {
    const file = join(src, room, name);
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(/\b(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
      resolve(dirname(file), path),
    );
  });
  const inside = paths.map((path) => path.slice(src.length).split("/"));
  return [...new Set(inside.flatMap(([first = "", ...rest]) => (rest.length > 0 ? [first] : [])))].sort();
}

function entriesOf(folder: string): { folders: string[]; files: string[] } {
  const entries = readdirSync(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts")).map(({ name }) => name);
  return { folders: folders.sort(), files: files.sort() };
}
