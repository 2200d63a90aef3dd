import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "@muster/chaos";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { BorrowedRepository, findRepository, runGit } from "../../src/index.ts";
import { makeTrapPlace, type Trap, type TrapPlace, traps } from "./git-traps.ts";
import { secondTraps } from "./more-git-traps.ts";

const template = makeTrapPlace();
afterAll(() => template.remove());

const someOfThem = secondTraps.filter((_, index) => isLong || index % 4 === 0);
const places: TrapPlace[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const place of places.splice(0)) place.remove();
});

describe("a repository whose settings name a program", () => {
  test("there are at least 40 of them", () => {
    expect(traps.length).toBeGreaterThanOrEqual(40);
  });

  test.each([...traps, ...someOfThem])("$what: plain git runs it, the door does not", async (trap) => {
    const control = setTrap(trap);
    plainGit(control, trap);
    expect({ what: trap.what, plainGitRuns: control.hasRun() }).toEqual({ what: trap.what, plainGitRuns: true });

    const place = setTrap(trap);
    vi.stubEnv("HOME", place.home);
    vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
    for (const [name, value] of Object.entries(trap.env?.(place) ?? {})) vi.stubEnv(name, value);
    const args = argumentsOf(trap, place);
    const limits = { timeoutMs: 20_000 };
    const repository = await BorrowedRepository.open(place.root, limits);
    const answers: string[] = [];
    const ask = async (...given: readonly string[]) =>
      answers.push((await repository?.run(given).catch(() => "")) ?? "");
    await ask("status", "--porcelain=v1", "--branch");
    await ask("diff");
    await ask("diff", "--cached");
    await ask("log", "-10", "-p");
    await ask("ls-files", "-z", "-c", "-m", "-i", "--exclude-standard");
    await ask(...args);
    await repository?.close();
    await runGit(["--version"], { cwd: place.root, ...limits });
    expect({ what: trap.what, ran: place.hasRun() }).toEqual({ what: trap.what, ran: false });
    expect(repository === undefined || answers.some((answer) => answer !== "")).toBe(true);
  });
});

describe("what a borrowed repository says", () => {
  test("is what git says: status, both diffs, log, upstream", async () => {
    const place = openPlace();
    place.git("clone", "--quiet", ".", join(place.base, "clone"));
    const root = join(place.base, "clone");
    const git = (...args: string[]) => place.git("-C", root, ...args);
    writeFileSync(join(root, "b.txt"), "new\n");
    git("add", "b.txt");
    git("commit", "--quiet", "-m", "second");
    writeFileSync(join(root, "a.txt"), "changed\n");
    writeFileSync(join(root, "b.txt"), "staged\n");
    git("add", "b.txt");
    writeFileSync(join(root, ".gitignore"), "ignored\n");
    writeFileSync(join(root, "ignored"), "");
    for (const args of [["status", "--porcelain=v1", "--branch"], ["diff"], ["diff", "--cached"], ["log", "-10"]]) {
      expect(await borrowed(root, ...args)).toBe(git(...args));
    }
    expect(await borrowed(root, "status", "--porcelain=v1", "--branch")).toContain("[ahead 1]");
  });

  test("holds for a second work tree, a folder below the top, a split index and line ends", async () => {
    const place = openPlace();
    place.config("core.autocrlf", "true");
    place.git("update-index", "--split-index");
    const tree = join(place.base, "tree");
    place.git("worktree", "add", "--quiet", tree);
    writeFileSync(join(tree, "a.txt"), "other\r\n");
    mkdirSync(join(tree, "below"));
    for (const cwd of [place.root, tree, join(tree, "below")]) {
      expect(await borrowed(cwd, "diff")).toBe(place.git("-C", cwd, "diff"));
      expect(await borrowed(cwd, "status", "--porcelain=v1")).toBe(place.git("-C", cwd, "status", "--porcelain=v1"));
    }
  });

  test("leaves nothing behind and writes nothing of theirs", async () => {
    const place = openPlace();
    const index = place.git("hash-object", ".git/index");
    const repository = await BorrowedRepository.open(place.root);
    await repository?.run(["status"]);
    await repository?.close();
    expect(place.git("hash-object", ".git/index")).toBe(index);
    expect(existsSync(join(place.root, ".git/index.lock"))).toBe(false);
  });
});

describe("what is no repository of that directory", () => {
  test("is undefined outside of every repository and in a bare one", async () => {
    const place = openPlace();
    expect(await findRepository(place.base)).toBeUndefined();
    place.git("init", "--quiet", "--bare", join(place.base, "bare"));
    expect(await findRepository(join(place.base, "bare"))).toBeUndefined();
  });

  test("is one that calls somebody else's directory its work tree", async () => {
    const place = openPlace();
    place.config("core.worktree", realpathSync(place.base));
    expect(await findRepository(place.root)).toBeUndefined();
  });

  test("is one whose HEAD is a pipe", async () => {
    const place = openPlace();
    rmSync(join(place.root, ".git/HEAD"));
    spawnSync("mkfifo", [join(place.root, ".git/HEAD")]);
    const opened = await BorrowedRepository.open(place.root, { timeoutMs: 1_000 }).catch(() => undefined);
    expect(opened).toBeUndefined();
  });
});

function openPlace(): TrapPlace {
  const place = makeTrapPlace(template.root);
  places.push(place);
  vi.stubEnv("HOME", place.home);
  return place;
}

function setTrap(trap: Trap): TrapPlace {
  const place = makeTrapPlace(template.root);
  places.push(place);
  trap.set(place);
  return place;
}

function argumentsOf(trap: Trap, { program }: TrapPlace): string[] {
  return trap.args.map((word) => word.replace("PROGRAM", program));
}

function plainGit(place: TrapPlace, trap: Trap): void {
  const env = { PATH: process.env.PATH, HOME: place.home, GIT_CONFIG_NOSYSTEM: "1", ...trap.env?.(place) };
  const words = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", ...argumentsOf(trap, place)];
  const shell = words.map((word) => `'${word}'`).join(" ");
  const [program, args] = trap.atTerminal ? ["script", ["-qec", shell, "/dev/null"]] : ["sh", ["-c", shell]];
  const input = trap.args[0] === "credential" ? "protocol=https\nhost=localhost\nusername=a\n\n" : "y\n";
  spawnSync(program, args, { cwd: place.root, env, input, timeout: 20_000 });
}

async function borrowed(cwd: string, ...args: readonly string[]): Promise<string> {
  const repository = await BorrowedRepository.open(cwd);
  try {
    return (await repository?.run(args)) ?? "none";
  } finally {
    await repository?.close();
  }
}
