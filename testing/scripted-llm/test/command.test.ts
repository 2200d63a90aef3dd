import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/scripted-llm.cjs", import.meta.url));
const examples = fileURLToPath(new URL("../examples/", import.meta.url));

let folder = "";
const running = new Set<ChildProcessByStdio<null, Readable, Readable>>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "command-"));
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  await rm(folder, { recursive: true });
});

/** The built command as a real process. */
function command(...args: string[]) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code: code as number | null, stdout, stderr };
  });
  const url = async () => {
    while (!stdout.includes("\n")) await Promise.race([once(child.stdout, "data"), ended]);
    return /http:\/\/\S+/.exec(stdout)?.[0] ?? "";
  };
  return { child, ended, url };
}

async function say(url: string, ...words: string[]) {
  const messages = words.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
  const response = await fetch(`${url}/v1/messages`, { method: "POST", body: JSON.stringify({ messages }) });
  const body = (await response.json()) as { content?: { text: string }[]; error?: { message: string } };
  return body.content?.[0]?.text ?? body.error?.message;
}

async function scriptFile(text: string): Promise<string> {
  const file = join(folder, "script.yaml");
  await writeFile(file, text);
  return file;
}

describe("scripted-llm serve", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("prints its URL, serves, and ends with 0 on %s", async (signal) => {
    const file = await scriptFile('conversations: [{ turns: [{ text: "Hello {{name}}" }] }]\n');
    const requests = join(folder, "requests.jsonl");
    const { child, ended, url } = command("serve", file, "--port", "0", "--set", "name=Ann", "--requests", requests);
    expect(await say(await url(), "hi")).toBe("Hello Ann");
    child.kill(signal);
    expect(await ended).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("requests: 1, failures: 0"),
    });
    const lines = (await readFile(requests, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { number: 1, method: "POST", path: "/v1/messages", status: 200, outcome: "replied", turn: 1 },
    ]);
  });

  test("prints each failure and ends with 1", async () => {
    const file = await scriptFile(
      'conversations:\n  - name: main\n    turns: [{ expect: { user: please }, text: "No" }]\n',
    );
    const { child, ended, url } = command("serve", file);
    expect(await say(await url(), "do it")).toBe("No");
    expect(await say(await url(), "do it", "No", "again")).toBe("scripted-llm: main: all 1 turns are used up");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({
      code: 1,
      stderr:
        'request 1: main, turn 1: expected user "please", found "do it"\nrequest 2: main: all 1 turns are used up\n',
    });
  });

  test("ends at once while a reply stalls", async () => {
    const file = await scriptFile(
      "conversations: [{ turns: [{ text: Hi, fault: { kind: stall, forMs: 600000 } }] }]\n",
    );
    const { child, ended, url } = command("serve", file);
    const response = await fetch(`${await url()}/v1/messages`, {
      method: "POST",
      body: '{"stream":true,"messages":[]}',
    });
    child.kill("SIGTERM");
    await expect(response.text()).rejects.toThrow();
    expect((await ended).code).toBe(0);
  });

  test("refuses a bad script with file, turn and field, and ends with 2", async () => {
    const file = await scriptFile("conversations: [{ turns: [{ text: Hi, fault: { kind: drop } }] }]\n");
    const { code, stdout, stderr } = await command("serve", file).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `${file}:1: conversation 1, turn 1, field fault.atByte: Invalid input: expected number, received undefined\n`,
    );
  });

  test("says so when the port is taken", async () => {
    const file = await scriptFile("conversations: [{ turns: [{ text: Hi }] }]\n");
    const first = command("serve", file);
    const { port } = new URL(await first.url());
    const { code, stderr } = await command("serve", file, "--port", port).ended;
    expect(code).toBe(2);
    expect(stderr).toContain("EADDRINUSE");
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(0);
  });
});

test("scripted-llm record and replay give the same reply", async () => {
  const file = await scriptFile("conversations: [{ turns: [{ text: Recorded words }] }]\n");
  const upstream = command("serve", file);
  const out = join(folder, "recording.yaml");
  const recorder = command("record", "--upstream", await upstream.url(), "--out", out);
  expect(await say(await recorder.url(), "hi")).toBe("Recorded words");
  recorder.child.kill("SIGTERM");
  expect(await recorder.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("1 exchanges recorded") });
  upstream.child.kill("SIGTERM");
  await upstream.ended;
  const replay = command("replay", out);
  expect(await say(await replay.url(), "hi")).toBe("Recorded words");
  replay.child.kill("SIGTERM");
  expect((await replay.ended).code).toBe(0);
});

describe("scripted-llm check", () => {
  test.each(["fix-a-file.yaml", "faults.yaml"])("finds the example %s good", async (name) => {
    const { code, stdout, stderr } = await command("check", join(examples, name)).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/ok, conversations: \d+, turns: \d+\n$/);
  });
});

describe("The command line", () => {
  test("explains itself", async () => {
    const { code, stdout } = await command("--help").ended;
    expect(code).toBe(0);
    for (const word of ["serve", "record", "replay", "check"]) expect(stdout).toContain(word);
    expect((await command("serve", "--help").ended).stdout).toContain("--requests <file>");
  });

  test.each([
    [["serve"], "missing required argument 'script'"],
    [["serve", "x.yaml", "--port", "seventy"], "expected a number from 0 to 65535"],
    [["serve", "x.yaml", "--set", "name"], "expected name=value"],
    [["record", "--upstream", "nowhere", "--out", "x"], "expected an http or https URL"],
    [["check", "none.yaml"], "none.yaml: cannot be read (ENOENT)"],
    [["dance"], "unknown command 'dance'"],
  ])("answers %j with a reason and 2", async (args, reason) => {
    const { code, stderr } = await command(...args).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });
});
