import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyTask, makeFolder, program } from "./eval-world.ts";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function call(...args: string[]): Promise<Ended> {
  const { child, ended } = start(args);
  child.stdin.end();
  return ended;
}

function start(args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended, seen: () => err };
}

const scripted = ["--agent", "mock", "--scripted"];

describe("muster-eval run", () => {
  test("prints a table, keeps results and a page with the transcripts, and compares two sets", async () => {
    const folder = await makeFolder();
    const suite = ["--only", "search-old-key", "--only", "git-who", "--runs", "2"];
    const good = await call("run", ...scripted, "good", ...suite, "--out", join(folder, "good"), "--width", "2");
    expect(good.out).toContain("mock good: 4 of 4 runs passed (100 %)");
    expect(good.code).toBe(0);
    const bad = await call("run", ...scripted, "bad", ...suite, "--out", join(folder, "bad"), "--json");
    const lines = bad.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed", "failed"]);

    const page = await readFile(join(folder, "good", "report.html"), "utf8");
    expect(page).toContain("4 of 4 runs passed");
    expect(page).toContain("answer.txt");
    expect(page).not.toContain("<script");

    const compared = await call("compare", join(folder, "bad"), join(folder, "good"));
    expect(compared.out).toContain("mock bad 0 %, mock good 100 %: +100.0 points over 2 tasks.");
    expect(compared.out).toContain("The data cannot decide which is better.");
    expect(compared.code).toBe(0);
  });

  test("goes on where a kill has ended it, and repeats no run that is there", async () => {
    const out = join(await makeFolder(), "results");
    const args = ["run", ...scripted, "good", "--only", "search-old-key", "--runs", "4", "--out", out];
    const first = start(args);
    await new Promise<void>((resolve) => {
      first.child.stderr.on("data", () => first.seen().includes("[1/4]") && resolve());
    });
    first.child.kill("SIGKILL");
    await first.ended;
    const before = await runsIn(out);
    expect(before.length).toBeGreaterThanOrEqual(1);
    expect(before.length).toBeLessThan(4);
    // What the kill may leave of a line.
    await appendFile(join(out, "runs.jsonl"), '{"task":"search-old-key","run":4,"outc');
    const second = await call(...args);
    expect(second.err).toContain(`${before.length} runs are there already`);
    const after = await runsIn(out);
    expect(after.map(({ run }) => run).sort()).toEqual([1, 2, 3, 4]);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(second.code).toBe(0);
  });

  test("refuses a folder with runs of other settings, and says which", async () => {
    const out = join(await makeFolder(), "results");
    const args = ["run", "--only", "search-old-key", "--out", out, ...scripted];
    expect((await call(...args, "good")).code).toBe(0);
    const before = await readFile(join(out, "runs.jsonl"), "utf8");
    const other = await call(...args, "bad");
    expect(other).toMatchObject({ code: 2 });
    expect(other.err).toContain('scripted was "good", is "bad"');
    expect(await readFile(join(out, "runs.jsonl"), "utf8")).toBe(before);
  });
});

describe("muster-eval check", () => {
  test("names each fault of a task, and ends with 1", async () => {
    const loose = await copyTask("ts-pages", { "tests/check.sh": "exit 0\n" });
    const { code, out } = await call("check", loose.folder);
    expect(out).toContain("doing nothing passes");
    expect(out).toContain("its careless solution passes");
    expect(code).toBe(1);
  });
});

