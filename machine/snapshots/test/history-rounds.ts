import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { random } from "@muster/chaos";
import { expect, onTestFinished } from "vitest";
import { DirectoryHistory, type Moved, type Refused } from "../src/index.ts";
import { type Copy, changedPaths, copyOf, judgeByCopies, type Segment } from "./plain-copies.ts";
import { makeProject, type Project } from "./snapshots-fixture.ts";

const sessions = ["a", "b"] as const;
type Session = (typeof sessions)[number];

/** Rounds of random work in one directory. What has happened is told by kind. */
export class HistoryRounds {
  readonly #project: Project;
  readonly #pick: (count: number) => number;
  readonly #told = new Map<string, number>();
  readonly #turns: Record<Session, number> = { a: 0, b: 0 };
  /** What the directory was at the end of each turn of a session, and which segment comes next. */
  readonly #ends = new Map<string, { copy: Copy; next: number }>();
  readonly #segments: Segment[] = [];
  #history: DirectoryHistory;
  #last: Copy;
  #log: string[] = [];
  #written = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#project = makeProject();
    const next = random(seed);
    this.#pick = (count) => Math.floor(next() * count);
    this.#history = undefined as unknown as DirectoryHistory;
    this.#last = new Map();
  }

  async run(rounds: number): Promise<ReadonlyMap<string, number>> {
    const { root } = this.#project;
    this.#project.write(".gitignore", "*.log\nbuild/\n");
    this.#project.write("keep.log", "log 0\n");
    this.#project.write("build/out", "out 0\n");
    mkdirSync(join(root, "nested"));
    this.#project.git("init", "-q", "nested");
    this.#project.write("nested/inner", "inner 0\n");
    if (this.#seed % 2 === 0) this.#project.git("init", "-q");
    for (let left = 6; left > 0; left--) this.#work();
    this.#history = await this.#open();
    this.#last = copyOf(root);
    for (let round = 1; round <= rounds; round++) {
      this.#log.push(`round ${round}`);
      await this.#scenario();
      if (this.#pick(3) > 0) await this.#rewind();
    }
    await this.#history.close();
    return this.#told;
  }

  async #scenario(): Promise<void> {
    const session: Session = sessions[this.#pick(2)] ?? "a";
    const other: Session = session === "a" ? "b" : "a";
    switch (this.#pick(6)) {
      case 0:
        return this.#personWorks();
      case 1:
        await this.#reopen();
        return this.#turn(session);
      case 2:
        return this.#overlap(session, other);
      case 3:
        return this.#killedTurn(session);
      default:
        this.#maybePersonWorks();
        return this.#turn(session);
    }
  }

  async #turn(session: Session): Promise<void> {
    const place = await this.#begin(session);
    this.#works(`${session} works`, 5);
    await this.#end(place);
  }

  /** One session's work before, during and after a turn of the other. */
  async #overlap(first: Session, second: Session): Promise<void> {
    const one = await this.#begin(first);
    this.#works(`${first} works`, 3);
    const two = { session: second, turn: ++this.#turns[second] };
    expect(await this.#history.begin(two, patient), this.#about()).toMatchObject({ kind: "taken" });
    this.#note([first]);
    this.#began(two);
    const named = new Map<string, string>();
    for (const session of [first, second]) {
      for (let left = this.#pick(3); left > 0; left--) {
        const path = `edited ${session}${this.#pick(4)}`;
        this.#log.push(`  ${session} edits ${path}`);
        this.#project.write(path, this.#content());
        named.set(path, session);
        const edit = { session, turn: this.#turns[session], call: "call", paths: [path] };
        this.#history.edited(edit);
      }
    }
    if (this.#pick(2) === 0) this.#works("either works", 2);
    expect(await this.#history.end(one), this.#about()).toMatchObject({ kind: "taken" });
    this.#note([first, second], named);
    this.#ended(one);
    this.#works(`${second} works on`, 2);
    await this.#end(two);
  }

  /** The process ends in the middle of a turn; nobody can tell what was done after from what the person did. */
  async #killedTurn(session: Session): Promise<void> {
    const place = await this.#begin(session);
    this.#works(`${session} works`, 3);
    await this.#reopen();
    if (this.#pick(2) === 0) this.#works("somebody works", 2);
    await this.#history.end(place);
    this.#note([session, "person"]);
    this.#ended(place);
    this.#tell("cut turn");
  }

  #maybePersonWorks(): void {
    if (this.#pick(2) === 0) this.#personWorks();
  }

  #personWorks(): void {
    this.#works("person works", 3);
  }

  async #begin(session: Session) {
    const place = { session, turn: ++this.#turns[session] };
    expect(await this.#history.begin(place, patient), this.#about()).toMatchObject({ kind: "taken" });
    this.#note(["person"]);
    this.#began(place);
    return place;
  }

  async #end(place: { session: string; turn: number }): Promise<void> {
    expect(await this.#history.end(place), this.#about()).toMatchObject({ kind: "taken" });
    this.#note([place.session]);
    this.#ended(place);
  }

  #began({ session, turn }: { session: string; turn: number }): void {
    const key = `${session} ${turn - 1}`;
    if (!this.#ends.has(key)) this.#ends.set(key, { copy: this.#last, next: this.#segments.length });
  }

  #ended({ session, turn }: { session: string; turn: number }): void {
    this.#ends.set(`${session} ${turn}`, { copy: this.#last, next: this.#segments.length });
  }

  /** Everything since the last note was done by these. */
  #note(by: readonly string[], named: ReadonlyMap<string, string> = new Map()): void {
    const after = copyOf(this.#project.root);
    if (changedPaths(this.#last, after).length > 0) this.#segments.push({ before: this.#last, after, by, named });
    this.#last = after;
  }

  async #rewind(): Promise<void> {
    const session: Session = sessions[this.#pick(2)] ?? "a";
    const known = this.#history.turnsOf(session);
    const to = known[known.length - 1 - this.#pick(Math.min(known.length, 4))];
    const end = to === undefined ? undefined : this.#ends.get(`${session} ${to}`);
    if (to === undefined || end === undefined) return;
    if (this.#pick(3) === 0) this.#personWorks();
    this.#note(["person"]);
    const { root } = this.#project;
    const before = this.#last;
    const judged = judgeByCopies(end.copy, this.#segments.slice(end.next), session);
    this.#log.push(`rewind ${session} to ${to}`);
    const preview = await this.#history.preview({ session, to });
    expect(changedPaths(before, copyOf(root)), this.#about()).toEqual([]);
    const owned = ownedBy(end.copy);
    // Also one that was written over since, hidden or not: it is still the file that nobody had recorded.
    const rewritten = new Set(
      this.#segments.slice(end.next).flatMap(({ after }) => [...ownedBy(after, (path) => end.copy.has(path))]),
    );
    const isOwnedContent = (entry: string | undefined) =>
      owned.has(contentOf(entry)) || rewritten.has(contentOf(entry));
    const isOwned = (path: string) =>
      this.#segments.slice(end.next).some(({ after }) => isOwnedContent(after.get(path))) ||
      isOwnedContent(before.get(path));
    const wanted = [...judged.expected].filter(([path, entry]) => !isHidden(path) && before.get(path) !== entry);
    // Whether a turn that was cut or the person made a change depends on the moment: it may be known, and may be a conflict.
    const isUncertain = (path: string) =>
      this.#segments
        .slice(end.next)
        .some((one) => one.by.includes("person") && one.by.length > 1 && one.before.get(path) !== one.after.get(path));
    for (const path of judged.conflicts) {
      if (isHidden(path) || isOwned(path) || isUncertain(path)) continue;
      expect(
        preview.conflicts.map((one) => one.path),
        `${path} is a conflict\n${this.#storyOf(path, end)}\nkept ${preview.kept}\n${this.#about()}`,
      ).toContain(path);
    }
    for (const { path, reason } of preview.conflicts) {
      if (reason === "in_the_way" || isUncertain(path)) continue;
      expect(
        judged.conflicts.has(path) || isOwned(path),
        `${path} is no conflict\n${this.#storyOf(path, end)}\n${this.#about()}`,
      ).toBe(true);
    }
    const force = preview.conflicts.filter(({ reason }) => reason === "changed_since").map(({ path }) => path);
    if (preview.conflicts.length > 0) {
      this.#tell("conflict");
      expect(await this.#history.rewind({ session, to }), this.#about()).toMatchObject({ kind: "conflict" });
      expect(changedPaths(before, copyOf(root)), this.#about()).toEqual([]);
    }
    const forced = await this.#history.preview({ session, to, force });
    if (forced.conflicts.length > 0) return this.#tell("blocked");
    const isKilled = this.#pick(4) === 0 && forced.changes.length > 0;
    const moved = isKilled
      ? await this.#killedRewind({ session, to, force })
      : await this.#move({ session, to, force });
    const after = copyOf(root);
    // Byte for byte as it was, and nothing of anybody else's is lost.
    for (const [path, entry] of judged.expected) {
      if (isHidden(path) || isOwned(path)) continue;
      expect(after.get(path), `${path} after\n${this.#storyOf(path, end)}\n${this.#about()}`).toBe(entry);
      if (before.get(path) === entry && end.copy.get(path) !== entry) this.#tell(this.#whoseKind(path, end.next));
    }
    for (const path of new Set([...before.keys(), ...judged.expected.keys()])) {
      const isUnrecorded = isHidden(path) || owned.has(contentOf(before.get(path)));
      if (!isUnrecorded && !isOwned(path)) continue;
      // What nobody had recorded stays. A place where it only was for a time may also go back to what it held before.
      const allowed = isUnrecorded ? [before.get(path)] : [before.get(path), judged.expected.get(path)];
      const about = `${path} stays\n${this.#storyOf(path, end)}\n${this.#about()}`;
      expect(allowed, about).toContain(after.get(path));
    }
    for (const path of emptyOf(end.copy)) {
      const since = this.#segments.slice(end.next);
      const story = since.filter((one) => one.before.get(path) !== one.after.get(path));
      const isAlone = since.every((one) => {
        return (
          (one.by.length === 1 && one.by[0] === session) ||
          !changedPaths(one.before, one.after).some((name) => name.startsWith(path))
        );
      });
      // Where somebody's file stands on the way there can be no directory.
      const isOpen = path.split("/").every((_, at, parts) => !after.has(parts.slice(0, at).join("/")));
      const isMine = story.length > 0 && isAlone && isOpen;
      if (isMine && !isHidden(path)) expect(after.has(path), `${path} is back\n${this.#about()}`).toBe(true);
    }
    // The preview said exactly that.
    const files = forced.changes.map(({ path }) => path).sort();
    expect(changedPaths(before, after), this.#about()).toEqual(files);
    const judgedFiles = files.filter((path) => !path.endsWith("/") && !isOwned(path));
    const wantedFiles = wanted.map(([path]) => path).filter((path) => !isOwned(path));
    expect(wantedFiles.sort(), this.#about()).toEqual(judgedFiles);
    this.#note([session]);
    this.#tell("moved");
    if (moved !== "killed" && this.#pick(2) === 0) {
      const undone = await this.#history.undo({ session, token: moved });
      expect(undone, this.#about()).toMatchObject({ kind: "moved" });
      for (const path of changedPaths(before, copyOf(root))) {
        this.#log.push(this.#storyOf(path, end));
        this.#log.push(`${path}: ${before.get(path)} -> ${after.get(path)} -> ${copyOf(root).get(path)}`);
      }
      expect(changedPaths(before, copyOf(root)), `after the undo\n${this.#about()}`).toEqual([]);
      this.#note([session]);
      this.#tell("undone");
    }
  }

  async #move(wish: { session: string; to: number; force: string[] }): Promise<string> {
    const result: Moved | Refused = await this.#history.rewind(wish);
    if (result.kind === "conflict") this.#log.push(JSON.stringify(result));
    expect(result, this.#about()).toMatchObject({ kind: "moved" });
    return result.kind === "moved" ? result.undo : "";
  }

  /** In a process of its own, which is killed as soon as it begins to move, or a moment later. */
  async #killedRewind(wish: { session: string; to: number; force: string[] }): Promise<"killed"> {
    await this.#history.close();
    const { root, base } = this.#project;
    const directory = join(base, "store");
    const program = fileURLToPath(new URL("programs/rewind.mjs", import.meta.url));
    const child = spawn(process.execPath, [program, JSON.stringify({ root, directory, ...wish })], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const journal = join(directory, readdirSync(directory)[0] ?? "", "sessions", "history", "move.json");
    while (!isOver && !existsSync(journal)) await setTimeout(1);
    for (let left = this.#pick(3); left > 0; left--) await setTimeout(1);
    child.kill("SIGKILL");
    await ended;
    this.#history = await this.#open();
    this.#tell(this.#history.recovered === undefined ? "killed too late" : "killed");
    if (this.#history.recovered) {
      expect(this.#history.recovered, this.#about()).toMatchObject({
        how: "finished",
        left: [],
        session: wish.session,
      });
    }
    const left = [...copyOf(root).keys()].filter((path) => path.includes(".moving-"));
    expect(left, this.#about()).toEqual([]);
    return "killed";
  }

  async #reopen(): Promise<void> {
    await this.#history.close();
    this.#history = await this.#open();
  }

  #open(): Promise<DirectoryHistory> {
    const { root, base } = this.#project;
    const opened = DirectoryHistory.open({ root, directory: join(base, "store") });
    onTestFinished(async () => (await opened).close());
    return opened;
  }

  #whoseKind(path: string, next: number): string {
    const last = this.#segments.slice(next).findLast((one) => one.before.get(path) !== one.after.get(path));
    return last?.by[0] === "person" ? "person stays" : "other stays";
  }

  #storyOf(path: string, end: { copy: Copy; next: number }): string {
    const changes = this.#segments.slice(end.next).filter((one) => one.before.get(path) !== one.after.get(path));
    const told = changes.map(({ by, named, after }) => `${named.get(path) ?? by}: ${JSON.stringify(after.get(path))}`);
    const { base } = this.#project;
    const directory = join(base, "store");
    const file = join(directory, readdirSync(directory)[0] ?? "", "sessions", "history", "points.jsonl");
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes('"changes"'));
    const known = lines
      .map((line) => JSON.parse(line))
      .flatMap(({ n, kind, session, turn, changes }) =>
        changes
          .filter((one: { path: string }) => one.path === path)
          .map((one: unknown) => JSON.stringify({ n, kind, session, turn, one })),
      );
    return [`${path} was ${JSON.stringify(end.copy.get(path))}`, ...told, ...known].join("\n");
  }

  #tell(kind: string): void {
    this.#told.set(kind, (this.#told.get(kind) ?? 0) + 1);
  }

  #about(): string {
    return `seed ${this.#seed}\n${this.#log.slice(-60).join("\n")}`;
  }

  #works(who: string, most: number): void {
    this.#log.push(who);
    for (let left = 1 + this.#pick(most); left > 0; left--) this.#work();
  }

  #work(): void {
    const { root } = this.#project;
    const [path, other] = [this.#path(), this.#path()];
    const [file, target] = [join(root, path), join(root, other)];
    const action = actions[this.#pick(actions.length)] ?? "write";
    this.#log.push(`  ${action} ${path} ${other}`);
    try {
      switch (action) {
        case "write":
          mkdirSync(dirname(file), { recursive: true });
          return writeFileSync(file, this.#content());
        case "replace":
          writeFileSync(`${file}.new`, this.#content());
          return renameSync(`${file}.new`, file);
        case "rename":
          mkdirSync(dirname(target), { recursive: true });
          return renameSync(file, target);
        case "chmod":
          return lstatSync(file).isFile() ? chmodSync(file, modes[this.#pick(modes.length)] ?? 0o644) : undefined;
        case "chmod directory":
          return lstatSync(file).isDirectory()
            ? chmodSync(file, [0o700, 0o755, 0o750][this.#pick(3)] ?? 0o755)
            : undefined;
        case "delete":
          return rmSync(file, { recursive: true });
        case "mkdir":
          return void mkdirSync(file, { recursive: true });
        case "link":
          rmSync(file, { recursive: true, force: true });
          return symlinkSync(names[this.#pick(names.length)] ?? "a", file);
        case "unhide":
          return renameSync(join(root, hidden[this.#pick(hidden.length)] ?? ""), file);
        case "hide":
          return writeFileSync(join(root, `new ${this.#pick(3)}.log`), this.#content());
      }
    } catch {
      this.#log.push("  (not possible)");
    }
  }

  #path(): string {
    return Array.from({ length: 1 + this.#pick(3) }, () => names[this.#pick(names.length)] ?? "a").join("/");
  }

  #content(): string {
    this.#written += 1;
    return `${this.#written}\n`;
  }
}

/** A prompt is not kept waiting so long; here a busy machine is no news. */
const patient = { timeoutMs: 120_000 };
const names = ["a", "b", "c.txt", "d", 'weird "name*'];
const hidden = ["keep.log", "build/out", "nested/inner", "new 1.log"];
const modes = [0o600, 0o644, 0o755, 0o700, 0o444];
const actions = [
  "write",
  "write",
  "write",
  "replace",
  "rename",
  "chmod",
  "chmod directory",
  "delete",
  "mkdir",
  "link",
  "unhide",
  "hide",
] as const;

/** Ignored by the rules, or in a repository of its own. */
function isHidden(path: string): boolean {
  return path.endsWith(".log") || path.startsWith("build/") || path.startsWith("nested/");
}

/** Contents that no snapshot has, of files that were there. */
function ownedBy(copy: Copy, isMeant: (path: string) => boolean = () => true): Set<string> {
  const hiddenOnes = [...copy].filter(([path]) => isHidden(path) && !path.endsWith("/") && isMeant(path));
  return new Set(hiddenOnes.map(([, entry]) => contentOf(entry)));
}

function contentOf(entry: string | undefined): string {
  return entry === undefined || entry.startsWith("link ") ? "none" : entry.slice(entry.indexOf(" ") + 1);
}

function emptyOf(copy: Copy): string[] {
  const paths = [...copy.keys()];
  return paths.filter((path) => path.endsWith("/") && !paths.some((one) => one !== path && one.startsWith(path)));
}
