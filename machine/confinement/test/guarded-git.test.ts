import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isLong } from "@muster/chaos";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, trySandbox } from "../src/index.ts";
import { installBubblewrap } from "./install-bubblewrap.ts";

installBubblewrap();
const kinds = ["namespaces", "bubblewrap"] as const;

/** Says to every git that reads these settings: run this. */
const evil = 'evil() { git config -f "$1" core.fsmonitor "touch $RAN; false #"; }';
const evilCopy = `${evil}; cp -r .git evil && rm -f evil/commondir && evil evil/config`;
const evilNested = (place: string) =>
  `${evil}; mv ${place}/.git ${place}/.old 2>/dev/null; git init -q ${place} && evil ${place}/.git/config`;

interface Attack {
  readonly what: string;
  /** Made outside, before the attack. */
  readonly before?: string;
  readonly attack: string;
  /** What a person types afterwards, outside. */
  readonly after?: string;
}

const submodule = "git init -q ../lib && git -C ../lib commit -q --allow-empty -m lib";
const attacks: readonly Attack[] = [
  { what: "other settings by commondir", attack: `${evilCopy}; echo ../evil >.git/commondir` },
  { what: "a commondir that is moved there", attack: `${evilCopy}; echo ../evil >c && mv -f c .git/commondir` },
  { what: "a commondir that is a link", attack: `${evilCopy}; echo ../evil >c; ln -sf ../c .git/commondir` },
  {
    what: "a commondir after another was removed",
    attack: `${evilCopy}; rm -f .git/commondir; echo ../evil >.git/commondir`,
  },
  {
    what: "a commondir by a process that stays",
    attack: `${evilCopy}; (setsid sh -c 'trap "" TERM HUP; for n in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; rm -f .git/commondir; echo ../evil >.git/commondir; done' >/dev/null 2>&1 &) ; sleep 0.3`,
    after: "sleep 1.2; git status",
  },
  {
    what: "settings of a work tree that has none yet",
    before: "git config extensions.worktreeConfig true",
    attack: `${evil}; evil .git/config.worktree`,
  },
  { what: "the settings themselves", attack: `${evil}; evil .git/config` },
  {
    what: "a submodule that is another repository now",
    before: `${submodule} && git -c protocol.file.allow=always submodule --quiet add ../lib sub && git commit -qm sub`,
    attack: evilNested("sub"),
  },
  {
    what: "the settings of a submodule",
    before: `${submodule} && git -c protocol.file.allow=always submodule --quiet add ../lib sub && git commit -qm sub`,
    attack: `${evil}; evil .git/modules/sub/config`,
  },
  {
    what: "the settings of a submodule with a directory of its own",
    before: `${submodule} && cp -r ../lib sub && git -c protocol.file.allow=always submodule --quiet add ../lib sub && git commit -qm sub`,
    attack: `${evil}; evil sub/.git/config`,
  },
  {
    what: "the settings of a repository that a file names",
    before: "git init -q --separate-git-dir real.git",
    attack: `${evil}; evil real.git/config`,
  },
  {
    what: "a commondir in a repository that a file names",
    before: "git init -q --separate-git-dir real.git",
    attack: `${evil}; cp -r real.git evil; rm -f evil/commondir; evil evil/config; echo ../evil >real.git/commondir`,
  },
  {
    what: "a file that names another repository",
    before: "git init -q --separate-git-dir real.git",
    attack: `${evil}; cp -r real.git evil; evil evil/config; rm -f .git; echo 'gitdir: evil' >.git`,
  },
  {
    what: "settings behind a link",
    before: "mv .git/config settings && ln -s ../settings .git/config",
    attack: `rm -f .git/config; cp settings .git/config; ${evil}; evil .git/config; evil settings`,
  },
  {
    what: "settings that the repository includes",
    before: "touch shared.gitconfig && git config include.path ../shared.gitconfig",
    attack: `${evil}; evil shared.gitconfig; evil other && mv -f other shared.gitconfig`,
  },
];

