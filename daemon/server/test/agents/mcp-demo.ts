/**
 * The smallest MCP server, as the source of a program: one tool says again what it was told with a variable of its own, the
 * other asks the person how many.
 */
export const mcpServer = `
import { createInterface } from "node:readline";
const schema = { type: "object", properties: { text: { type: "string" } } };
const tools = [
  { name: "echo", description: "Says it again", inputSchema: schema },
  { name: "order", description: "Asks how many", inputSchema: { type: "object", properties: {} } },
];
const said = (text) => ({ content: [{ type: "text", text }] });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let ordered;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (id === undefined) continue;
  if (id === "how-many") send({ id: ordered, result: said("ordered: " + JSON.stringify(result)) });
  else if (method === "initialize") {
    const serverInfo = { name: "demo", version: "1" };
    send({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call" && params.name === "order") {
    ordered = id;
    const properties = { count: { type: "integer", title: "How many?" } };
    const requestedSchema = { type: "object", properties, required: ["count"] };
    send({ id: "how-many", method: "elicitation/create", params: { message: "An order", requestedSchema } });
  } else if (method === "tools/call") {
    send({ id, result: said("echo: " + params.arguments.text + " " + process.env.ECHO_SECRET) });
  } else send({ id, result: {} });
}
`;
