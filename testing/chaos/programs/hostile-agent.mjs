#!/usr/bin/env node
// Called like Claude Code; does what HOSTILE says (a row of src/hostile-agents.ts) and nothing it should.
import { spawn } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n");
  process.exit(0);
}

const { atStart, beforeReady = [], atMessage = [{ finish: "done" }] } = JSON.parse(process.env.HOSTILE ?? "{}");
const ready = {
  type: "control_response",
  response: { subtype: "success", request_id: "initialize", response: { commands: [], models: [] } },
};
const stdio = { stdin: 0, stdout: 1, stderr: 2 };
const chunkBytes = 64 * 1024;
let uuid = "";

// Until it is killed, whatever becomes of its input.
setInterval(() => {}, 60_000);
process.stdin.on("error", () => {});
const lines = createInterface({ input: process.stdin });
lines.on("close", () => {
  if (process.env.HOSTILE_STAYS !== "1" && !isStubborn) process.exit(0);
});
let isStubborn = false;
let turns = Promise.resolve();
lines.on("line", (line) => {
  const heard = JSON.parse(line);
  turns = turns.then(() => hear(heard)).catch(() => {});
});

async function hear({ type, uuid: messageId, request }) {
  if (request?.subtype === "initialize") {
    await perform(atStart ?? [...beforeReady, { say: ready }]);
  } else if (type === "user") {
    uuid = messageId;
    await perform(atMessage);
  }
}

async function perform(acts) {
  for (const act of acts) await doIt(act);
}

async function doIt(act) {
  if ("say" in act) put(1, `${JSON.stringify(act.say)}\n`.replaceAll("$uuid", uuid));
  if ("text" in act) repeat(1, Buffer.from(act.text), act.times);
  if ("hex" in act) repeat(1, Buffer.from(act.hex, "hex"), act.times);
  if ("stderr" in act) repeat(2, Buffer.from(act.stderr), act.times);
  if ("bytewise" in act) for (const byte of Buffer.from(`${JSON.stringify(act.bytewise)}\n`)) put(1, Buffer.of(byte));
  if ("wait" in act) await new Promise((resolve) => setTimeout(resolve, act.wait));
  if ("exit" in act) process.exit(act.exit);
  if ("signal" in act) process.kill(process.pid, act.signal);
  if ("ignore" in act) for (const signal of act.ignore) process.on(signal, () => {});
  if ("ignore" in act) isStubborn = true;
  if ("close" in act) {
    isStubborn = true;
    closeSync(stdio[act.close]);
  }
  if ("children" in act) for (let n = 0; n < act.children; n++) leaveChild(act);
  if ("finish" in act) finish(act.finish);
}

function leaveChild({ hold, says }) {
  const script = says === undefined ? "exec sleep 600" : `sleep 0.3; echo '${says}'; exec sleep 600`;
  const output = hold === "stdout" ? "inherit" : "ignore";
  spawn("sh", ["-c", script], { detached: true, stdio: ["ignore", output, "ignore"] }).unref();
}

/** What a turn of Claude ends with. */
function finish(text) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${uuid}`, role: "assistant", content: [{ type: "text", text }] };
  const lifecycle = { type: "command_lifecycle", command_uuid: uuid };
  for (const line of [
    { ...lifecycle, state: "started" },
    { type: "assistant", message, parent_tool_use_id: null },
    { type: "result", subtype: "success", is_error: false, result: text, total_cost_usd: 0.001, usage },
    { ...lifecycle, state: "completed" },
  ]) {
    put(1, `${JSON.stringify(line)}\n`);
  }
}

function repeat(file, bytes, times = 1) {
  const perChunk = Math.max(1, Math.floor(chunkBytes / bytes.length));
  for (let left = times; left > 0; left -= perChunk) {
    put(file, Buffer.alloc(Math.min(left, perChunk) * bytes.length, bytes));
  }
}

/** All of it, also into a full pipe. */
function put(file, content) {
  const bytes = Buffer.from(content);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(file, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") return;
    }
  }
}
