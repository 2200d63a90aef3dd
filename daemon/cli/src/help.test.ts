import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { operationIds, operations } from "@muster/schema";
import { expect, it } from "vitest";
import { runCommandLine } from "./command-line.ts";
import { optionWords } from "./fields/option-words.ts";

async function help(...words: string[]): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const here = { env: {}, home: "/", directory: "/", stdin: new PassThrough(), stdout, stderr };
  expect(await runCommandLine({ args: [...words, "--help"], ...here })).toBe(0);
  stdout.end();
  return await text(stdout);
}

const commands = [
  ...operationIds.map((id) => [...operations[id].cli]),
  ...["run", "chat", "serve", "acp", "convert", "status", "stop", "logs", "doctor", "completion"].map((name) => [name]),
];

it.each(commands.map((words) => words.join(" ")))(
  "%s: every argument and option says what it is for",
  async (command) => {
    const shown = await help(...command.split(" "));
    const rows = shown.split("\n").flatMap((line, at, lines) => {
      const [, name, about = ""] = /^ {2}(-\S.*?|[a-z]\w+)(?: {2,}(\S.*))?$/.exec(line) ?? [];
      return name === undefined || line.startsWith("  sandbox-daemon") ? [] : [[name, about || lines[at + 1]?.trim()]];
    });
    expect(rows.filter(([, about]) => !about)).toEqual([]);
    // What stands on a command line is seen by everybody on the machine.
    expect(shown).not.toMatch(/--token "?\$\(/);
    expect(shown).not.toMatch(/turns off --|the same, read|\(default: \[\]\)/);
    // Words of HTTP are for those who speak it.
    expect(shown.replaceAll(/\s+/g, " ")).not.toMatch(/\b(?:204|20[12]|4\d\d)\b|Idempotency-Key/);
  },
);

it("help speaks of options where the API speaks of fields", async () => {
  const run = await help("run");
  expect(run).toMatch(/default:\s+the current directory/);
  expect(run).toMatch(/--dangerously-skip-permissions +asks nothing, whatever --permission-mode\s+says/);
  expect(run).not.toContain("--no-dangerously-skip-permissions");
  expect(await help("sessions", "get-events")).toMatch(/--no-deltas +leaves out item\.delta/);
  expect(await help("sessions")).toContain("conversations with agents");
  expect(await help()).toMatch(/agents +list, get, install/);
});

it("help of run is in groups, and explains the four words that are easily mixed up", async () => {
  const run = await help("run");
  const headings = Array.from(run.matchAll(/^([A-Z].*):$/gm), ([, heading]) => heading);
  expect(headings).toEqual([
    "Arguments",
    "The session",
    "The message",
    "How the agent works",
    "What it may do",
    "Its key and what it can reach",
    "The daemon",
    "Options",
    "Examples",
  ]);
  expect(run).toMatch(
    /--agent-mode is what[^.]*--permission-mode is what[^.]*--variant is how[^.]*--dangerously-skip/s,
  );
});

it("what the daemon says of a field is said of its option", () => {
  expect(optionWords("with baseUrl give the model; permissionMode, agentMode")).toBe(
    "with --base-url give the model; --permission-mode, --agent-mode",
  );
  expect(optionWords("turnMs, fooBar and --base-url stay")).toBe("turnMs, fooBar and --base-url stay");
});
