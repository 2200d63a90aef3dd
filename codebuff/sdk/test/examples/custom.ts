// An agent and a tool of the embedding program.

import type { AgentDefinition } from "@muster/codebuff-sdk";
import { CodebuffClient, getCustomToolDefinition } from "@muster/codebuff-sdk";
import { z } from "zod/v4";

const print = (...words: unknown[]) => void process.stdout.write(`${words.join(" ")}\n`);

const scorer: AgentDefinition = {
  id: "scorer",
  model: "x-ai/grok-4-fast",
  displayName: "Scorer",
  toolNames: ["fetch_data"],
  instructionsPrompt: "Score the text.",
};
const fetchData = getCustomToolDefinition({
  toolName: "fetch_data",
  description: "Fetches data",
  inputSchema: z.object({
    url: z.url(),
    method: z.enum(["GET", "POST"]).default("GET"),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  exampleInputs: [{ url: "https://example.com/data", method: "GET" }],
  execute: async ({ url, method, headers }) => {
    const names: string[] = Object.keys(headers ?? {});
    return [{ type: "json" as const, value: { message: `${method} ${url} ${names.length}` } }];
  },
});
const client = new CodebuffClient({ apiKey: process.env.CODEBUFF_API_KEY, cwd: process.cwd() });
const { output } = await client.run({
  agent: "scorer",
  prompt: "I am happy",
  agentDefinitions: [scorer],
  customToolDefinitions: [fetchData],
  handleEvent: (event) => {
    if (event.type === "tool_result") print("result", JSON.stringify(event.output));
  },
});
if (output.type === "error") print("failed", output.message);
else print("output", output.type);
