import { shippedAgents } from "@muster/codebuff-agents";
import { estimateTokens } from "@muster/codebuff-protocol";
import { describe, expect, it } from "vitest";
import { call, type RunWorld, runWorld } from "../run-world.ts";

/**
 * A request as the provider's cache sees it: tools, system prompt, then the messages, one after the other. Marks say where
 * to keep, and are no part of what is kept.
 */
function bytesOf(body: unknown): string {
  const { tools, system, messages } = body as { tools: unknown; system: unknown; messages: unknown };
  const plain = (value: unknown) =>
    JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));
  return `${plain(tools)}\n${plain(system)}\n${plain(messages)}`;
}

function commonPrefix(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** How much of each request stands at the beginning of the next one, as a share of all bytes. One agent alone asks here. */
function stability(world: RunWorld): { share: number; least: number; requests: number } {
  const bodies = world.llm.requests().map(({ body }) => bytesOf(body));
  const pairs = bodies.slice(1).map((body, at) => {
    const before = bodies[at] ?? "";
    return { before: before.length, common: commonPrefix(before, body) };
  });
  const sum = (of: "before" | "common") => pairs.reduce((total, pair) => total + pair[of], 0);
  const least = Math.min(...pairs.map(({ before, common }) => common / before));
  return { share: sum("common") / sum("before"), least, requests: bodies.length };
}

const files = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`src/file${at}.ts`, `export const value${at} = ${at};\n`]),
);
const write = (at: number) => call("write_file", { path: `src/new${at}.ts`, instructions: "x", content: `// ${at}\n` });
const look = call("read_files", { paths: ["src/file1.ts", "src/file2.ts"] });
const run = call("run_terminal_command", { command: "ls src | wc -l" });
const search = call("code_search", { pattern: "value1" });

describe("the beginning of a request is that of the request before it", () => {
  it.each(["DEFAULT", "MAX", "FREE"] as const)("over the steps and prompts of a session in %s mode", async (mode) => {
    const turns = Array.from({ length: 4 }, (_, at) => [
      { text: "First I look.", tools: [look, search] },
      { tools: [write(at), run] },
      { text: `Done ${at}.` },
    ]).flat();
    const world = await runWorld(turns, { files });
    let previousRun = await world.run({ agent: undefined, mode, prompt: "Begin." });
    for (const prompt of ["Go on.", "And this?", "The last one."]) {
      previousRun = await world.run({ agent: undefined, mode, prompt, previousRun });
    }
    const seen = stability(world);
    process.stdout.write(
      `${mode}: ${(seen.share * 100).toFixed(1)} % of the bytes, ${(seen.least * 100).toFixed(1)} % at least\n`,
    );
    expect(seen.requests).toBe(12);
    expect(seen.share).toBeGreaterThanOrEqual(0.95);
  });
});

it("tokens of the system prompt and the tools of each shipped agent are known", async () => {
  const rows: [string, number, number][] = [];
  for (const agent of shippedAgents.filter(({ id }) => ["base", "base-free", "base-max", "base2-plan"].includes(id))) {
    const world = await runWorld([{ text: "Done." }], { files });
    await world.run({ agent: agent.id });
    const [request] = world.llm.requests();
    const { tools = [], system } = (request?.body ?? {}) as { tools?: unknown[]; system?: unknown };
    rows.push([agent.id, estimateTokens(JSON.stringify(system ?? "")), estimateTokens(JSON.stringify(tools))]);
  }
  process.stdout.write(rows.map(([id, system, tools]) => `${id}: system ${system}, tools ${tools} tokens\n`).join(""));
  expect(rows).toHaveLength(4);
  for (const [, system, tools] of rows) {
    expect(system).toBeLessThan(2_500);
    expect(tools).toBeLessThan(9_000);
  }
});
