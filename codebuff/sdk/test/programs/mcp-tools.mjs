// The tools of the test server, over the official server package.
import { Server } from "@modelcontextprotocol/server";

/** A schema that any conversion would change. */
export const shape = {
  type: "object",
  required: ["shape"],
  properties: {
    shape: { oneOf: [{ $ref: "#/$defs/circle" }, { type: "string", default: "none" }] },
  },
  $defs: { circle: { type: "object", properties: { radius: { type: "number", exclusiveMinimum: 0 } } } },
  additionalProperties: false,
};
const free = { type: "object" };

export function testServer() {
  const server = new Server({ name: "test", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [
      { name: "echo", description: "Says it back", inputSchema: shape, annotations: { readOnlyHint: true } },
      { name: "picture", inputSchema: free },
      { name: "fail", inputSchema: free },
      { name: "crash", inputSchema: free },
      { name: "hang", inputSchema: free },
      { name: "flood", inputSchema: free },
      { name: "pid", inputSchema: free },
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given } }) => {
    const text = (value) => ({ content: [{ type: "text", text: value }] });
    switch (name) {
      case "echo":
        return text(JSON.stringify(given));
      case "picture":
        return { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };
      case "fail":
        return { ...text("it went wrong"), isError: true };
      case "crash":
        return process.exit(3);
      case "hang":
        return new Promise(() => undefined);
      case "flood":
        return text("x".repeat(10 * 1024 * 1024));
      case "pid":
        return text(String(process.pid));
    }
    throw new Error(`no tool ${name}`);
  });
  return server;
}
