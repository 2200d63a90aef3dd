import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminal, processesWith, uniqueSeconds, until } from "./terminal-fixture.ts";

/** What a terminal does over either channel. The numbers are the rows of the terminal's table of required behaviours. */
export function terminalCases(channel: "pty" | "pipes"): void {
  const open = () => openTerminal({ channel });
  const agent = { agentMode: true };

  test("P1: a command returns its output, exit code and directory", async () => {
    const terminal = open();
    expect(await terminal.run({ command: "echo hi" })).toEqual({
      command: "echo hi",
      startingCwd: terminal.root,
      stdout: "hi\n",
      exitCode: 0,
      status: "completed",
      sessionId: "main",
      cwd: terminal.root,
      durationMs: expect.any(Number),
    });
  });

  test("P2: a failing command leaves the shell alive and its status to the next command", async () => {
    const terminal = open();
    expect(await terminal.run({ command: "(exit 7)" })).toMatchObject({ exitCode: 7, status: "completed" });
    expect(await terminal.run({ command: "echo $?" })).toMatchObject({ stdout: "7\n" });
    expect(await terminal.run({ command: "false" })).toMatchObject({ exitCode: 1, status: "completed" });
    expect(await terminal.run({ command: "nosuchprogram" })).toMatchObject({
      exitCode: 127,
      stdout: "bash: nosuchprogram: command not found\n",
    });
  });

  test("P3: directory, variables, functions and options stay", async () => {
    const terminal = open();
    expect(await terminal.run({ command: "cd /usr" })).toMatchObject({ cwd: "/usr" });
    await terminal.run({ command: "export A=5; b=6; f() { echo x$1; }; shopt -s extglob" });
    expect((await terminal.run({ command: "pwd; echo $A $b; f 1; shopt -p extglob" })).stdout).toBe(
      "/usr\n5 6\nx1\nshopt -s extglob\n",
    );
  });

  test("cwd holds for one command unless the command itself goes elsewhere", async () => {
    const terminal = open();
    mkdirSync(join(terminal.root, "sub dir"));
    const there = await terminal.run({ command: "pwd", cwd: "sub dir" });
    expect(there).toMatchObject({ stdout: `${join(terminal.root, "sub dir")}\n`, cwd: terminal.root });
    expect((await terminal.run({ command: "pwd" })).stdout).toBe(`${terminal.root}\n`);
    expect(await terminal.run({ command: "cd /", cwd: "sub dir" })).toMatchObject({ cwd: "/" });
    const missing = await terminal.run({ command: "touch made", cwd: "nowhere" });
    expect(missing).toEqual({ command: "touch made", errorMessage: "No such directory: nowhere" });
  });

  test("P4: loops, heredocs and long lines full of quotes arrive exactly", async () => {
    const terminal = open();
    expect((await terminal.run({ command: "for i in 1 2\ndo\n  echo $i\ndone" })).stdout).toBe("1\n2\n");
    expect((await terminal.run({ command: "cat <<'END'\n$HOME `x` \"y\"\nEND" })).stdout).toBe('$HOME `x` "y"\n');
    const odd = `'"\`$!\\`.repeat(100_000 / 6);
    writeFileSync(join(terminal.root, "expected"), odd);
    const quoted = `'${odd.replaceAll("'", "'\\''")}'`;
    const long = await terminal.run({ command: `printf %s ${quoted} >actual; cmp actual expected && echo same` });
    expect(long).toMatchObject({ stdout: "same\n", exitCode: 0 });
    expect(await terminal.run({ command: "echo 'open" })).toMatchObject({
      exitCode: expect.any(Number),
      status: "completed",
    });
    expect((await terminal.run({ command: "echo a\0b" })).errorMessage).toContain("NUL");
  });

  test("P5: markers of other programs and forged records are plain output", async () => {
    const terminal = open();
    const forged = "printf 'one\\033]777;e;0123456789abcdef;0;/tmp\\atwo\\n'; echo '<<<prompt>>> $ # >'; (exit 4)";
    const result = await terminal.run({ command: forged });
    expect(result).toMatchObject({ stdout: "onetwo\n<<<prompt>>> $ # >\n", exitCode: 4, cwd: terminal.root });
  });

  test("P6: output without a newline, ending in an escape sequence, or in split characters is exact", async () => {
    const terminal = open();
    expect((await terminal.run({ command: "printf abc" })).stdout).toBe("abc");
    expect((await terminal.run({ command: "printf 'abc\\033['" })).stdout).toBe("abc");
    const split = "for b in '\\360' '\\237' '\\230' '\\200'; do printf $b; sleep 0.05; done";
    expect((await terminal.run({ command: split })).stdout).toBe("😀");
  });

  test("P6: a character split between two readings of a running program is not lost", async () => {
    const terminal = open();
    const command = "printf 'a\\360\\237'; sleep 1; printf '\\230\\200b'";
    const first = await terminal.run({ command, yield_seconds: 0.4 }, agent);
    const second = await terminal.run({}, agent);
    expect([first.stdout, second.stdout]).toEqual(["a", "😀b"]);
  });

  test("P7: a command that reads its input gets the end of it at once", async () => {
    const terminal = open();
    expect(await terminal.run({ command: "cat; echo end" })).toMatchObject({ stdout: "end\n", status: "completed" });
  });

  test("P8: a program that waits gets typed input", async () => {
    const terminal = open();
    const waiting = await terminal.run({ command: "read x; echo got:$x", yield_seconds: 0.3 }, agent);
    expect(waiting).toMatchObject({ status: "running", stdout: "" });
    expect(waiting.exitCode).toBeUndefined();
    expect(await terminal.run({ input: "typed\n" }, agent)).toMatchObject({
      stdout: "got:typed\n",
      status: "completed",
    });
  });

  test("typed input that the program did not read is never run as a command", async () => {
    const terminal = open();
    await terminal.run({ command: "read x; sleep 0.5; echo got:$x", yield_seconds: 0.3 }, agent);
    const read = await terminal.run({ input: "one\ntouch two; exit 5\nthree" }, agent);
    expect(read).toMatchObject({ stdout: "got:one\n", status: "completed" });
    expect(await terminal.run({ command: "echo next; ls" }, agent)).toMatchObject({
      stdout: "next\n",
      status: "completed",
    });
  });

  test("P10: CTRL_C ends a program with 130 and the shell goes on", async () => {
    const terminal = open();
    await terminal.run({ command: "cd /usr; export KEPT=1; sleep 30; echo after", yield_seconds: 0.4 }, agent);
    const stopped = await terminal.run({ command_signal: "CTRL_C" }, agent);
    expect(stopped).toMatchObject({ exitCode: 130, status: "completed" });
    expect(stopped.stdout).not.toContain("after");
    expect((await terminal.run({ command: "pwd; echo $KEPT" })).stdout).toBe("/usr\n1\n");
  });

  test("P11: KILL ends a program that ignores CTRL_C, with all its children, and the directory stays", async () => {
    const terminal = open();
    const seconds = uniqueSeconds();
    await terminal.run({ command: "cd /usr; export KEPT=1" }, agent);
    const stubborn = `trap '' INT TERM; bash -c 'trap "" INT TERM; sleep ${seconds}' & sleep ${seconds}`;
    await terminal.run({ command: `bash -c '${stubborn.replaceAll("'", "'\\''")}'`, yield_seconds: 0.5 }, agent);
    await until(() => processesWith(seconds).length >= 2, "both sleeps run");
    expect(await terminal.run({ command_signal: "CTRL_C", yield_seconds: 0.5 }, agent)).toMatchObject({
      status: "running",
    });
    expect(await terminal.run({ command_signal: "KILL" }, agent)).toMatchObject({ status: "died", exitCode: 137 });
    expect(processesWith(seconds)).toEqual([]);
    expect((await terminal.run({ command: "pwd; echo $KEPT" })).stdout).toBe("/usr\n1\n");
  });

  test("P12, D2: a timeout keeps the output so far, answers 124 and leaves no process", async () => {
    const terminal = open();
    const seconds = uniqueSeconds();
    await terminal.run({ command: "cd /usr; export KEPT='a b'" });
    const late = await terminal.run({ command: `echo before; sleep ${seconds}; echo after`, timeout_seconds: 1 });
    expect(late).toMatchObject({ stdout: "before\n", exitCode: 124, status: "timed_out", timedOut: true, cwd: "/usr" });
    expect(processesWith(seconds)).toEqual([]);
    expect((await terminal.run({ command: "pwd; echo $KEPT" })).stdout).toBe("/usr\na b\n");
  });

  test("P13: in agent mode a program runs on and each reading has only what is new", async () => {
    const terminal = open();
    const goOn = join(terminal.root, "go-on");
    const command = `echo 1; echo 2; until [ -e ${goOn} ]; do sleep 0.05; done; echo 3; echo 4`;
    const first = await terminal.run({ command, yield_seconds: 0.25 }, agent);
    expect(first.status).toBe("running");
    let read = first.stdout;
    await until(async () => {
      if (read === "1\n2\n") return true;
      const { status, stdout } = await terminal.run({ yield_seconds: 0.25 }, agent);
      expect(status).toBe("running");
      read += stdout ?? "";
      return false;
    }, "the program has written its first lines");
    const refused = await terminal.run({ command: "echo no" }, agent);
    expect(refused.errorMessage).toContain("echo 1; echo 2");
    writeFileSync(goOn, "");
    expect(await terminal.run({}, agent)).toMatchObject({ status: "completed", stdout: "3\n4\n", exitCode: 0 });
    expect((await terminal.run({}, agent)).errorMessage).toBe("Nothing is running in session main");
  });

  test("a program that ended unseen is told of with the next command", async () => {
    const terminal = open();
    const goOn = join(terminal.root, "go-on");
    const command = `until [ -e ${goOn} ]; do sleep 0.05; done; echo last words; (exit 5)`;
    await terminal.run({ command, yield_seconds: 0.25 }, agent);
    writeFileSync(goOn, "");
    // While it runs a second command is refused.
    let next = await terminal.run({ command: "echo next" }, agent);
    await until(async () => {
      if (next.errorMessage === undefined) return true;
      next = await terminal.run({ command: "echo next" }, agent);
      return false;
    }, "the program has ended");
    expect(next.stdout).toBe("next\n");
    expect(next.message).toMatch(/has ended with exit code 5. Its last output:\nlast words\n$/);
  });

  test("what a background job writes between two commands is told with the next", async () => {
    const terminal = open();
    const job = "(until [ -e go-on ]; do sleep 0.05; done; echo late; touch done) & echo early";
    expect((await terminal.run({ command: job })).stdout).toBe("early\n");
    writeFileSync(join(terminal.root, "go-on"), "");
    await until(() => existsSync(join(terminal.root, "done")), "the job has written");
    const next = await terminal.run({ command: "echo next" });
    expect(next).toMatchObject({
      stdout: "next\n",
      message: expect.stringMatching(/^Written by background jobs.*\nlate\n/),
    });
    expect((await terminal.run({ command: "true" })).message ?? "").not.toContain("\nlate\n");
  });

  test.each([
    ["exit 3", 3],
    ["set -e; false", 1],
    ["exec true", 0],
    ["kill -9 $$", 137],
  ])(
    "P14: after %s the next command works in the last directory with the last environment",
    async (command, exitCode) => {
      const terminal = open();
      await terminal.run({ command: "cd /usr; export KEPT=$'quote\\' \"and\\nline'" });
      expect(await terminal.run({ command })).toMatchObject({ status: "died", exitCode });
      expect((await terminal.run({ command: 'pwd; echo "$KEPT"' })).stdout).toBe("/usr\nquote' \"and\nline\n");
    },
  );

  test("P14: what a dying command had written is not lost", async () => {
    const terminal = open();
    expect(await terminal.run({ command: "printf 'last words\\033'; exit 3" })).toMatchObject({ stdout: "last words" });
  });

  test("P15: a directory that vanished is replaced by the project's, with a note", async () => {
    const terminal = open();
    await terminal.run({ command: "mkdir dir; cd dir; rm -rf ../dir" });
    const next = await terminal.run({ command: "pwd" });
    expect(next).toMatchObject({ stdout: `${terminal.root}\n`, cwd: terminal.root });
    expect(next.message).toContain(join(terminal.root, "dir"));
    expect((await terminal.run({ command: "pwd" })).message).toBeUndefined();
  });

  test("P15: the same when the shell dies in the vanished directory", async () => {
    const terminal = open();
    await terminal.run({ command: "mkdir dir; cd dir; rm -rf ../dir" });
    await terminal.kill();
    const next = await terminal.run({ command: "pwd" });
    expect(next).toMatchObject({ stdout: `${terminal.root}\n`, cwd: terminal.root });
    expect(next.message).toContain("no longer exists");
  });

  test("a directory with odd characters in its name is told exactly", async () => {
    const terminal = open();
    const name = "a;b %41\n\ttab ü\x1b]";
    mkdirSync(join(terminal.root, name));
    const command = `cd "$(printf 'a;b %%41\\n\\ttab \\303\\274\\033]')"`;
    expect(await terminal.run({ command })).toMatchObject({ exitCode: 0, cwd: join(terminal.root, name) });
    await terminal.kill();
    expect(await terminal.run({ command: "true" })).toMatchObject({ startingCwd: join(terminal.root, name) });
  });

  test("P16: 10 MB of output come back as head and tail in bounded memory", async () => {
    const terminal = open();
    await terminal.run({ command: "true" });
    const before = process.memoryUsage();
    let peak = 0;
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before.arrayBuffers);
    }, 5);
    const result = await terminal.run({ command: "seq -f 'line number %.0f of many' 1 400000" });
    clearInterval(sampler);
    expect(peak).toBeLessThan(20 * 1024 * 1024);
    expect(result).toMatchObject({ status: "completed", exitCode: 0, truncated: true });
    expect(result.stdout?.startsWith("line number 1 of many\nline number 2 of many\n")).toBe(true);
    expect(result.stdout?.endsWith("line number 399999 of many\nline number 400000 of many\n")).toBe(true);
    expect(result.stdout).toMatch(/\n\[… \d+ bytes removed …]\n/);
    expect(result.stdout?.length).toBeLessThan(50_100);
  });

  test("P16: an endless program is ended at its limit", async () => {
    const terminal = open();
    const result = await terminal.run({ command: "yes", timeout_seconds: 1 });
    expect(result).toMatchObject({ status: "timed_out", exitCode: 124, truncated: true });
    expect(result.stdout?.startsWith("y\ny\n")).toBe(true);
    expect((await terminal.run({ command: "echo ok" })).stdout).toBe("ok\n");
  });

  test("P16: binary output is valid text and harms nothing", async () => {
    const terminal = open();
    const result = await terminal.run({ command: "head -c 300000 /dev/urandom" });
    expect(result).toMatchObject({ status: "completed", exitCode: 0 });
    expect(result.stdout).toBe(Buffer.from(result.stdout ?? "", "utf8").toString("utf8"));
    expect(result.stdout).not.toMatch(/[^\P{Cc}\n\t]/u);
    expect((await terminal.run({ command: "echo ok" })).stdout).toBe("ok\n");
  });

  test("P17: a background child does not hold the command and ends with the terminal", async () => {
    const terminal = open();
    const seconds = uniqueSeconds();
    expect((await terminal.run({ command: `sleep ${seconds} & echo bg` })).stdout).toContain("bg\n");
    await until(() => processesWith(seconds).length === 1, "the child runs");
    await terminal.close();
    expect(processesWith(seconds)).toEqual([]);
  });

  test.each([
    ["a grandchild whose parent has gone", (s: string) => `bash -c 'sleep ${s} & exit 0'`],
    ["a double fork with setsid", (s: string) => `(setsid bash -c 'sleep ${s} & setsid sleep ${s} &' &)`],
    ["a child without the environment", (s: string) => `env -i sleep ${s} &`],
    ["a child that was stopped", (s: string) => `sleep ${s} & sleep 0.3; kill -STOP $!`],
  ])("P18: %s is found at abort and at close", async (_, makeCommand) => {
    const terminal = open();
    const seconds = [uniqueSeconds(), uniqueSeconds()] as const;
    const abort = new AbortController();
    const run = terminal.run({ command: `${makeCommand(seconds[0])}\nsleep ${seconds[0]}` }, { signal: abort.signal });
    await until(() => processesWith(seconds[0]).length >= 2, "the tree stands");
    abort.abort();
    expect(await run).toMatchObject({ interrupted: true, exitCode: 130, status: "died" });
    expect(processesWith(seconds[0])).toEqual([]);
    await terminal.run({ command: makeCommand(seconds[1]) });
    await until(() => processesWith(seconds[1]).length >= 1, "the tree stands again");
    await terminal.close();
    expect(processesWith(seconds[1])).toEqual([]);
  });

  test.each([
    "PROMPT_COMMAND=",
    "unset PROMPT_COMMAND",
    "unset -f __terminal_end",
    "PS1=x PS2=y",
    "trap 'true' DEBUG",
    "trap 'echo ended' EXIT",
    "set -u",
    "set -o pipefail -o noclobber",
    "set -a",
    "set -f; IFS=abcdefghijklmnopqrstuvwxyz0123456789",
    "alias printf=false '.=false' cd=false export=false",
    "printf() { false; }; cd() { false; }",
    "exec >/dev/null 2>&1",
    "LC_ALL=C",
    "set -o posix",
  ])("P23: the next command is still understood after %s", async (command) => {
    const terminal = open();
    expect(await terminal.run({ command, timeout_seconds: 10 })).toMatchObject({ status: "completed" });
    expect(await terminal.run({ command: "echo two >two; (exit 6)", timeout_seconds: 10 })).toMatchObject({
      status: "completed",
      exitCode: 6,
    });
    expect(readFileSync(join(terminal.root, "two"), "utf8")).toBe("two\n");
    const interrupted = await terminal.run({ command: "sleep 30", yield_seconds: 0.3 }, agent);
    expect(interrupted.status).toBe("running");
    expect(await terminal.run({ command_signal: "CTRL_C" }, agent)).toMatchObject({
      status: "completed",
      exitCode: 130,
    });
  });

  test("P23: set -x shows the command and nothing of ours", async () => {
    const terminal = open();
    await terminal.run({ command: "set -x" });
    expect((await terminal.run({ command: "echo two" })).stdout).toBe("++ . bash\n+++ echo two\ntwo\n");
  });

  test.each([
    ["a DEBUG trap", "trap 'echo DBG' DEBUG"],
    ["a DEBUG trap that functions inherit", "set -T; trap 'echo DBG; echo DBG >&2' DEBUG"],
    ["PROMPT_COMMAND of the user", "PROMPT_COMMAND='echo PC'"],
    ["PROMPT_COMMAND made read-only as it is", "readonly PROMPT_COMMAND"],
    ["a read-only PROMPT_COMMAND", "readonly PROMPT_COMMAND='echo PC'"],
    ["an exported read-only PROMPT_COMMAND", "declare -rx PROMPT_COMMAND='echo PC'"],
  ])("P23: %s costs no output, adds none, and the shell keeps its state", async (_, command) => {
    const terminal = open();
    await terminal.run({ command: "mkdir sub; cd sub; export KEPT=yes; greet() { echo hello; }; (exit 3)" });
    expect(await terminal.run({ command })).toMatchObject({ status: "completed", exitCode: 0, stdout: "" });
    const next = await terminal.run({ command: "echo two; greet; echo $KEPT; (exit 6)", timeout_seconds: 10 });
    expect(next).toMatchObject({ status: "completed", exitCode: 6, stdout: "two\nhello\nyes\n" });
    expect(next.message).toBeUndefined();
    const last = await terminal.run({ command: "echo $?; pwd" });
    expect(last).toMatchObject({ stdout: `6\n${terminal.root}/sub\n` });
    expect(last.message).toBeUndefined();
    const running = await terminal.run({ command: "sleep 30", yield_seconds: 0.3 }, agent);
    expect(running.status).toBe("running");
    expect(await terminal.run({ command_signal: "CTRL_C" }, agent)).toMatchObject({ exitCode: 130 });
  });
}
