import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTerminal, until } from "./terminal-fixture.ts";

const agent = { agentMode: true };

/** Skips with a printed reason where a program is not installed. */
function testWith(program: string, title: string, body: () => Promise<void>): void {
  const installed = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  test.skipIf(!installed)(installed ? title : `${title} (skipped: ${program} is not installed here)`, body);
}

describe("programs in a terminal", () => {
  testWith("python3", "P9: a Python prompt is typed into and left with CTRL_D", async () => {
    const terminal = openTerminal();
    const started = await terminal.run({ command: "python3 -q" }, agent);
    expect(started).toMatchObject({ status: "running", stdout: ">>> " });
    expect((await terminal.run({ input: "6 * 7\n" }, agent)).stdout).toMatch(/42\n>>> $/);
    await terminal.run({ input: "def f():\n  return 'a' * 3\n\n" }, agent);
    expect((await terminal.run({ input: "f()\n" }, agent)).stdout).toMatch(/'aaa'\n>>> $/);
    expect(await terminal.run({ command_signal: "CTRL_D" }, agent)).toMatchObject({ status: "completed", exitCode: 0 });
    expect((await terminal.run({ command: "echo shell" })).stdout).toBe("shell\n");
  });

  test("P9: a Node prompt gives values and CTRL_D leads back to the shell", async () => {
    const terminal = openTerminal();
    const started = await terminal.run({ command: `'${process.execPath}'` }, agent);
    expect(started).toMatchObject({ status: "running", stdout: expect.stringMatching(/> $/) });
    expect((await terminal.run({ input: "6 * 7\n" }, agent)).stdout).toMatch(/42\n> /);
    expect(await terminal.run({ command_signal: "CTRL_D" }, agent)).toMatchObject({ status: "completed", exitCode: 0 });
  });

  test("P19: a shell in the shell is a running program, and its prompt is no end", async () => {
    const terminal = openTerminal();
    const nested = await terminal.run({ command: "bash --norc --noprofile", yield_seconds: 0.7 }, agent);
    expect(nested).toMatchObject({ status: "running", stdout: expect.stringMatching(/bash.*[$#] $/) });
    const inside = await terminal.run({ input: "false; echo depth $SHLVL\n" }, agent);
    expect(inside).toMatchObject({ status: "running", stdout: expect.stringContaining("depth 2\n") });
    expect(await terminal.run({ command_signal: "CTRL_C" }, agent)).toMatchObject({ status: "running" });
    expect(await terminal.run({ input: "exit 9\n" }, agent)).toMatchObject({ status: "completed", exitCode: 9 });
  });

  test("P19: a program that asks the terminal itself for a password waits, and CTRL_C leaves it", async () => {
    const terminal = openTerminal();
    const asking = `bash -c 'read -r -s -p "password: " word </dev/tty; echo; echo "len \${#word}"'`;
    expect(await terminal.run({ command: asking, yield_seconds: 0.5 }, agent)).toMatchObject({
      status: "running",
      stdout: "password: ",
    });
    expect(await terminal.run({ input: "secret\n" }, agent)).toMatchObject({
      status: "completed",
      stdout: "\nlen 6\n",
    });
    await terminal.run({ command: asking, yield_seconds: 0.5 }, agent);
    expect(await terminal.run({ command_signal: "CTRL_C" }, agent)).toMatchObject({
      status: "completed",
      exitCode: 130,
    });
  });

  testWith("vim", "P19: vim shows its screen, takes keys, writes its file and ends", async () => {
    const terminal = openTerminal();
    writeFileSync(join(terminal.root, "text"), "first line\nsecond line\n");
    const opened = await terminal.run({ command: "vim -u NONE -N text", yield_seconds: 1 }, agent);
    expect(opened.status).toBe("running");
    await until(async () => ((await terminal.readScreen())?.lines[1] ?? "") === "second line", "vim shows the file");
    expect(await terminal.readScreen()).toMatchObject({
      alternate: true,
      columns: 80,
      rows: 24,
      cursor: { row: 0, column: 0 },
      status: "running",
    });
    await terminal.run({ input: "jA, changed\x1b", yield_seconds: 0.5 }, agent);
    await until(async () => (await terminal.readScreen())?.lines[1] === "second line, changed", "vim shows the change");
    expect(await terminal.run({ command_signal: "CTRL_C", yield_seconds: 0.5 }, agent)).toMatchObject({
      status: "running",
    });
    expect(await terminal.run({ input: ":wq\n" }, agent)).toMatchObject({ status: "completed", exitCode: 0 });
    expect(readFileSync(join(terminal.root, "text"), "utf8")).toBe("first line\nsecond line, changed\n");
    expect((await terminal.run({ command: "echo back" })).stdout).toBe("back\n");
  });

  testWith("vim", "P19: KILL gets out of vim and the next shell's terminal is in order", async () => {
    const terminal = openTerminal();
    await terminal.run({ command: "vim -u NONE -N", yield_seconds: 0.5 }, agent);
    expect(await terminal.run({ command_signal: "KILL" }, agent)).toMatchObject({ status: "died" });
    expect(await terminal.run({ command: "printf 'a\\nb\\n'" })).toMatchObject({
      stdout: "a\nb\n",
      status: "completed",
    });
  });

  testWith("less", "the screen of a running less can be read and scrolled", async () => {
    const terminal = openTerminal();
    writeFileSync(join(terminal.root, "long"), Array.from({ length: 200 }, (_, i) => `row ${i + 1}\n`).join(""));
    expect((await terminal.run({ command: "less long", yield_seconds: 0.7 }, agent)).status).toBe("running");
    await until(async () => (await terminal.readScreen())?.lines[22] === "row 23", "less shows the first page");
    const first = await terminal.readScreen();
    expect(first).toMatchObject({ sessionId: "main", command: "less long", status: "running", alternate: true });
    expect(first?.lines).toHaveLength(24);
    expect(first?.lines.slice(0, 3)).toEqual(["row 1", "row 2", "row 3"]);
    await terminal.run({ input: "G", yield_seconds: 0.5 }, agent);
    await until(async () => (await terminal.readScreen())?.lines[22] === "row 200", "less shows the end");
    expect(await terminal.run({ input: "q" }, agent)).toMatchObject({ status: "completed", exitCode: 0 });
    expect(await terminal.readScreen()).toMatchObject({ status: "completed", alternate: false });
  });

  test("the screen of a plain program is its last lines, also after a flood", async () => {
    const terminal = openTerminal();
    await terminal.run({ command: "seq 1 200000; echo the end; sleep 30", yield_seconds: 2 }, agent);
    await until(async () => (await terminal.readScreen())?.lines.includes("the end") === true, "the end is shown");
    const lines = (await terminal.readScreen())?.lines ?? [];
    expect(lines[lines.indexOf("the end") - 1]).toBe("200000");
    await terminal.run({ command_signal: "CTRL_C" }, agent);
  });

  test("a newline in the input is the Enter key for a program that reads raw keys", async () => {
    const terminal = openTerminal();
    const keys =
      "process.stdin.setRawMode(true).on('data', (d) => { console.log(JSON.stringify(String(d))); process.exit(); })";
    await terminal.run({ command: `'${process.execPath}' -e "${keys}"`, yield_seconds: 0.7 }, agent);
    expect(await terminal.run({ input: "\n" }, agent)).toMatchObject({ stdout: '"\\r"\n', status: "completed" });
  });

  test("a program that asks its terminal where the cursor is gets the answer", async () => {
    const terminal = openTerminal();
    const ask = `stty raw; printf 'ab\\033[6n'; IFS= read -r -d R place; stty -raw; printf '%s' "\${place#*[}"`;
    const result = await terminal.run({ command: ask, yield_seconds: 5 }, agent);
    expect(result).toMatchObject({ status: "completed", stdout: "ab1;3" });
  });

  test("P23: a command that turns echo on does not spoil the next one", async () => {
    const terminal = openTerminal();
    expect(await terminal.run({ command: "stty echo" }, agent)).toMatchObject({ status: "completed", stdout: "" });
    expect(await terminal.run({ command: "echo clean" })).toMatchObject({ status: "completed", stdout: "clean\n" });
  });

  test("P24: a resize during a command reaches it and loses nothing", async () => {
    const terminal = openTerminal();
    // It goes on until it has seen the last size, however slow either side is.
    const seen = '[ "$(stty size </dev/tty)" = "30 100" ]';
    const loop = `trap "stty size </dev/tty" WINCH; i=0; until ${seen}; do i=$((i + 1)); echo $i; sleep 0.05; done`;
    const command = `bash -c '${loop}'`;
    let begun = () => {};
    const firstLine = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const run = terminal.run({ command }, { onOutput: () => begun() });
    await firstLine;
    for (let columns = 81; columns <= 100; columns++) {
      terminal.resize({ columns, rows: 30 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const lines = (await run).stdout?.trim().split("\n") ?? [];
    const [counted, sizes] = [lines.filter((line) => !line.includes(" ")), lines.filter((line) => line.includes(" "))];
    expect(counted).toEqual(counted.map((_, at) => String(at + 1)));
    expect(counted.length).toBeGreaterThan(1);
    expect(sizes.at(-1)).toBe("30 100");
    expect((await terminal.run({ command: "stty size </dev/tty" })).stdout).toBe("30 100\n");
  });
});
