import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isLong } from "@muster/chaos";
import ignore from "ignore";
import { expect, onTestFinished, test } from "vitest";
import type { MoveResult } from "../src/index.ts";
import { makeProject, type Project, pictureOf } from "./snapshots-fixture.ts";

const repositories = isLong ? 20 : 4;
const roundsEach = isLong ? 50 : 25;
const atOnce = 4;

/**
 * Random work, a checkpoint, the agent's random work, the person's, undo, redo. After the undo everything is byte-equal
 * to the checkpoint where the agent changed it and as the person left it elsewhere; after the redo it is as before the undo.
 */
test(`${repositories * roundsEach} rounds of random work`, { timeout: 900_000 }, async () => {
  const seeds = Array.from({ length: repositories }, (_, index) => index + 1);
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) await rounds(seed);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
});

async function rounds(seed: number): Promise<void> {
  const project = makeProject();
  const work = new RandomWork(project, seed);
  if (seed % 3 === 0) project.git("init", "-q");
  const snapshots = await project.open();
  const picture = () => pictureOf(project.root, { except: [".git"] });
  for (let round = 1; round <= roundsEach; round++) {
    work.log.length = 0;
    work.some(4);
    const isIgnored = ignoredNow(project.root);
    const atCheckpoint = picture();
    const writer = round % 25 === 0 ? writeInBackground(project) : undefined;
    const { busy } = await snapshots.checkpoint(`${round}`);
    expect(busy.filter((path) => path !== written)).toEqual([]);
    work.some(8);
    await snapshots.settle();
    const mine = round % 3 === 0 ? work.asPerson(atCheckpoint, picture()) : new Set<string>();
    const beforeUndo = picture();
    const about = `seed ${seed}, round ${round}\n${work.log.join("\n")}`;

    let undone = await snapshots.undo();
    if (writer !== undefined && undone.kind === "conflict") {
      expect(undone.paths, about).toEqual([written]);
      undone = await snapshots.undo({ force: true });
    }
    await writer?.end();
    if (undone.kind === "blocked" && undone.reason === `${written} is being written by another program`) {
      expect(writer, about).toBeDefined();
      expect(without(picture(), written), about).toEqual(without(beforeUndo, written));
      rmSync(join(project.root, written), { force: true });
      continue;
    }
    if (undone.kind === "blocked") {
      // Only for the sake of the person's own files, which the agent has put where another one has to come back.
      const inTheWay = undone.reason.replace(/ is in the way.*$/, "");
      const owned = ownedBy(atCheckpoint, isIgnored);
      expect(owned.has(contentOf(beforeUndo[inTheWay] ?? "")), `${about}\n${undone.reason}`).toBe(true);
      expect(without(picture(), written), about).toEqual(without(beforeUndo, written));
      continue;
    }
    expect(undone, about).toMatchObject({ kind: "moved" });
    const seen = { atCheckpoint, beforeUndo, afterUndo: picture(), isIgnored, mine, kept: keptBy(undone) };
    expect(faultsOfUndo(seen), about).toEqual([]);

    rmSync(join(project.root, written), { force: true });
    expect(await snapshots.redo({ force: writer !== undefined }), about).toMatchObject({ kind: "moved" });
    expect(without(picture(), written), about).toEqual(without(beforeUndo, written));
    rmSync(join(project.root, written), { force: true });
  }
}

type Picture = Record<string, string>;

