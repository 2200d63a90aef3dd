import type { OpenOptions } from "../../adapter.ts";
import { AmpOptions } from "../options.ts";

export interface LaunchFiles {
  /** Replaces the user's own settings; absent where nothing is to be asked. */
  settings?: string;
  mcpConfig?: string;
}

/** `thread` is the conversation to go on with. */
export function commandLine(options: OpenOptions, files: LaunchFiles, thread: string | undefined): string[] {
  const { agentMode, permissionMode } = options;
  const { visibility } = AmpOptions.parse(options.agentOptions);
  const flags = {
    mode: agentMode,
    visibility: thread === undefined ? visibility : undefined,
    "settings-file": files.settings,
    "mcp-config": files.mcpConfig,
  };
  return [
    ...(thread === undefined ? [] : ["threads", "continue", thread]),
    // Before the other flags: it would take a word after it for the prompt.
    "-x",
    "--stream-json",
    "--stream-json-input",
    ...(permissionMode === "bypass" ? ["--dangerously-allow-all"] : []),
    ...Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ];
}
