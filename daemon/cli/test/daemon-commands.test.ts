import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logFileName, olderLogFileName } from "../../server/src/engine/log-file.ts";
import { logFileOf, olderLogFileOf } from "../src/environment/log-file.ts";
import { startDaemonProcess } from "./daemon-process.ts";
import { ownHome } from "./own-home.ts";
import { run } from "./run.ts";
import { bin, linesOf, startCommand } from "./start-command.ts";
import { openTerminal } from "./terminal.ts";

const place = ownHome();

const here = () => ({ env: { HOME: place.home }, ...place });
const asText = (...args: string[]) => run([...args, "--format", "text"], here());
const data = () => join(place.home, ".local/share/muster");

describe("status and stop", () => {
  it("tell where the daemon is and end it; without one both say so with exit code 3", async () => {
    expect(await asText("status")).toMatchObject({ code: 3, out: expect.stringContaining("no daemon runs") });
    expect(await asText("stop")).toMatchObject({ code: 3, out: `no daemon runs on ${data()}\n` });
    const daemon = await startDaemonProcess(["--port", "0"], { HOME: place.home });
    const { out, code } = await asText("status");
    expect(code).toBe(0);
    expect(out).toContain(`runs at ${daemon.url} (process ${daemon.child.pid}, started now)\n`);
    expect(out).toContain("sessions: 0 at work, 0 wait for a person\n");
    expect(out).toContain(`log:      ~/.local/share/muster/daemon.log\n`);
    const json = JSON.parse((await run(["status", "--json"], here())).out);
    expect(json).toMatchObject({ running: true, endpoint: daemon.url, pid: daemon.child.pid, dataDirectory: data() });
    expect(await asText("stop")).toMatchObject({
      code: 0,
      out: `process ${daemon.child.pid} has stopped; its sessions are kept\n`,
    });
    expect(await daemon.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(join(data(), "process.json"))).toBe(false);
  });

  it("stop kills nobody by a number that a killed daemon left behind", async () => {
    const daemon = await startDaemonProcess(["--port", "0"], { HOME: place.home });
    daemon.child.kill("SIGKILL");
    await daemon.exit;
    const other = { pid: process.pid, startTime: "1" };
    await writeFile(join(data(), "process.json"), JSON.stringify(other));
    expect(await asText("stop")).toMatchObject({ code: 3 });
  });

  it("stop leaves a daemon that is part of another command, and says so", async () => {
    const { child, exit } = startCommand(["run", "mock", "--json", "slow 60000"], { HOME: place.home });
    await linesOf(child.stdout, 1);
    expect(await asText("stop")).toMatchObject({ code: 1, err: expect.stringContaining("belongs to another command") });
    child.kill("SIGINT");
    expect((await exit).code).toBe(130);
  });
});

describe("logs", () => {
  it("the command reads the file that the server writes", () => {
    expect([logFileOf("/d"), olderLogFileOf("/d")]).toEqual([`/d/${logFileName}`, `/d/${olderLogFileName}`]);
  });

  it("shows what a daemon logged after it has ended, the last lines first to be kept", async () => {
    const daemon = await startDaemonProcess(["--port", "0", "--log-level", "debug"], { HOME: place.home });
    await daemon.stop();
    const { code, out } = await asText("logs");
    expect(code).toBe(0);
    expect(out).toMatch(/^\d{4}-\d\d-\d\dT\S+ debug +listening +host=127\.0\.0\.1 port=\d+/m);
    expect(out.trimEnd().split("\n").at(-1)).toMatch(/debug +stopped$/);
    const { out: last } = await run(["logs", "-n", "1", "--json"], here());
    expect(JSON.parse(last)).toMatchObject({ level: "debug", message: "stopped" });
    expect((await daemon.err).trimEnd().split("\n").at(-1)).toBe(last.trimEnd());
  });

  it("follows what is added until Ctrl-C", async () => {
    await mkdir(data(), { recursive: true });
    await writeFile(logFileOf(data()), "");
    const { child, exit } = startCommand(["logs", "--follow", "--json"], { HOME: place.home });
    const seen = linesOf(child.stdout, 1);
    const added = setInterval(
      () => void appendFile(logFileOf(data()), `${JSON.stringify({ message: "later" })}\n`),
      200,
    );
    expect(await seen).toEqual(['{"message":"later"}']);
    clearInterval(added);
    child.kill("SIGINT");
    expect(await exit).toEqual({ code: 0, signal: null });
  });
});

