import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "./exit-codes.ts";
import { readRunOptions } from "./run-options.ts";

const cwd = mkdtempSync(join(tmpdir(), "codebuff-options-"));
writeFileSync(join(cwd, "schema.json"), '{"type":"object"}');
writeFileSync(join(cwd, "broken.json"), "{");
writeFileSync(join(cwd, "mcp.json"), '{"mcpServers":{"files":{"command":"x"}}}');
const read = (flags: Parameters<typeof readRunOptions>[0], words: string[] = ["hi"]) =>
  readRunOptions(flags, words, { cwd, home: cwd });

describe("the mode", () => {
  it.each([
    [{}, "DEFAULT"],
    [{ free: true }, "FREE"],
    [{ lite: true }, "FREE"],
    [{ free: true, lite: true }, "FREE"],
    [{ max: true }, "MAX"],
    [{ plan: true }, "PLAN"],
  ] as const)("%j is %s", (flags, mode) => {
    expect(read(flags).mode).toBe(mode);
  });
});

describe("what goes to standard output", () => {
  it.each([
    [{}, "text", false],
    [{ nonInteractive: true }, "text", true],
    [{ json: true }, "object", true],
    [{ streamJson: true }, "lines", true],
  ] as const)("%j is %s", (flags, format, nonInteractive) => {
    expect(read(flags)).toMatchObject({ format, nonInteractive });
  });

  it("a kept-open process speaks lines", () => {
    expect(read({ inputFormat: "stream-json" }, [])).toMatchObject({
      format: "lines",
      keepOpen: true,
      prompt: undefined,
    });
  });
});

describe("--continue", () => {
  it.each([
    [true, ["fix", "it"], "latest", "fix it"],
    ["s_1", ["go on"], { id: "s_1" }, "go on"],
    ["s_1", [], { id: "s_1" }, undefined],
    ["fix the test", [], "latest", "fix the test"],
    [undefined, ["-"], undefined, undefined],
    [undefined, [], undefined, undefined],
  ] as const)("%j with the words %j", (given, words, continues, prompt) => {
    expect(read({ continue: given }, [...words])).toMatchObject({ continues, prompt });
  });
});

it("reads numbers, objects and files", () => {
  expect(
    read({
      timeout: "1.5",
      maxSteps: "7",
      budget: "0.25",
      params: '{"a":1}',
      outputSchema: "schema.json",
      mcpConfig: "mcp.json",
    }),
  ).toMatchObject({
    timeoutMs: 1500,
    maxSteps: 7,
    budgetUsd: 0.25,
    params: { a: 1 },
    outputSchema: { type: "object" },
    mcpServers: { files: { command: "x" } },
  });
  expect(read({ mcpConfig: ' {"mcpServers":{}}' }).mcpServers).toEqual({});
  expect(read({ baseUrl: "http://127.0.0.1:1/" }).baseUrl).toBe("http://127.0.0.1:1");
});

describe("wrong usage is told before anything starts", () => {
  it.each([
    [{ json: true, streamJson: true }, "--json and --stream-json exclude each other"],
    [{ json: true, inputFormat: "stream-json" }, "--json and --stream-json exclude each other"],
    [{ free: true, max: true }, "--free, --max and --plan exclude each other"],
    [{ max: true, plan: true }, "--free, --max and --plan exclude each other"],
    [{ timeout: "0" }, "--timeout takes a number of seconds above 0, not '0'"],
    [{ timeout: "-3" }, "--timeout takes a number of seconds above 0, not '-3'"],
    [{ timeout: "soon" }, "--timeout takes a number of seconds above 0, not 'soon'"],
    [{ timeout: "" }, "--timeout takes a number of seconds above 0, not ''"],
    [{ maxSteps: "1.5" }, "--max-steps takes a whole number above 0, not '1.5'"],
    [{ budget: "free" }, "--budget takes a number of US dollars above 0, not 'free'"],
    [{ cwd: "nowhere" }, `--cwd: there is no directory ${join(cwd, "nowhere")}`],
    [{ cwd: "mcp.json" }, `--cwd: ${join(cwd, "mcp.json")} is not a directory`],
    [{ params: "[1]" }, "--params: expected a JSON object"],
    [{ params: "{" }, /^--params: broken JSON: /],
    [{ outputSchema: "gone.json" }, `--output-schema: cannot read ${join(cwd, "gone.json")} (ENOENT)`],
    [{ outputSchema: "broken.json" }, /^--output-schema: broken JSON in /],
    [{ mcpConfig: "schema.json" }, /^--mcp-config: mcpServers: /],
    [{ variant: "huge" }, "--variant takes one of low, medium, high, not 'huge'"],
    [{ permissions: "maybe" }, /^--permissions takes one of default, .* not 'maybe'$/],
    [{ baseUrl: "ftp://x" }, "--base-url takes an http or https address, not 'ftp://x'"],
    [{ baseUrl: "nonsense" }, "--base-url takes an http or https address, not 'nonsense'"],
    [{ inputFormat: "xml" }, "--input-format takes one of text, stream-json, not 'xml'"],
    [{ inputFormat: "stream-json" }, "--input-format stream-json reads messages from stdin and takes no prompt"],
    [{ continue: "two words" }, "--continue: 'two words' is not a session id"],
    [{ continue: true, sessionId: "s" }, /^--session-id names a new session/],
    [{ sessionId: "a/b" }, /^--session-id takes 1 to 64/],
  ] as const)("%j", (flags, message) => {
    expect(() => read(flags)).toThrow(UsageError);
    expect(() => read(flags)).toThrow(message);
  });
});