function faultsOfUndo(seen: {
  atCheckpoint: Picture;
  beforeUndo: Picture;
  afterUndo: Picture;
  isIgnored: (path: string, kind: string) => boolean;
  mine: ReadonlySet<string>;
  kept: readonly string[];
}): string[] {
  const { atCheckpoint, beforeUndo, afterUndo, isIgnored, mine, kept } = seen;
  const faults: string[] = [];
  const wasThing = (path: string) =>
    above(path).some((one) => atCheckpoint[one] !== undefined && atCheckpoint[one] !== "directory");
  // A directory that was ignored and got another name is the person's.
  const ownedDirectories = new Set(
    Object.keys(atCheckpoint)
      .filter((path) => atCheckpoint[path] === "directory" && isIgnored(path, "directory"))
      .map((path) => basename(path)),
  );
  for (const path of new Set([...Object.keys(atCheckpoint), ...Object.keys(beforeUndo), ...Object.keys(afterUndo)])) {
    if (path === written) continue;
    const [then, before, now] = [atCheckpoint[path], beforeUndo[path], afterUndo[path]];
    if (then === "directory" || before === "directory" || now === "directory") {
      // What a directory holds is compared file by file; one that was empty and recorded has to be there again.
      const wasEmpty = then === "directory" && !Object.keys(atCheckpoint).some((one) => one.startsWith(`${path}/`));
      if (wasEmpty && !isIgnored(path, "directory") && now === undefined) faults.push(`${path}/ is missing`);
      const isNew = then === undefined && now === "directory" && isEmpty(afterUndo, path);
      if (isNew && !isIgnored(path, "directory") && !ownedDirectories.has(basename(path)))
        faults.push(`${path}/ is left over`);
      if ([then, before, now].every((one) => one === undefined || one === "directory")) continue;
    }
    const isFile = (one: string | undefined) => one !== undefined && one !== "directory";
    if (mine.has(path)) {
      if (now !== before) faults.push(`${path}, which the person changed, is ${now}, not ${before}`);
    } else if (isFile(then) && !isIgnored(path, "file")) {
      if (now !== then) faults.push(`${path} is ${now}, not ${then} as at the checkpoint`);
    } else if (isFile(before) && isIgnored(path, "file") && !wasThing(path)) {
      if (now !== before) faults.push(`${path}, which is ignored, is ${now}, not ${before}`);
    } else if (isFile(now) && !isFile(then) && !isIgnored(path, "file") && !kept.includes(path)) {
      faults.push(`${path} was not there at the checkpoint`);
    }
  }
  const owned = ownedBy(atCheckpoint, isIgnored);
  for (const path of kept) {
    if (!owned.has(contentOf(beforeUndo[path] ?? ""))) faults.push(`${path} was kept and is not the person's`);
  }
  return faults;
}

/** The contents of what was ignored at the checkpoint. */
function ownedBy(atCheckpoint: Picture, isIgnored: (path: string, kind: string) => boolean): Set<string> {
  const ignored = Object.entries(atCheckpoint).filter(
    ([path, kind]) => kind !== "directory" && isIgnored(path, "file"),
  );
  return new Set(ignored.map(([, entry]) => contentOf(entry)));
}

