import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { checkInvariants } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { run } from "./run.ts";
import { linesOf, startCommand } from "./start-command.ts";

const bin = fileURLToPath(new URL("../bin/sandbox-daemon.cjs", import.meta.url));

/** One turn as `claude --output-format stream-json` writes it: five lines of about a kilobyte each. */
function turn(number: number): string {
  const id = `toolu_${number}`;
  const padding = "x".repeat(900);
  const lines = [
    { type: "system", subtype: "init", session_id: "s", model: "claude-opus-5-5", cwd: "/", tools: [padding] },
    assistant(number, { type: "tool_use", id, name: "Bash", input: { command: `echo ${number} ${padding}` } }),
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `${number} ${padding}` }] },
      session_id: "s",
    },
    assistant(number, { type: "text", text: `This is turn ${number}. ${padding}` }),
    { type: "result", subtype: "success", is_error: false, result: "done", session_id: "s", total_cost_usd: 0.01 },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function assistant(number: number, block: object) {
  return { type: "assistant", message: { id: `msg_${number}`, role: "assistant", content: [block] }, session_id: "s" };
}

function start(from: string, to: string, nodeOptions: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, bin, "convert", "--from", from, "--to", to], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent" },
  });
  return { child, err: text(child.stderr), exit: once(child, "exit") as Promise<[code: number | null]> };
}

it("a log of one agent becomes events, and the lines of another agent", async () => {
  const events = await run(["convert", "--from", "claude", "--to", "universal"], { stdin: turn(1) });
  expect(events).toMatchObject({ code: 0, err: "" });
  const types = events.out
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as UniversalEvent).type);
  expect(types).toEqual(expect.arrayContaining(["session.started", "turn.started", "item.completed", "turn.ended"]));
  const direct = await run(["convert", "--from", "claude", "--to", "codex"], { stdin: turn(1) });
  const chained = await run(["convert", "--from", "universal", "--to", "codex"], { stdin: events.out });
  expect(chained.out).toBe(direct.out);
  expect(direct.out).toContain('"method":"turn/completed"');
  expect(direct.err).toMatch(/^# left out \d+: .*session\.started.*\n$/);
});

it("a last line without its newline is read, and one that is no event is refused with its number", async () => {
  const whole = await run(["convert", "--from", "claude", "--to", "universal"], { stdin: turn(1).trimEnd() });
  expect(whole.out).toContain('"type":"turn.ended"');
  const wrong = await run(["convert", "--from", "universal", "--to", "claude"], { stdin: '\n{"no":"event"}\n' });
  expect(wrong).toMatchObject({ code: 1, out: "", err: "error: Line 2 is not an event (400 invalid_request)\n" });
  const nobody = await run(["convert", "--from", "nobody", "--to", "claude"]);
  expect(nobody.code).toBe(1);
  expect(nobody.err).toContain("There is no protocol of nobody; there are: claude");
  expect((await run(["convert", "--from", "claude"])).code).toBe(2);
});

const codebuffRuns = [
  { type: "start", sessionId: "s_1", messageHistoryLength: 0 },
  { type: "text", text: "Hello" },
  { type: "finish", totalCost: 3, status: "completed" },
  { type: "start", sessionId: "s_1", messageHistoryLength: 2 },
  { type: "text", text: "again" },
  { type: "finish", totalCost: 4, status: "completed" },
];

it.each([
  ["codebuff", "s_1", codebuffRuns],
  ["codebuff", undefined, [{ type: "error", message: "no key", code: "no_credentials" }, ...codebuffRuns.slice(0, 2)]],
  ["claude", "s", [JSON.parse(turn(1).split("\n")[4] ?? "")]],
  ["codex", "th_1", [{ type: "thread.started", thread_id: "th_1" }, { type: "turn.started" }]],
  ["amp", "T-1", [{ type: "system", subtype: "init", session_id: "T-1" }]],
  ["opencode", "ses_1", [{ type: "session.idle", properties: { sessionID: "ses_1" } }]],
])("a log of %s is one session that keeps every invariant, and its name %s is told", async (agent, name, lines) => {
  const stdin = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { out, code } = await run(["convert", "--from", agent, "--to", "universal"], { stdin });
  expect(code).toBe(0);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as UniversalEvent);
  expect(checkInvariants(events)).toEqual([]);
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === "session.started" || type === "session.ended")).toEqual([
    "session.started",
    "session.ended",
  ]);
  expect([types[0], types.at(-1)]).toEqual(["session.started", "session.ended"]);
  const names = events.flatMap(({ data }) => ("nativeSessionId" in data ? [data.nativeSessionId] : []));
  if (name !== undefined) expect(names).toEqual([name]);
});

it("a message without a name gets one", async () => {
  const line = { type: "user", message: { role: "user", content: "Hi" } };
  const stdin = `${JSON.stringify(line)}\n${JSON.stringify(line)}\n`;
  const { out } = await run(["convert", "--input", "--from", "claude", "--to", "universal"], { stdin });
  const names = out
    .trim()
    .split("\n")
    .map((text) => (JSON.parse(text) as { messageId: string }).messageId);
  expect(names).toEqual(["message_1", "message_2"]);
});