describe.each([80, 100])("lists at a terminal of %i columns", (columns) => {
  it("fit, name the sessions and put those that wait first", async () => {
    const daemon = await startDaemonProcess(["--port", "0"], { HOME: place.home });
    await run(
      ["run", "mock", "echo the newest question of all, which is too long for any list that there could ever be"],
      here(),
    );
    await run(["sessions", "create", "asks", "mock"], here());
    await run(["run", "mock", "echo short"], here());
    await run(["sessions", "send-message", "asks", "permission touch a"], here());
    await expect
      .poll(async () => JSON.parse((await run(["sessions", "get", "asks"], here())).out).state)
      .toBe("waiting");
    await run(["run", "mock", "echo the last"], here());
    for (const args of [
      ["sessions", "list"],
      ["agents", "list"],
    ]) {
      const terminal = openTerminal(args, { ...place, columns, rows: 24 });
      expect(await terminal.exit).toBe(0);
      const lines = (await terminal.everything()).split("\n");
      // A line that did not fit would have been wrapped: there would be more lines than rows.
      expect(lines.length).toBe(terminal.written().trimEnd().split("\n").length);
      if (args[0] === "agents") continue;
      expect(lines[0]).toMatch(/^session +agent +state +used +name +directory$/);
      expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1, 5))).toEqual([
        ["mock", "waiting", "now", "permission touch a"],
        ["mock", expect.stringMatching(/idle|asleep/), "now", "echo the last"],
        ["mock", expect.stringMatching(/idle|asleep/), "now", "echo short"],
        ["mock", expect.stringMatching(/idle|asleep/), "now", expect.stringMatching(/^echo the newest qu.*…$/)],
        [],
      ]);
    }
    await daemon.stop();
  });
});

