// A small MCP server over stdio: a harmless tool, a destructive one, and one that asks the person something.
import { createInterface } from "node:readline";

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const harmless = { inputSchema: schema, annotations: { readOnlyHint: true } };
const destructive = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
const tools = [
  { name: "echo", description: "Says it again", ...harmless },
  { name: "ask", description: "Asks who is there", ...harmless },
  { name: "danger", description: "Destroys something", inputSchema: schema, annotations: destructive },
];
const form = { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name"] };

/** Our question → the call that waits for its answer. */
const asking = new Map();

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "demo", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: { text } }) => said(`${name}: ${text}`),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {}, result } = JSON.parse(line);
  if (method === undefined) tell({ id: asking.get(id), result: said(JSON.stringify(result.content)) });
  else if (method === "tools/call" && params.name === "ask") ask(id);
  else if (id !== undefined) tell({ id, ...answer(method, params) });
}

function ask(call) {
  const id = `ask-${call}`;
  asking.set(id, call);
  tell({ id, method: "elicitation/create", params: { message: "Who are you?", requestedSchema: form } });
}

function answer(method, params) {
  const known = methods[method];
  return known ? { result: known(params) } : { error: { code: -32601, message: `No ${method}` } };
}

function said(text) {
  return { content: [{ type: "text", text }] };
}

function tell(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
