import { type Message, messageTokens } from "@muster/codebuff-protocol";
import { expect, it } from "vitest";
import { contextShares } from "./context-shares.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const said = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const tool = (name: string) => ({ name, description: "d".repeat(300), inputSchema: {} });
const result = (toolName: string, text: string): Message => ({
  role: "tool",
  toolName,
  toolCallId: "1",
  content: [{ type: "json", value: text }],
});

const state = {
  systemPrompt: `You help.\n${"Use tabs. ".repeat(100)}`,
  toolDefinitions: [tool("read_files"), tool("glob"), tool("clock__year")],
  messageHistory: [
    user("please"),
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: "glob", input: {} }],
    } satisfies Message,
    result("glob", "x".repeat(3000)),
    result("read_files", "x".repeat(9000)),
    said("Done."),
  ],
  contextTokenCount: 0,
};
const files = { knowledgeFiles: { "AGENTS.md": "Use tabs. ".repeat(100), "other.md": "never sent" } };

it("names each kind of what fills the context, with its largest parts", () => {
  const shares = contextShares(state, files);
  expect(shares.map(({ name }) => name)).toEqual([
    "instructions",
    "knowledge files",
    "tools",
    "MCP tools",
    "prompts",
    "answers",
    "tool calls",
    "tool results",
  ]);
  const detailOf = (name: string) => shares.find((share) => share.name === name)?.detail;
  expect(detailOf("knowledge files")).toBe("AGENTS.md");
  expect([detailOf("tools"), detailOf("MCP tools")]).toEqual(["2 tools", "1 tool"]);
  expect(detailOf("tool results")).toMatch(/^read_files [\d,]+, glob [\d,]+$/);
  const results = shares.find(({ name }) => name === "tool results")?.tokens;
  expect(results).toBe(
    messageTokens(state.messageHistory[2] as Message) + messageTokens(state.messageHistory[3] as Message),
  );
});

it("adds up to what the provider counted", () => {
  const shares = contextShares({ ...state, contextTokenCount: 50_000 }, files);
  const sum = shares.reduce((all, { tokens }) => all + tokens, 0);
  expect(Math.abs(sum - 50_000)).toBeLessThanOrEqual(shares.length);
});

it("is empty where nothing was said", () => {
  expect(contextShares({ systemPrompt: "", toolDefinitions: [], messageHistory: [], contextTokenCount: 0 })).toEqual(
    [],
  );
});