describe("completion", () => {
  /** A folder with the command under its own name. */
  async function pathWithCommand(): Promise<string> {
    const programs = join(place.path, "bin");
    await mkdir(programs);
    await writeFile(join(programs, "sandbox-daemon"), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`);
    await chmod(join(programs, "sandbox-daemon"), 0o755);
    return `${programs}:${process.env.PATH}`;
  }

  it("bash completes commands, options, values and agents from the table", async () => {
    const PATH = await pathWithCommand();
    const complete = (line: string) => {
      const words = line.split(" ");
      const script = `source <(sandbox-daemon completion bash); COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")})
COMP_CWORD=${words.length - 1}; _sandbox_daemon; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const out = execFileSync("bash", ["--norc", "-c", script], { env: { PATH, HOME: place.home }, encoding: "utf8" });
      return out.split("\n").filter(Boolean);
    };
    expect(complete("sandbox-daemon st")).toEqual(["status", "stop"]);
    expect(complete("sandbox-daemon sessions reply")).toEqual(["reply-permission", "reply-question"]);
    expect(complete("sandbox-daemon run c")).toEqual(["claude", "codebuff", "codex"]);
    expect(complete("sandbox-daemon run claude --permission-mode ")).toEqual([
      "acceptEdits",
      "bypass",
      "default",
      "plan",
    ]);
    expect(complete("sandbox-daemon sessions list --or")).toEqual(["--order"]);
    expect(complete("sandbox-daemon run claude --attach ")).toEqual([]);
  });

  it.each(["bash", "zsh", "fish"])("%s takes its script", async (shell) => {
    const { out, code } = await run(["completion", shell], here());
    expect(code).toBe(0);
    const script = join(place.path, `completion.${shell}`);
    await writeFile(script, out);
    const { error, status, stderr } = spawnSync(shell, ["-n", script], { encoding: "utf8" });
    // A shell that this machine does not have cannot be asked.
    if (error !== undefined) expect((error as NodeJS.ErrnoException).code).toBe("ENOENT");
    else expect([status, stderr]).toEqual([0, ""]);
  });

  it.each([
    ["fish", ['source "$SCRIPT"; complete -C "sandbox-daemon run cod"']],
    [
      "zsh",
      [
        "autoload -Uz compinit; compinit -u -d $HOME/dump; source $SCRIPT; words=(sandbox-daemon run cod); CURRENT=3",
        'compadd() { shift; print -l -- "$@"; }; _sandbox_daemon',
      ],
    ],
  ])("%s completes agents, where there is one", async (shell, lines) => {
    const SCRIPT = join(place.path, "script");
    await writeFile(SCRIPT, (await run(["completion", shell], here())).out);
    const env = { PATH: await pathWithCommand(), HOME: place.home, SCRIPT };
    const { error, stdout } = spawnSync(shell, ["-c", lines.join("\n")], { env, encoding: "utf8" });
    if (error !== undefined) expect((error as NodeJS.ErrnoException).code).toBe("ENOENT");
    else expect(stdout.trimEnd().split("\n")).toEqual(["codebuff", "codex"]);
  });

  it("a shell that is not known is refused with those that are", async () => {
    expect(await run(["completion", "tcsh"], here())).toMatchObject({
      code: 2,
      err: expect.stringContaining("bash, zsh, fish"),
    });
  });
});

describe("one meaning of --json", () => {
  it("is JSON on a terminal too, in every command that answers, and a body as before where one is given", async () => {
    const daemon = await startDaemonProcess(["--port", "0", "--no-token"], { HOME: place.home });
    const at = (...args: string[]) => run([...args, "--endpoint", daemon.url], { ...here(), terminal: true });
    expect(JSON.parse((await at("sessions", "list", "--json")).out)).toEqual({ sessions: [], hasMore: false });
    expect((await at("sessions", "list")).out).toContain("there are no sessions");
    const created = await at("sessions", "create", "s1", "--json", '{"agent":"mock","title":"Old form"}', "--json");
    expect(JSON.parse(created.out)).toMatchObject({ healthy: true, session: { title: "Old form" } });
    const body = await at("sessions", "update", "s1", "--body", '{"title":"New form"}', "--json");
    expect(JSON.parse(body.out)).toMatchObject({ title: "New form" });
    const problem = await at("sessions", "get", "none", "--json");
    expect([problem.code, JSON.parse(problem.err).code]).toEqual([1, "session_not_found"]);
    await daemon.stop();
    const report = await run(["doctor", "--json"], here());
    expect(JSON.parse(report.out)).toMatchObject({ ok: true });
    expect(
      JSON.parse((await run(["credentials", "extract", "--json"], { ...here(), terminal: true })).out),
    ).toHaveProperty("credentials");
    const events = await run(["run", "mock", "--json", "echo hi"], here());
    expect(
      events.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).type),
    ).toContain("turn.ended");
  });
});

it("a word that is no command, and an option that is none, are answered with where to look", async () => {
  expect(await run(["sesions", "list"], here())).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /unknown command 'sesions'[\s\S]*Did you mean sessions\?[\s\S]*sandbox-daemon --help tells what there is/,
    ),
  });
  expect(await run(["sessions", "list", "--jsn"], here())).toMatchObject({
    code: 2,
    err: expect.stringContaining("sandbox-daemon sessions list --help tells what there is"),
  });
  const { err } = await run(["health", "--endpoint", "http://127.0.0.1:9"], here());
  expect(err).toContain("no program may call that port");
});
