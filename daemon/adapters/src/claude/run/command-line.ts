import type { PermissionMode } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import { ClaudeOptions } from "../options.ts";
import { modeFlags } from "../wire/modes.ts";

/** Which conversation a process is to lead: a new one under this id, or one it led before. */
export type Conversation = { begin: string } | { resume: string };

const always = [
  "--print",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--permission-prompt-tool=stdio",
  "--forward-subagent-text",
];

export interface CommandLine {
  args: string[];
  /** Secrets of MCP servers: arguments can be read by everybody on the machine, the environment cannot. */
  env: Record<string, string>;
}

/** Every flag with its value in one word: some flags would swallow the words after them. */
export function commandLine(conversation: Conversation, options: OpenOptions, isRoot: boolean): CommandLine {
  const { model, variant, systemPrompt } = options;
  const {
    agent,
    addDirectories = [],
    disallowedTools,
    fallbackModel,
    jsonSchema,
  } = ClaudeOptions.parse(options.agentOptions);
  const mode = startMode(options);
  const mcp = mcpConfig(options.mcp);
  const flags = {
    ...("begin" in conversation ? { "session-id": conversation.begin } : { resume: conversation.resume }),
    "permission-mode": modeFlags[mode],
    model,
    effort: variant,
    "append-system-prompt": systemPrompt,
    agent,
    disallowedTools: disallowedTools?.join(","),
    "fallback-model": fallbackModel,
    "json-schema": jsonSchema === undefined ? undefined : JSON.stringify(jsonSchema),
    "mcp-config": mcp?.json,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return {
    args: [
      ...always,
      ...args,
      ...addDirectories.map((directory) => `--add-dir=${directory}`),
      ...(mcp === undefined ? [] : ["--strict-mcp-config"]),
      // Without it a later change to bypass is refused; as root it is refused itself unless a sandbox is claimed.
      ...(isRoot && mode !== "bypass" ? [] : ["--allow-dangerously-skip-permissions"]),
    ],
    env: mcp?.env ?? {},
  };
}

/** Planning is a permission mode to Claude, and the one that lets less happen wins. */
export function startMode({ agentMode, permissionMode }: OpenOptions): PermissionMode {
  return agentMode === "plan" ? "plan" : permissionMode;
}

/** Values of variables and headers go by the environment; Claude puts them in where the configuration names them. */
function mcpConfig(mcp: OpenOptions["mcp"]): { json: string; env: Record<string, string> } | undefined {
  if (Object.keys(mcp).length === 0) return undefined;
  const env: Record<string, string> = {};
  const hidden = (values: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const variable = `MUSTER_MCP_${Object.keys(env).length + 1}`;
        env[variable] = value;
        return [name, `\${${variable}}`];
      }),
    );
  const mcpServers = Object.fromEntries(
    Object.entries(mcp).map(([name, server]) => [
      name,
      "url" in server
        ? { type: "http", url: server.url, headers: hidden(server.headers) }
        : { type: "stdio", command: server.command, args: server.args ?? [], env: hidden(server.env) },
    ]),
  );
  return { json: JSON.stringify({ mcpServers }), env };
}
