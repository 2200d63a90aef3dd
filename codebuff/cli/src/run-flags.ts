/** Every flag of a run: how it is written, what it says, and under which heading the help lists it. */
export const runFlags = [
  [
    "-n, --non-interactive",
    "no screen: stream the answer to standard output as text, exit when the run ends",
    "output",
  ],
  ["--json", "print one JSON object at the end (implies -n)", "output"],
  ["--stream-json", "print one JSON event per line while running (implies -n)", "output"],
  ["--input-format <format>", "text, or stream-json: stay open and read messages as JSON lines from stdin", "output"],
  ["-q, --quiet", "no streaming output, only the end result", "output"],
  ["--plain", "text without colours, cursor moves or spinners", "output"],
  ["--theme <name>", "colours: auto asks the terminal, dark, light, or a file of ~/.codebuff/themes", "output"],
  ["--vim", "edit the prompt with the keys of vim", "output"],
  ["--free", "FREE mode: a lighter, faster model", "mode"],
  ["--lite", "the same as --free", "mode"],
  ["--max", "MAX mode: full capability", "mode"],
  ["--plan", "PLAN mode: plan first, nothing is changed before you approve", "mode"],
  ["--continue [id]", "go on with that session, or with the latest one of this directory", "session"],
  ["--session-id <id>", "the id of a new session (letters, digits, . _ -, at most 64)", "session"],
  ["--cwd <dir>", "working directory and project root", "session"],
  ["--timeout <seconds>", "end the run after so many seconds (exit code 124)", "limits"],
  ["--max-steps <n>", "end the run after so many steps of the model (default 100)", "limits"],
  [
    "--budget <usd>",
    "send no request once all runs of this process have cost it; counts sub-agents and tools",
    "limits",
  ],
  ["--agent <id>", "run this agent instead of the one of the mode", "model"],
  ["--model <model>", "use this model for the main agent, as vendor/model", "model"],
  ["--variant <effort>", "reasoning effort: low, medium or high", "model"],
  ["--provider <name>", "anthropic, openai, openrouter, gemini, codebuff, or a provider of your config", "model"],
  ["--base-url <url>", "the Codebuff server to use", "model"],
  ["--demo", "run offline with a scripted model and a small scripted task", "model"],
  ["--params <json>", "parameters for the agent, a JSON object", "agent"],
  ["--output-schema <file>", "JSON schema of a structured answer", "agent"],
  ["--append-system-prompt <text>", "text added to the agent's system prompt", "agent"],
  ["--mcp-config <json|file>", 'MCP servers: { "mcpServers": { … } } as JSON or a file of it', "agent"],
  ["--permissions <policy>", "default, accept-edits, plan, ask, allow, deny or sandboxed", "agent"],
  ["--trust", "use the agents, servers, hooks, skills and rules of this project, in this run only", "agent"],
  ["--agent-local", "run agent mode in this process, also with a Codebuff account", "agent"],
  ["--list-models", "what models can be used now, and why the others cannot", "other"],
  ["--list-agents", "the agents that can be run here", "other"],
  ["--clear-logs", "delete the log files of this project and exit", "other"],
] as const satisfies readonly (readonly [flag: string, description: string, group: string])[];

/** What commander makes of the flags: undefined where one was not given. */
export interface GivenFlags {
  nonInteractive?: true;
  json?: true;
  streamJson?: true;
  inputFormat?: string;
  quiet?: true;
  plain?: true;
  free?: true;
  lite?: true;
  max?: true;
  plan?: true;
  continue?: string | true;
  sessionId?: string;
  cwd?: string;
  timeout?: string;
  maxSteps?: string;
  budget?: string;
  agent?: string;
  model?: string;
  variant?: string;
  provider?: string;
  baseUrl?: string;
  demo?: true;
  params?: string;
  outputSchema?: string;
  appendSystemPrompt?: string;
  mcpConfig?: string;
  permissions?: string;
  trust?: true;
  theme?: string;
  vim?: true;
  agentLocal?: true;
  listModels?: true;
  listAgents?: true;
  clearLogs?: true;
}
