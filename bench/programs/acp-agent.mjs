/** The least agent that speaks ACP, in Node like our mock: answers what it is asked, a prompt with one message before. */
import { createInterface } from "node:readline";

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  "session/new": () => ({ sessionId: "stand-in" }),
  "session/prompt": () => ({ stopReason: "end_turn" }),
};

createInterface({ input: process.stdin }).on("line", (text) => {
  const { id, method, params } = JSON.parse(text);
  const answer = answers[method];
  if (answer === undefined) return;
  if (method === "session/prompt") {
    const update = { sessionUpdate: "agent_message_chunk", content: params.prompt[0] };
    say({ method: "session/update", params: { sessionId: params.sessionId, update } });
  }
  say({ id, result: answer(params) });
});

function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