it("what goes to one agent is converted to what goes to another, and to commands and back", async () => {
  const prompt = {
    type: "user",
    message: { role: "user", content: "Say hello" },
    parent_tool_use_id: null,
    uuid: "m1",
  };
  const stop = { type: "control_request", request_id: "r", request: { subtype: "interrupt" } };
  const stdin = [prompt, stop, { type: "riddle" }].map((line) => `${JSON.stringify(line)}\n`).join("");
  const commands = await run(["convert", "--input", "--from", "claude", "--to", "universal"], { stdin });
  expect(
    commands.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { type: "message", messageId: "m1", text: "Say hello", attachments: [] },
    { type: "interrupt" },
    { type: "unparsed", raw: { type: "riddle" }, error: "The line is no command" },
  ]);
  const known = commands.out.split("\n").slice(0, 2).join("\n");
  const back = await run(["convert", "--input", "--from", "universal", "--to", "claude"], { stdin: known });
  expect(JSON.parse(back.out.split("\n")[0] ?? "")).toEqual(prompt);
  const codex = await run(["convert", "--input", "--from", "claude", "--to", "codex"], { stdin });
  expect(codex.out).toContain('"method":"turn/start"');
  expect(codex.err).toBe("# left out 1: 1 × lines that are no command\n");
  const wrong = await run(["convert", "--input", "--from", "universal", "--to", "claude"], {
    stdin: '{"type":"shout"}',
  });
  expect(wrong).toMatchObject({ code: 1, out: "", err: "error: Line 1 is not a command (400 invalid_request)\n" });
});

it("questions and permissions are told on wish", async () => {
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
  const stdin = `${JSON.stringify({ type: "control_request", request_id: "r1", request })}\n`;
  const quiet = await run(["convert", "--from", "claude", "--to", "codex"], { stdin });
  expect(quiet.out).not.toContain("requestApproval");
  expect(quiet.err).toContain("questions and permissions");
  const asked = await run(["convert", "--from", "claude", "--to", "codex", "--requests"], { stdin });
  expect(asked.out).toContain('"method":"item/commandExecution/requestApproval"');
  expect(asked.out).toContain('"method":"serverRequest/resolved"');
});

it("a reader that leaves ends the filter without an error", async () => {
  const { child, err, exit } = start("claude", "universal");
  child.stdin.on("error", () => {});
  const feed = async () => {
    for (let number = 1; child.exitCode === null && number < 20_000; number++) {
      // The filter stops reading when its own reader has left.
      if (!child.stdin.write(turn(number))) await Promise.race([once(child.stdin, "drain").catch(() => {}), exit]);
    }
    child.stdin.end();
  };
  const feeding = feed();
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await exit).toEqual([0, null]);
  await feeding;
  expect(await err).not.toContain("Error");
}, 120_000);

it("ten times the lines take no more memory", async (context) => {
  if (!existsSync("/proc/self/status")) return context.skip("only Linux tells the most memory a process has used");
  const small = await peakMemory(10_000);
  const large = await peakMemory(100_000);
  expect(large / small).toBeLessThan(1.5);
}, 300_000);

/** The most memory a filter has used when this many lines have gone through it, in KiB. */
async function peakMemory(lines: number): Promise<number> {
  // Without a small nursery the peak shows how long the collector waits, not what the filter holds.
  const { child, exit } = start("claude", "codex", ["--max-semi-space-size=1", "--max-old-space-size=64"]);
  let tail = "";
  const last = `This is turn ${lines / 5}.`;
  const seen = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      tail = (tail + chunk).slice(-4_096 - chunk.length);
      if (tail.includes(last)) resolve();
    });
  });
  for (let number = 1; number <= lines / 5; number++) {
    if (!child.stdin.write(turn(number))) await once(child.stdin, "drain");
  }
  await seen;
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

it("--as gives the events of a session as the lines of another agent, and says what it left out", async () => {
  const folder = await temporaryFolder();
  const daemon = await startDaemonProcess(["--port", "0", "--no-token"], { SANDBOX_DAEMON_DATA_DIR: folder.path });
  try {
    const here = ["--endpoint", daemon.url];
    expect((await run(["sessions", "create", "s1", "mock", ...here])).code).toBe(0);
    expect((await run(["sessions", "stream-message", "s1", "echo over there", ...here])).code).toBe(0);
    const page = await run(["sessions", "get-events", "s1", "--as", "claude", ...here]);
    expect(page.code).toBe(0);
    const lines = page.out.trim().split("\n");
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(expect.arrayContaining(["system", "assistant", "result"]));
    expect(page.err).toMatch(/^# left out \d+: /);
    const back = await run(["convert", "--from", "claude", "--to", "universal"], { stdin: page.out });
    expect(back.out).toContain("over there");
    const stream = startCommand(["sessions", "stream-events", "s1", "--as", "claude", ...here]);
    expect(await linesOf(stream.child.stdout, lines.length)).toEqual(lines);
    stream.child.kill("SIGINT");
    expect(await stream.exit).toEqual({ code: 0, signal: null });
  } finally {
    await daemon.stop();
    await folder.remove();
  }
});
