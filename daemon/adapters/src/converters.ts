/** The public entry `@muster/adapters/converters`: any agent's own lines ↔ events, and its own input ↔ commands. */
import { ampLines } from "./amp/inverse/lines.ts";
import { claudeLines } from "./claude/inverse/lines.ts";
import { codebuffLines } from "./codebuff/inverse/lines.ts";
import { codexLines } from "./codex/inverse/lines.ts";
import type { AgentLines } from "./converter/agent-lines.ts";
import { mockLines } from "./mock/inverse/lines.ts";
import { opencodeLines } from "./opencode/inverse/lines.ts";

export type { AgentLines, LinesReader, LinesWriter } from "./converter/agent-lines.ts";
export { type InputLines, universalInput } from "./converter/input-lines.ts";
export { remains } from "./converter/left-out.ts";

/** agent → its lines, in all four directions */
export const converters: Readonly<Record<string, AgentLines>> = {
  claude: claudeLines,
  codex: codexLines,
  opencode: opencodeLines,
  amp: ampLines,
  codebuff: codebuffLines,
  mock: mockLines,
};