function project(before = ":") {
  // Below /tmp everything would be the command's own.
  const around = realpathSync(mkdtempSync(join(homedir(), ".guarded-git-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const root = join(around, "project");
  mkdirSync(root);
  const env = {
    PATH: process.env.PATH,
    HOME: around,
    RAN: join(around, "RAN"),
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const outside = (command: string) => spawnSync("bash", ["-c", command], { cwd: root, env, encoding: "utf8" });
  const begun = outside(`set -e; git init -q -b main; echo 1 >a; git add a; git commit -qm first; ${before}`);
  if (begun.status !== 0) throw new Error(begun.stderr);
  return { root, env, outside, hasRun: () => existsSync(env.RAN) };
}

const wish = { writes: "project", network: "denied" } as const;

function confined(sandbox: Sandbox, { root, env }: ReturnType<typeof project>, command: string) {
  const text = sandbox.wrap(command, { ...wish, root });
  return spawnSync("bash", ["-c", text], { cwd: root, env, encoding: "utf8" });
}

test.each(attacks)(
  "without a sandbox a git of the person's runs what $what says",
  ({ before, attack, after = "git status" }) => {
    const { outside, hasRun } = project(before);
    outside(attack);
    outside(after);
    expect(hasRun()).toBe(true);
  },
);

/** The mounts are the same in both words; the long form tries all of them in both. */
const tried = kinds.flatMap((by) =>
  attacks.filter((_, n) => by === "namespaces" || isLong || n % 5 === 0).map((one) => ({ by, ...one })),
);

test.for(tried)(
  "$by: a git of the person's does not run what $what says, and goes on working",
  async ({ by, before, attack, after = "git status" }, context) => {
    const sandbox = await trySandbox(by);
    if (sandbox === undefined) return context.skip(`there are no ${by} here`);
    const place = project(before);
    confined(sandbox, place, attack);
    const seen = place.outside(after);
    expect([seen.status, place.hasRun()]).toEqual([0, false]);
    expect(existsSync(join(place.root, ".git/commondir"))).toBe(false);
    expect(place.outside("git status && git log --format=%s | tail -1")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/first\n$/),
    });
  },
);

test.for(kinds)("%s: git works in the sandbox, and nothing is left in the repository", async (by, context) => {
  const sandbox = await trySandbox(by);
  if (sandbox === undefined) return context.skip(`there are no ${by} here`);
  const place = project();
  const work = "echo 2 >b && git add b && git commit -qm second && git log --format=%s && git status --short && exit 7";
  expect(confined(sandbox, place, work)).toMatchObject({ status: 7, stdout: "second\nfirst\n" });
  expect(existsSync(join(place.root, ".git/commondir"))).toBe(false);
});

test.for(kinds)("%s: of commands side by side the last one takes the placeholder away", async (by, context) => {
  const sandbox = await trySandbox(by);
  if (sandbox === undefined) return context.skip(`there are no ${by} here`);
  const place = project();
  const { root, env } = place;
  const begin = (command: string) => {
    const child = spawn("bash", ["-c", sandbox.wrap(command, { ...wish, root })], { cwd: root, env });
    return { child, ended: new Promise((ended) => child.once("close", ended)) };
  };
  const long = begin(
    "touch started; while [ ! -e go ]; do sleep 0.05; done; echo ../evil >.git/commondir; echo $? >told",
  );
  await expect.poll(() => existsSync(join(root, "started")), { timeout: 60_000 }).toBe(true);
  await Promise.all(Array.from({ length: 4 }, () => begin("rm -f .git/commondir; git status").ended));
  expect(readFileSync(join(root, ".git/commondir"), "utf8")).toBe(".\n");
  expect(execFileSync("git", ["log", "--format=%s"], { cwd: root, env, encoding: "utf8" })).toBe("first\n");
  writeFileSync(join(root, "go"), "");
  await long.ended;
  expect(readFileSync(join(root, "told"), "utf8")).not.toBe("0\n");
  expect(existsSync(join(root, ".git/commondir"))).toBe(false);
});

test.for(kinds)(
  "%s: what a killed sandbox left behind is harmless, and gone after the next command",
  async (by, context) => {
    const sandbox = await trySandbox(by);
    if (sandbox === undefined) return context.skip(`there are no ${by} here`);
    const place = project();
    const { root, env } = place;
    const text = sandbox.wrap("touch started; sleep 600", { ...wish, root });
    const child = spawn("bash", ["-c", text], { cwd: root, env, detached: true });
    await expect.poll(() => existsSync(join(root, "started")), { timeout: 60_000 }).toBe(true);
    const ended = new Promise((closed) => child.once("close", closed));
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    expect(place.outside("git status").status).toBe(0);
    confined(sandbox, place, "true");
    expect(existsSync(join(root, ".git/commondir"))).toBe(false);
  },
);
