import { errorOutput, type ToolInput, type ToolOutput } from "@muster/codebuff-protocol";
import type { Cost } from "@muster/codebuff-runtime";
import type { Backend } from "../backend/backend.ts";
import type { NetworkTool } from "./sdk-tools.ts";

/** Tools that ask the Codebuff server. Without an account they say what is missing. */
export function networkTools(backend: Backend | undefined): Record<string, NetworkTool> {
  return {
    web_search: async ({ query, depth }: ToolInput<"web_search">, signal) => {
      if (backend === undefined) return missing("web_search");
      const { result, creditsUsed } = await backend.webSearch({ query, depth }, signal);
      return { output: json({ result }), cost: credits(creditsUsed) };
    },
    read_docs: async ({ libraryTitle, topic, max_tokens: maxTokens }: ToolInput<"read_docs">, signal) => {
      if (backend === undefined) return missing("read_docs");
      const { documentation, creditsUsed } = await backend.docsSearch({ libraryTitle, topic, maxTokens }, signal);
      return { output: json({ documentation }), cost: credits(creditsUsed) };
    },
  };
}

function missing(tool: string): { output: ToolOutput } {
  return { output: errorOutput(`${tool} needs a Codebuff account: log in or set CODEBUFF_API_KEY`) };
}

function credits(used = 0): Cost {
  return { millicredits: Math.round(used * 1000), known: true };
}

function json(value: unknown): ToolOutput {
  return [{ type: "json", value: value as never }];
}
