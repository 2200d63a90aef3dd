import type { Chat } from "../chat/chat.ts";
import { formatRows } from "../text/rows.ts";
import type { SlashCommand } from "./slash-command.ts";

export const contextCommand: SlashCommand = {
  name: "context",
  group: "talk",
  help: "what fills the model's context, and how much is left",
  async run(chat) {
    const known = await knownOf(chat);
    if (known === undefined) return chat.say("The context is empty: nothing was said yet.");
    const { contextShares } = await import("../run/context-shares.ts");
    const window = await (await chat.conversation()).contextWindowOf(chat.model);
    const shares = contextShares(known, chat.prompts.lastState?.sessionState?.fileContext);
    const used = shares.reduce((sum, { tokens }) => sum + tokens, 0);
    const most = Math.max(used, window ?? 0);
    const free = Math.max(0, most - used);
    const head = `${amount(used)} of ${amount(most)} tokens of ${chat.model}, ${percent(used, most)}`;
    const rows = [...shares, { name: "free", tokens: free, detail: free * 5 < most ? "/compact makes room" : "" }];
    const lines = rows.map(({ name, tokens, detail }) => [
      name.padEnd(15),
      percent(tokens, most).padStart(6),
      `${bar(tokens, most)} ${amount(tokens)}${detail === "" ? "" : ` · ${detail}`}`,
    ]);
    chat.say(`${head}\n${formatRows(lines).trimEnd()}`);
  },
};

/** What the last run left, else what a session that was opened has said so far. */
async function knownOf(chat: Chat) {
  const state = chat.prompts.lastState?.sessionState?.mainAgentState;
  if (state !== undefined) return state;
  const { messageHistory = [] } = (await (await chat.conversation()).session())?.state ?? {};
  if (messageHistory.length === 0) return undefined;
  return { systemPrompt: "", toolDefinitions: [], messageHistory, contextTokenCount: 0 };
}

const cells = 10;

/** Whatever is there has at least one cell. */
function bar(tokens: number, most: number): string {
  const full = tokens === 0 ? 0 : Math.max(1, Math.round((tokens / most) * cells));
  return `${"■".repeat(Math.min(cells, full))}${"·".repeat(Math.max(0, cells - full))}`;
}

function percent(tokens: number, most: number): string {
  const share = most === 0 ? 0 : (tokens / most) * 100;
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)} %`;
}

function amount(tokens: number): string {
  return tokens.toLocaleString("en");
}
