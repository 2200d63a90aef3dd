#!/usr/bin/env node
// Called like Claude Code; a message is a plan of model requests, which it makes of its gateway. It tells nothing of their cost.
import { writeSync } from "node:fs";
import { request } from "node:http";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n");
  process.exit(0);
}

const { ANTHROPIC_BASE_URL: gateway, ANTHROPIC_API_KEY: key } = process.env;
const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit(0));
lines.on("line", (line) => {
  const { type, uuid, request: asked, message } = JSON.parse(line);
  if (asked?.subtype === "initialize") {
    const response = { subtype: "success", request_id: "initialize", response: { commands: [], models: [] } };
    say({ type: "control_response", response });
  } else if (type === "user") void work(uuid, planIn(message.content));
});

function planIn(content) {
  const text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
  return JSON.parse(text.slice(text.indexOf("[["), text.lastIndexOf("]]") + 2));
}

/** Lanes go on beside each other, as sub-agents do; a lane that is refused ends. */
async function work(uuid, lanes) {
  const lifecycle = { type: "command_lifecycle", command_uuid: uuid };
  say({ ...lifecycle, state: "started" });
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) if ((await ask(step)) !== 200) return;
    }),
  );
  const content = [{ type: "text", text: "done" }];
  say({ type: "assistant", message: { id: `msg_${uuid}`, role: "assistant", content }, parent_tool_use_id: null });
  say({ type: "result", subtype: "success", is_error: false, result: "done", total_cost_usd: 0, usage: {} });
  say({ ...lifecycle, state: "completed" });
}

/** Resolves with the status when the answer is over, however; one that is left early is over then. */
function ask(step) {
  const { id, model, input, leaveAfter } = step;
  const body = JSON.stringify({ model, stream: true, messages: ["x".repeat(4 * input)], step });
  return new Promise((resolve) => {
    const headers = { "x-api-key": key, "x-claude-code-agent-id": id, "content-type": "application/json" };
    const call = request(`${gateway}/v1/messages`, { method: "POST", headers, agent: false }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk) => {
        bytes += chunk.length;
        if (leaveAfter !== undefined && bytes > leaveAfter) call.destroy();
      });
      answer.on("error", () => {});
      answer.on("close", () => resolve(answer.statusCode));
    });
    call.on("error", () => resolve(0));
    call.end(body);
  });
}

function say(line) {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
