#!/usr/bin/env node
/** Called like Claude Code: at the message `<number>` it opens so many tool calls, then ends them in the same order. */
import { once } from "node:events";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n");
  process.exit(0);
}

const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit(0));
lines.on("line", (line) => void hear(JSON.parse(line)));

async function hear({ type, uuid, request, request_id, message }) {
  if (request?.subtype === "initialize") {
    const response = { subtype: "success", request_id, response: { commands: [], models: [] } };
    await say([{ type: "control_response", response }]);
  } else if (type === "user") await openAndEnd(Number(textOf(message)), uuid);
}

async function openAndEnd(count, uuid) {
  const lifecycle = { type: "command_lifecycle", command_uuid: uuid };
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  await say([{ ...lifecycle, state: "started" }]);
  await say(numbers.map((n) => ({ type: "assistant", message: callOf(n), parent_tool_use_id: null })));
  await say(numbers.map((n) => ({ type: "user", message: resultOf(n), parent_tool_use_id: null })));
  const usage = { input_tokens: 1, output_tokens: 1 };
  await say([{ type: "result", subtype: "success", is_error: false, result: "done", total_cost_usd: 0.001, usage }]);
  await say([{ ...lifecycle, state: "completed" }]);
}

function callOf(n) {
  const call = { type: "tool_use", id: `toolu_${n}`, name: "Bash", input: { command: `echo ${n}` } };
  return { id: `msg_${n}`, role: "assistant", content: [call] };
}

function resultOf(n) {
  return { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${n}`, content: `${n}` }] };
}

function textOf({ content }) {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

async function say(all) {
  for (const line of all) {
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, "drain");
  }
}
