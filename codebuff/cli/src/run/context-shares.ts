import {
  estimateTokens,
  type FileContext,
  type Message,
  messageTokens,
  type RunAgentState,
} from "@muster/codebuff-protocol";

/** One kind of what fills the model's context. */
export interface ContextShare {
  readonly name: string;
  readonly tokens: number;
  /** What of it is largest, or how many there are. */
  readonly detail: string;
}

type Known = Pick<RunAgentState, "systemPrompt" | "toolDefinitions" | "messageHistory" | "contextTokenCount">;

/**
 * What stands in the model's context after the last step, in parts that add up to the size the footer tells. The parts are
 * estimates; the whole is scaled by what the provider counted.
 */
export function contextShares(state: Known, files: Partial<FileContext> = {}): ContextShare[] {
  const shares = [...promptShares(state, files), ...toolShares(state), ...messageShares(state.messageHistory)].filter(
    ({ tokens }) => tokens > 0,
  );
  const sum = shares.reduce((all, { tokens }) => all + tokens, 0);
  const scale = sum === 0 || state.contextTokenCount === 0 ? 1 : state.contextTokenCount / sum;
  return shares.map((share) => ({ ...share, tokens: Math.round(share.tokens * scale) }));
}

/** The system prompt, without the files that were put into it. */
function promptShares({ systemPrompt }: Known, { knowledgeFiles = {}, userKnowledgeFiles = {} }: Partial<FileContext>) {
  const knowledge = [...Object.entries(knowledgeFiles), ...Object.entries(userKnowledgeFiles)].filter(
    ([, text]) => text.trim() !== "" && systemPrompt.includes(text.trimEnd()),
  );
  const ofFiles = knowledge.reduce((sum, [, text]) => sum + estimateTokens(text), 0);
  return [
    {
      name: "instructions",
      tokens: Math.max(0, estimateTokens(systemPrompt) - ofFiles),
      detail: "system prompt, file list",
    },
    { name: "knowledge files", tokens: ofFiles, detail: knowledge.map(([path]) => path).join(", ") },
  ];
}

/** Tools of MCP servers are named `server__tool`. */
function toolShares({ toolDefinitions }: Known): ContextShare[] {
  const isForeign = ({ name }: { name: string }) => name.includes("__");
  const share = (name: string, tools: readonly object[]) => ({
    name,
    tokens: tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0),
    detail: `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
  });
  return [
    share(
      "tools",
      toolDefinitions.filter((tool) => !isForeign(tool)),
    ),
    share("MCP tools", toolDefinitions.filter(isForeign)),
  ];
}

function messageShares(messages: readonly Message[]): ContextShare[] {
  const kinds = new Map<string, Message[]>();
  for (const message of messages) {
    const kind = kindOf(message);
    kinds.set(kind, [...(kinds.get(kind) ?? []), message]);
  }
  return ["prompts", "answers", "thoughts", "tool calls", "tool results"].map((name) => {
    const those = kinds.get(name) ?? [];
    const tokens = those.reduce((sum, message) => sum + messageTokens(message), 0);
    return {
      name,
      tokens,
      detail: name === "tool results" ? largestTools(those) : name === "prompts" ? "with reminders of the agent" : "",
    };
  });
}

function kindOf(message: Message): string {
  if (message.role === "tool") return "tool results";
  if (message.role !== "assistant") return "prompts";
  const [part] = message.content;
  return part?.type === "tool-call" ? "tool calls" : part?.type === "reasoning" ? "thoughts" : "answers";
}

/** The three tools whose results are largest. */
function largestTools(messages: readonly Message[]): string {
  const sizes = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    sizes.set(message.toolName, (sizes.get(message.toolName) ?? 0) + messageTokens(message));
  }
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, 3);
  return largest.map(([name, tokens]) => `${name} ${tokens.toLocaleString("en")}`).join(", ");
}