function above(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function isEmpty(picture: Picture, directory: string): boolean {
  return !Object.keys(picture).some((path) => path.startsWith(`${directory}/`));
}

function contentOf(entry: string): string {
  return entry.split(" ").slice(-1).join("");
}

function keptBy(result: MoveResult): string[] {
  return result.kind === "moved" ? result.kept : [];
}

function without(picture: Picture, path: string): Picture {
  const { [path]: _, ...rest } = picture;
  return rest;
}

/** By another reader of ignore rules than git: the one that prints trees. */
function ignoredNow(root: string): (path: string, kind: string) => boolean {
  const files = Object.entries(pictureOf(root, { except: [".git"] })).filter(
    ([path, kind]) => basename(path) === ".gitignore" && /^[0-7]/.test(kind),
  );
  const rules = files
    .map(([path]) => ({ prefix: path.slice(0, -".gitignore".length), text: readFileSync(join(root, path), "utf8") }))
    .sort((a, b) => a.prefix.split("/").length - b.prefix.split("/").length)
    .map(({ prefix, text }) => ({ prefix, rules: ignore().add(text) }));
  const one = (path: string, isDirectory: boolean) => {
    const fitting = rules.filter(({ prefix }) => path.startsWith(prefix) && path !== prefix.slice(0, -1)).reverse();
    for (const { prefix, rules: own } of fitting) {
      const told = own.test(path.slice(prefix.length) + (isDirectory ? "/" : ""));
      if (told.ignored || told.unignored) return told.ignored;
    }
    return false;
  };
  return (path, kind) => above(path).some((directory) => one(directory, true)) || one(path, kind === "directory");
}

const written = "server.log.txt";

/** Somebody else's program that writes all the time. */
function writeInBackground(project: Project): { end: () => Promise<void> } {
  let isOpen = true;
  const writing = (async () => {
    while (isOpen) {
      appendFileSync(join(project.root, written), "line\n");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  const end = () => {
    isOpen = false;
    return writing;
  };
  onTestFinished(end);
  return { end };
}

const names = ["a", "b", "c", "notes.txt", "x.log", ".env", "build", "run.sh", "weird name*"];
const ruleTexts = ["", "*.log\n", ".env\nbuild/\n", "*.log\n!x.log\nc\n", "/a/c\n.env\n", "build/\n*.txt\n"];

class RandomWork {
  readonly log: string[] = [];
  readonly #project: Project;
  #state: number;
  #written = 0;

  constructor(project: Project, seed: number) {
    this.#project = project;
    this.#state = seed * 2654435761;
  }

  some(most: number): void {
    for (let left = 1 + this.#pick(most); left > 0; left--) this.#one();
  }

  /** Changes only what the agent left alone, and tells what it was. */
  asPerson(atCheckpoint: Picture, now: Picture): Set<string> {
    const mine = new Set<string>();
    const untouched = Object.keys(now).filter(
      (path) => now[path] === atCheckpoint[path] && /^[0-7]+ /.test(now[path] ?? "") && path !== written,
    );
    for (const path of untouched.filter(() => this.#pick(4) === 0)) {
      this.log.push(`person edits ${path}`);
      writeFileSync(join(this.#project.root, path), this.#content());
      mine.add(path);
    }
    if (this.#pick(2) === 0) {
      const path = `mine ${this.#pick(3)}.md`;
      if (now[path] !== undefined) return mine;
      this.log.push(`person writes ${path}`);
      writeFileSync(join(this.#project.root, path), this.#content());
      mine.add(path);
    }
    return mine;
  }

  #one(): void {
    const [path, other] = [this.#path(), this.#path()];
    const [file, target] = [join(this.#project.root, path), join(this.#project.root, other)];
    const action = actions[this.#pick(actions.length)] ?? "write";
    this.log.push(`${action} ${path} ${other}`);
    try {
      switch (action) {
        case "write":
          mkdirSync(dirname(file), { recursive: true });
          return writeFileSync(file, this.#content());
        case "append":
          return existsSync(file) ? appendFileSync(file, this.#content()) : undefined;
        case "replace": {
          writeFileSync(`${file}.new`, this.#content());
          return renameSync(`${file}.new`, file);
        }
        case "rename":
          mkdirSync(dirname(target), { recursive: true });
          return renameSync(file, target);
        case "chmod":
          return lstatSync(file).isFile() ? chmodSync(file, modes[this.#pick(modes.length)] ?? 0o644) : undefined;
        case "delete":
          return rmSync(file, { recursive: true });
        case "mkdir":
          return void mkdirSync(file, { recursive: true });
        case "ignore":
          return writeFileSync(
            join(this.#project.root, ["", "a", "b", "a/c"][this.#pick(4)] ?? "", ".gitignore"),
            ruleTexts[this.#pick(ruleTexts.length)] ?? "",
          );
        case "into file":
          rmSync(file, { recursive: true });
          return writeFileSync(file, this.#content());
        case "into link":
          rmSync(file, { recursive: true });
          return symlinkSync(names[this.#pick(names.length)] ?? "", file);
        case "into directory":
          rmSync(file, { recursive: true });
          mkdirSync(file);
          return writeFileSync(join(file, names[this.#pick(names.length)] ?? "x"), this.#content());
      }
    } catch {
      // A file where a directory would have to be, or nothing there at all: this work is not done.
      this.log.push("  (not possible)");
    }
  }

  #path(): string {
    return Array.from({ length: 1 + this.#pick(3) }, () => names[this.#pick(names.length)] ?? "a").join("/");
  }

  #content(): string {
    this.#written += 1;
    return `${this.#written}\n`;
  }

  #pick(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }
}

const modes = [0o600, 0o644, 0o755, 0o700, 0o444];
const actions = [
  "write",
  "write",
  "append",
  "replace",
  "rename",
  "chmod",
  "delete",
  "mkdir",
  "ignore",
  "into file",
  "into link",
  "into directory",
] as const;
