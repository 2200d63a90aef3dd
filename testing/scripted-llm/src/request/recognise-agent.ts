import type { AgentName } from "./agent-names.ts";
import { asRecord, asTextOrNothing } from "./json-reading.ts";
import type { OfferedTool } from "./model-request.ts";

interface Signs {
  readonly userAgent: RegExp;
  /** Tool names that only this agent offers; any one of these groups, complete, is proof. */
  readonly tools: readonly (readonly string[])[];
}

const signs: Record<AgentName, Signs> = {
  // Before Codex: it offers apply_patch too.
  codebuff: { userAgent: /codebuff/i, tools: [["run_terminal_command"], ["str_replace"], ["read_files"]] },
  claude: { userAgent: /^claude-(cli|code)\//, tools: [["AskUserQuestion"], ["Bash", "Read", "Edit"]] },
  codex: {
    userAgent: /^codex/i,
    tools: [["exec_command"], ["shell_command"], ["apply_patch"], ["request_user_input"]],
  },
  opencode: { userAgent: /opencode/i, tools: [["bash", "read", "edit"], ["todowrite"]] },
  amp: { userAgent: /\bamp\b/i, tools: [["create_file", "edit_file"], ["todo_write"]] },
};

/** Which agent sends this: its user agent says so, or the tools it offers do. */
export function agentOf(userAgent: string, tools: readonly OfferedTool[]): AgentName | undefined {
  const names = Object.keys(signs) as AgentName[];
  const offered = new Set(tools.map((tool) => tool.name));
  return (
    names.find((name) => signs[name].userAgent.test(userAgent)) ??
    names.find((name) => signs[name].tools.some((group) => group.every((tool) => offered.has(tool))))
  );
}

const sessionHeaders = [
  "x-scripted-session",
  "x-claude-code-session-id",
  "thread-id",
  "session-id",
  "session_id",
  "conversation_id",
  "x-session-affinity",
  "x-session-id",
];

/** The session an agent names in its headers, else in its body. */
export function sessionOf(headers: Readonly<Record<string, string>>, body: unknown): string | undefined {
  for (const header of sessionHeaders) {
    const value = headers[header];
    if (value !== undefined && value !== "") return value;
  }
  const record = asRecord(body);
  return (
    asTextOrNothing(record.prompt_cache_key) ??
    asTextOrNothing(asRecord(record.metadata).user_id) ??
    asTextOrNothing(asRecord(record.codebuff_metadata).client_id)
  );
}

// Agents wrap what they add themselves: reminders, the environment, AGENTS.md. The person did not write that.
const added = /<(system-reminder|system_reminder|environment_context|user_instructions|INSTRUCTIONS)>[\s\S]*?<\/\1>/g;
const agentsFile = /^# AGENTS\.md instructions[\s\S]*$/;

/** What the person wrote in one user message; empty when all of it came from the agent. */
export function withoutAdditions(text: string): string {
  return text.replaceAll(added, "").trim().replace(agentsFile, "").trim();
}

/** Codebuff marks the person's words; where the mark is used, other user messages are the agent's own. */
export function markedWords(text: string): string | undefined {
  return /<user_message>([\s\S]*?)<\/user_message>/.exec(text)?.[1]?.trim();
}
