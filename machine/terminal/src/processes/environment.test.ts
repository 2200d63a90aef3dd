import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readLoginEnvironment, terminalEnvironment } from "./environment.ts";

function homeWith(profile: string): string {
  const home = mkdtempSync(join(tmpdir(), "codebuff-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, ".bash_profile"), profile);
  return home;
}

describe("the login environment", () => {
  const path = process.env.PATH ?? "";

  test("adds what the profile sets, whatever the profile prints, and keeps what was there", async () => {
    const home = homeWith("echo welcome\nexport ADDED='two\nlines' MINE=profile PATH=/from/profile:/usr/bin\n");
    const own = { HOME: home, PATH: `/active/venv/bin:${path}`, MINE: "process" };
    const environment = await readLoginEnvironment({ shell: "bash", own, limitMs: 20_000 });
    expect(environment).toMatchObject({ HOME: home, ADDED: "two\nlines", MINE: "process" });
    expect(environment.PATH).toBe(
      `/active/venv/bin:${[...new Set(path.split(":"))].join(":")}:/from/profile`.replace(/:\/usr\/bin$/, ""),
    );
  });

  test("a profile that hangs or fails leaves the process's own", async () => {
    const own = { HOME: homeWith("sleep 60\n"), PATH: path };
    expect(await readLoginEnvironment({ shell: "bash", own, limitMs: 300 })).toEqual({
      ...own,
      PATH: expect.any(String),
    });
    const failing = { HOME: homeWith("exit 1\n"), PATH: path };
    expect(await readLoginEnvironment({ shell: "bash", own: failing, limitMs: 20_000 })).toEqual({
      ...failing,
      PATH: expect.any(String),
    });
    expect(await readLoginEnvironment({ shell: "no-such-shell", own, limitMs: 20_000 })).toMatchObject({
      HOME: own.HOME,
    });
  });
});

describe("the environment of a shell of ours", () => {
  test("has no pager, no password prompt and UTF-8", () => {
    expect(
      terminalEnvironment({ PATH: "/bin", PAGER: "less", COLUMNS: "10", PROMPT_COMMAND: "x", BASH_ENV: "y" }),
    ).toEqual({
      PATH: "/bin",
      TERM: "xterm-256color",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      HISTFILE: "",
      LANG: process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8",
    });
    expect(terminalEnvironment({ LANG: "de_DE.utf8" }).LANG).toBe("de_DE.utf8");
    expect(terminalEnvironment({ LANG: "de_DE.utf8", LC_ALL: "C" }).LC_ALL).toMatch(/UTF-8$/);
  });
});
