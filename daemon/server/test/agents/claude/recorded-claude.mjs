#!/usr/bin/env node
// Plays a recording of Claude Code: says what it said, and waits where it heard something. RECORDING names the file.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n");
  process.exit(0);
}

const entries = readFileSync(process.env.RECORDING, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const isInitialized = ({ line }) => line?.includes('"request_id":"initialize"');
const initialized = {
  type: "control_response",
  response: {
    subtype: "success",
    request_id: "initialize",
    response: { commands: [], models: [], claude_code_version: "2.1.325", current_permission_mode: "default" },
  },
};
const hasStarted = entries.some(({ line }) => line?.includes('"subtype":"init"'));

/** Recorded id → the id of this run. */
const ids = new Map();
const withdrawn = new Set();
let isBusy = false;
/** Counts our control requests as the recording does. */
let orders = 0;
const heard = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

if (!hasStarted) {
  for (const { line } of entries) if (line) say(line);
  process.exit(1);
}
await hear(({ request }) => request?.subtype === "initialize");
say(entries.find(isInitialized)?.line ?? JSON.stringify(initialized));
if (!entries.some(({ command }) => command?.type === "message")) await hearMessage("");
for (const entry of entries) {
  if (isInitialized(entry)) continue;
  if (entry.command) await obey(entry.command);
  else if (!entry.skipped) say(entry.line);
}
if (isBusy) process.kill(process.pid, "SIGKILL");
say(JSON.stringify({ type: "system", subtype: "informational", content: "end of the recording" }));
for await (const _ of { [Symbol.asyncIterator]: () => heard }) {
  // Whatever else it is told, it has nothing more to say.
}

function say(line) {
  let text = line;
  for (const [recorded, actual] of ids) text = text.replaceAll(recorded, actual);
  const said = JSON.parse(text);
  if (said.type === "result") isBusy = false;
  if (said.type === "control_cancel_request") withdrawn.add(said.request_id);
  process.stdout.write(`${text}\n`);
}

async function hear(isWanted) {
  for (;;) {
    const { value, done } = await heard.next();
    if (done) process.exit(0);
    const line = JSON.parse(value);
    if (isWanted(line)) return line;
  }
}

async function hearMessage(messageId) {
  const { uuid } = await hear(({ type }) => type === "user");
  if (messageId) ids.set(messageId, uuid);
  isBusy = true;
}

async function obey(command) {
  if (command.type === "message") return hearMessage(command.messageId);
  if (command.type === "permission" || command.type === "question") {
    if (withdrawn.has(command.requestKey)) return;
    await hear(({ type, response }) => type === "control_response" && response.request_id === command.requestKey);
    return;
  }
  // Nobody interrupts an idle agent, and models it does not have are refused before it hears of them.
  const isHeard = command.type === "interrupt" ? isBusy : !command.model?.startsWith("no-such");
  if (command.type === "interrupt" || isHeard) orders++;
  const recorded = `muster_${orders}`;
  if (isHeard) {
    const { request_id } = await hear(({ type }) => type === "control_request");
    ids.set(`"${recorded}"`, `"${request_id}"`);
  } else if (command.type === "interrupt") {
    for (const entry of entries) if (entry.line?.includes(`"${recorded}"`)) entry.skipped = true;
  }
  // A refused bypass is followed by a second order.
  if (command.permissionMode === "bypass") orders++;
}