describe("what is wrong is told with its place, and nothing is begun", () => {
  test.each([
    [["run"], "required option '--agent"],
    [["run", "/nowhere", "--agent", "mock"], "/nowhere is no folder that can be read"],
    [["run", "--agent", "mock", "--only", "nothing-like-it"], "No task of"],
    [["run", "--agent", "mock", "--runs", "0"], "whole number from 1"],
    [["run", "--agent", "mock", "--scripted", "clever"], "Allowed choices are good, bad, flaky"],
    [["run", "--agent", "mock", "--env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE: there is no such variable"],
    [["compare", "/nowhere", "/nowhere"], "/nowhere holds no results"],
    [["frobnicate"], "unknown command"],
  ])("%j", async (args, words) => {
    const { code, err } = await call(...args);
    expect(err).toContain(words);
    expect(code).toBe(2);
  });

  test("a misspelled limit of task.toml", async () => {
    const task = await copyTask("ts-pages", {});
    await writeFile(join(task.folder, "task.toml"), 'title = "x"\n[limits]\nsecond = 3\n');
    const { code, err } = await call("check", task.folder);
    expect(err).toMatch(/task\.toml: .*second/s);
    expect(code).toBe(2);
  });

  test("a task.toml that is no TOML", async () => {
    const task = await copyTask("ts-pages", {});
    await writeFile(join(task.folder, "task.toml"), 'title = "x\n');
    const { code, err } = await call("check", task.folder);
    expect(err).toMatch(/task\.toml:1:\d+: /);
    expect(code).toBe(2);
  });
});

describe("muster-eval import", () => {
  test("SWE-bench rows with both spellings of their lists, each with what is missing", async () => {
    const folder = await makeFolder();
    const row = {
      instance_id: "a__b-1",
      repo: "a/b",
      base_commit: "0123456789abcdef0123456789abcdef01234567",
      problem_statement: "It breaks.",
      patch: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n",
      test_patch: "--- a/t\n+++ b/t\n@@ -1 +1 @@\n-1\n+2\n",
      PASS_TO_PASS: ["t::one"],
    };
    const rows = [
      { ...row, FAIL_TO_PASS: ["t::two"] },
      { ...row, instance_id: "a__b-2", FAIL_TO_PASS: '["t::two", "t::three"]' },
    ];
    await writeFile(join(folder, "rows.jsonl"), rows.map((one) => JSON.stringify(one)).join("\n"));
    const { code, out } = await call("import", "swe-bench", join(folder, "rows.jsonl"), join(folder, "tasks"));
    expect(code).toBe(0);
    expect(out).toContain("a__b-2: cannot be run here");
    expect(out).toContain("the row names no test command");
    expect(out).toContain("2 imported, 0 of them can be run here.");
    const names = JSON.parse(await readFile(join(folder, "tasks", "a__b-2", "tests", "names.json"), "utf8"));
    expect(names).toEqual({ failToPass: ["t::two", "t::three"], passToPass: ["t::one"] });
    const again = await call("import", "swe-bench", join(folder, "rows.jsonl"), join(folder, "tasks"));
    expect(again).toMatchObject({ code: 2 });
    expect(again.err).toContain("is there already");
    await writeFile(join(folder, "rows.jsonl"), JSON.stringify({ ...row, FAIL_TO_PASS: "none" }));
    expect((await call("import", "swe-bench", join(folder, "rows.jsonl"), join(folder, "other"))).err).toContain(
      "row 1",
    );
  });

  test("Terminal-Bench folders of both forms, each with why it cannot be run", async () => {
    const from = join(await makeFolder(), "from");
    await mkdir(join(from, "old"), { recursive: true });
    await writeFile(
      join(from, "old", "task.yaml"),
      "instruction: |\n  Do it.\nmax_agent_timeout_sec: 90\ntags: [file]\n",
    );
    await writeFile(join(from, "old", "Dockerfile"), "FROM scratch\n");
    for (const [name, text] of Object.entries({
      "task.toml": '[metadata]\ntags = ["x"]\n[agent]\ntimeout_sec = 60.0\n[verifier]\ntimeout_sec = 30.0\n',
      "instruction.md": "Make hello.txt.\n",
      "tests/test.sh": "[ -f hello.txt ]\n",
      "solution/solve.sh": "touch hello.txt\n",
    })) {
      await mkdir(join(from, "new", name, ".."), { recursive: true });
      await writeFile(join(from, "new", name), text);
    }
    const into = join(from, "..", "into");
    const { code, out } = await call("import", "terminal-bench", from, into);
    expect(code).toBe(0);
    expect(out).toContain("new: can be run");
    expect(out).toContain("it needs a container: Dockerfile");
    expect(out).toContain("2 imported, 1 of them can be run here.");
    const checked = await call("check", join(into, "new"));
    expect(checked.out).toContain("ok      new");
    expect(await readFile(join(into, "old", "task.toml"), "utf8")).toContain("seconds = 90");
  });
});

async function runsIn(folder: string): Promise<{ run: number }[]> {
  const lines = (await readFile(join(folder, "runs.jsonl"), "utf8")).split("\n").filter((line) => line.startsWith("{"));
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as { run: number }];
    } catch {
      // The line that was cut.
      return [];
    }
  });
}
