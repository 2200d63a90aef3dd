import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { quoteForShell } from "@muster/core";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { type SandboxWish, trySandbox, type Wall } from "../src/index.ts";
import { installBubblewrap } from "./install-bubblewrap.ts";

const kinds = ["namespaces", "bubblewrap"] as const;
type Kind = (typeof kinds)[number];

installBubblewrap();
const wish = { writes: "project", network: "denied" } as const;

test.for(kinds)("%s: a command writes only where it may", async (by, context) => {
  const sandbox = await trySandbox(by);
  if (sandbox === undefined) return context.skip(`there are no ${by} here`);
  const around = realpathSync(mkdtempSync(join(tmpdir(), "confinement-test-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const root = join(around, "it's a project");
  mkdirSync(root);
  const run = (command: string, writes: "project" | "nothing" = "project") =>
    spawnSync("bash", ["-c", sandbox.wrap(command, { ...wish, root, writes })], { cwd: root, encoding: "utf8" });

  expect(run("echo yes >inside && cat inside && exit 7")).toMatchObject({ stdout: "yes\n", status: 7 });
  run(`echo no >${quoteForShell(join(around, "outside"))}`);
  expect(existsSync(join(around, "outside"))).toBe(false);
  expect(run("echo no >another", "nothing").status).not.toBe(0);
  expect(readdirSync(root)).toEqual(["inside"]);
  expect(run("tail -n +3 /proc/net/dev | grep -vc lo:").stdout).toBe("0\n");
});

test.for(kinds)("%s: a TMPDIR that is not there for the command is /tmp, another one stays", async (by, context) => {
  const { root, run } = await place(context, by);
  const before = process.env.TMPDIR;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  for (const [given, seen] of [
    [mkdtempSync("/tmp/not-there-"), "/tmp"],
    [root, root],
  ] as const) {
    process.env.TMPDIR = given;
    const made = run('dirname "$(mktemp -d)"').output;
    if (given !== root) rmSync(given, { recursive: true });
    expect(made).toBe(`${seen}\n`);
  }
});

test("quoteForShell makes one word of any text", () => {
  const text = 'it\'s $HOME `x`\n"y" \\';
  expect(spawnSync("bash", ["-c", `printf %s ${quoteForShell(text)}`], { encoding: "utf8" }).stdout).toBe(text);
});

/** A project that is not below /tmp: there everything is the command's own. */
async function place(context: TestContext, by: Kind, ...walls: readonly Wall[]) {
  const sandbox = await trySandbox(by);
  if (sandbox === undefined) return context.skip(`there are no ${by} here`);
  const missing = walls.filter((wall) => !sandbox.walls.includes(wall));
  if (missing.length > 0) return context.skip(`this kernel has no wall for ${missing.join()}`);
  const folder = [homedir(), process.cwd()].find((path) => !/^(\/var)?\/tmp\//.test(`${path}/`));
  if (folder === undefined) return context.skip("everything that may be written here is below /tmp");
  const around = realpathSync(mkdtempSync(join(folder, ".confinement-test-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const root = join(around, "project");
  // A repository of its own: of one it is a part of it would see the rest.
  mkdirSync(join(root, ".git"), { recursive: true });
  const run = (command: string, more: Partial<SandboxWish> = {}) => {
    const text = sandbox.wrap(command, { ...wish, root, ...more });
    const { status, stdout, stderr } = spawnSync("bash", ["-c", text], { cwd: root, encoding: "utf8" });
    return { status, output: stdout + stderr };
  };
  return { around, root, run };
}

test.for(kinds)(
  "%s: a socket outside cannot be reached, wherever its path is; a pair and the internet's are there",
  async (by, context) => {
    const { around, root, run } = await place(context, by, "sockets");
    for (const path of [join(around, "s"), join(root, "s")]) {
      const heard: string[] = [];
      const server = createServer((socket) => socket.on("data", (bytes) => heard.push(String(bytes)))).listen(path);
      onTestFinished(() => void server.close());
      await new Promise((listening) => server.once("listening", listening));
      const connect = `python3 -c 'import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);s.send(b"x")' ${quoteForShell(path)}`;
      for (const network of ["allowed", "denied"] as const) {
        expect(run(connect, { network, writes: "nothing", visible: [around] })).toMatchObject({
          status: 1,
          output: expect.stringContaining("PermissionError"),
        });
      }
      // The control: the same words outside.
      const plain = spawn("bash", ["-c", connect], { stdio: "ignore" });
      await new Promise((ended) => plain.once("close", ended));
      await expect.poll(() => heard).toEqual(["x"]);
    }
    const families = "import socket as s;s.socketpair();s.socket(s.AF_INET);s.socket(s.AF_INET6);print('fine')";
    expect(run(`python3 -c "${families}"`).output).toBe("fine\n");
    expect(run("python3 -c 'import socket as s;s.socket(s.AF_VSOCK)'").output).toContain("PermissionError");
    const uring = `perl -e 'my $p = "\\0" x 120; syscall(425, 1, $p) < 0 and print $!'`;
    expect(run(uring).output).toBe("Permission denied");
  },
);

test.for(kinds)("%s: a pipe is written to only where files are", async (by, context) => {
  const { around, root, run } = await place(context, by, "pipes");
  for (const directory of [around, root]) {
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe]);
    onTestFinished(() => void reader.kill());
    let heard = "";
    reader.stdout.on("data", (bytes) => {
      heard += bytes;
    });
    const write = `echo out >${quoteForShell(pipe)}`;
    const confined = { writes: "nothing", visible: [around] } as const;
    expect(run(write, confined)).toMatchObject({ status: 1, output: expect.stringContaining("Permission denied") });
    if (directory === around) expect(run(write, { visible: [around] }).status).toBe(1);
    spawnSync("bash", ["-c", write.replace("out", "control")]);
    await new Promise((ended) => reader.once("close", ended));
    expect(heard).toBe("control\n");
  }
  expect(
    run(
      "own=$(mktemp -d) && echo a >$own/a && mkdir $own/b && mv $own/a $own/b && mkdir c && echo d >d && mv d c && ls c",
    ).output,
  ).toBe("d\n");
});

test.for(kinds)(
  "%s: a command sees the system, the project and its programs, and nothing else",
  async (by, context) => {
    const { around, root, run } = await place(context, by);
    writeFileSync(join(around, "secret"), "");
    writeFileSync(join(root, "own"), "");
    const up = (path: string) => quoteForShell(resolve(path, ".."));
    expect(run(`ls ${up(root)}; ls /usr/bin/env; ls`).output).toBe("project\n/usr/bin/env\nown\n");
    expect(run(`ls ${up(root)}`, { visible: [around] }).output).toBe("project\nsecret\n");
    expect(run(`touch ${quoteForShell(around)}/x; node -p 1`)).toMatchObject({
      output: expect.stringMatching(/Read-only file system\n1\n$/),
    });
    expect(run("cd / && ls -A home root mnt srv media 2>/dev/null | grep -v :").output.trim()).not.toContain("ssh");
  },
);

test.for(kinds)("%s: hidden files are there and empty, for every way to read them", async (by, context) => {
  const { root, run } = await place(context, by);
  writeFileSync(join(root, ".env"), "KEY=hunter2hunter2\n");
  const hidden = [join(root, ".env"), join(root, "not there")];
  for (const writes of ["nothing", "project"] as const) {
    const command =
      "cat .env; grep -r hunter .; cat < .en*; find . -name '.e*' | xargs cat; cp .env copy 2>/dev/null; cat copy 2>/dev/null";
    expect(run(command, { writes, hidden }).output).toBe("");
    expect(run("rm -f .env; mv -f copy .env; echo x >.env; ls -A", { writes, hidden }).output).toContain(".env");
  }
  expect(readFileSync(join(root, ".env"), "utf8")).toBe("KEY=hunter2hunter2\n");
});

test.for(kinds)("%s: a command that may write the project writes nothing git runs later", async (by, context) => {
  const { root, run } = await place(context, by);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("init", "--quiet", "--template=");
  git("config", "user.email", "a@b.c");
  git("config", "user.name", "a");
  const config = readFileSync(join(root, ".git/config"), "utf8");
  const tries = [
    "git config core.fsmonitor evil",
    "echo evil >.git/config",
    "rm -f .git/config",
    "mv .git/config .git/old",
    "mv .git .old",
    "rm -rf .git",
    "echo evil >.git/hooks/pre-commit",
    "rmdir .git/hooks && mkdir .git/hooks && touch .git/hooks/x",
    "ln -sf /evil .git/config",
    "umount .git/config; umount -l .git; mount -o remount,rw .git/config",
    'perl -e \'rename(".git/config", ".git/x") or exit 1\'',
  ];
  for (const command of tries) run(command);
  expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(config);
  expect(readdirSync(join(root, ".git/hooks"))).toEqual([]);
  expect(existsSync(join(root, ".old"))).toBe(false);
  git("init", "--quiet");
  expect(run("echo 1 >a && git add a && git commit --quiet -m works && git log --format=%s").output).toBe("works\n");
});

test.for(kinds)(
  "%s: a command has limits: files it opens, memory, processes, the size of /tmp",
  async (by, context) => {
    const { run } = await place(context, by, "memory");
    expect(run("ulimit -Hn; ulimit -Hc; ulimit -Hu").output).toBe("16384\n0\n4096\n");
    expect(Number(run("ulimit -Hd").output)).toBeGreaterThan(0);
    // Bubblewrap before 0.7 has no size for it.
    if (by === "namespaces")
      expect(Number(run("df --output=size /tmp | tail -1").output)).toBeLessThanOrEqual(2 * 1024 * 1024);
  },
);

test("mounts of others that come and go while a sandbox is made do not keep it from being made", async (context) => {
  const { run } = await place(context, "namespaces");
  if (process.getuid?.() !== 0) return context.skip("only root mounts something for everybody to see");
  const folder = mkdtempSync(join(tmpdir(), "confinement-mounts-"));
  const script = `cd ${quoteForShell(folder)} && while [ ! -e stop ]; do
    for n in 1 2 3 4 5 6 7 8; do mkdir -p m$n && mount -t tmpfs tmpfs m$n; done; umount m? && rmdir m?; done`;
  const others = spawn("bash", ["-c", script], { stdio: "ignore" });
  try {
    const seen = Array.from({ length: 20 }, () => run("echo yes"));
    expect(seen).toEqual(Array(20).fill({ status: 0, output: "yes\n" }));
  } finally {
    writeFileSync(join(folder, "stop"), "");
    await new Promise((ended) => others.once("close", ended));
    spawnSync("bash", ["-c", `umount ${quoteForShell(folder)}/m? 2>/dev/null`]);
    rmSync(folder, { recursive: true, force: true });
  }
});
