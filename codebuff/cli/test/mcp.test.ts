import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openWorld } from "./command.ts";

/** A real server over the official server package. */
const server = fileURLToPath(new URL("../../sdk/test/programs/mcp-stdio.mjs", import.meta.url));
const config = { mcpServers: { tools: { type: "stdio", command: process.execPath, args: [server] } } };
const echo = { name: "tools__echo", native: true, input: { shape: "round" } };
const pid = { name: "tools__pid", native: true, input: {} };

async function mcpWorld(files: Record<string, string> = {}) {
  const world = await openWorld({ conversations: [{ turns: [{ tools: [echo, pid] }, { text: "Done." }] }] }, files);
  onTestFinished(() => world.close());
  return world;
}

it.each(["text", "a file"])(
  "--mcp-config as %s: its tools are offered and called, and its process ends",
  async (form) => {
    const world = await mcpWorld();
    const file = join(world.home, "servers.json");
    await writeFile(file, JSON.stringify(config));
    const given = form === "text" ? JSON.stringify(config) : file;
    const { code, lines, out, err } = await world.run(["--stream-json", "--mcp-config", given, "use them"]);
    expect(code, out + err).toBe(0);
    const asked = world.llm.requests()[0]?.body as { tools: { name: string; input_schema: object }[] } | undefined;
    expect(asked?.tools.find(({ name }) => name === "tools__echo")?.input_schema).toMatchObject({
      properties: { shape: { oneOf: [{ $ref: "#/$defs/circle" }, { type: "string", default: "none" }] } },
    });
    const results = lines.filter(({ type }) => type === "tool_result");
    const said = Object.fromEntries(results.map(({ toolName, output }) => [toolName, JSON.stringify(output)]));
    expect(said.tools__echo).toContain("round");
    const process = Number(/\d+/.exec(said.tools__pid ?? "")?.[0]);
    expect(process).toBeGreaterThan(0);
    await expect.poll(() => stateOf(process), { timeout: 60_000 }).toBe("gone");
  },
);

it("a server of --mcp-config that does not start is told, and the run goes on without it", async () => {
  const world = await openWorld({ conversations: [{ turns: [{ text: "Done." }] }] });
  onTestFinished(() => world.close());
  const broken = JSON.stringify({ mcpServers: { gone: { type: "stdio", command: "/no/such/server" } } });
  const { code, lines } = await world.run(["--stream-json", "--mcp-config", broken, "hello"]);
  expect(code).toBe(0);
  expect(lines).toContainEqual(
    expect.objectContaining({ type: "error", fatal: false, message: expect.stringContaining("gone") }),
  );
});

it("mcp list tells what is configured, mcp test starts it", async () => {
  const mixed = { mcpServers: { ...config.mcpServers, gone: { type: "stdio", command: "/no/such/server" } } };
  const world = await mcpWorld({ ".agents/mcp.json": JSON.stringify(mixed) });
  const list = await world.run(["mcp", "list"]);
  expect([list.code, list.err]).toEqual([0, ""]);
  expect(list.out).toMatch(/tools[\s\S]*gone/);
  const one = await world.run(["mcp", "test", "tools"]);
  expect([one.code, one.out]).toEqual([0, expect.stringMatching(/echo/)]);
  const all = await world.run(["mcp", "test"]);
  expect([all.code, all.out]).toEqual([1, expect.stringMatching(/gone/)]);
});

function stateOf(process: number): "gone" | "running" {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${process}/status`, "utf8")) ? "gone" : "running";
  } catch {
    return "gone";
  }
}
