import type { AgentInfo, PermissionMode } from "@muster/schema";

const words = {
  default: ["asks first", "ask before edits and commands"],
  acceptEdits: ["edits pass", "let edits pass, ask before commands"],
  plan: ["plans only", "plan only, change nothing"],
  bypass: ["asks nothing", "ask nothing"],
} as const satisfies Record<PermissionMode, readonly [short: string, whole: string]>;

/** The modes an agent has, in words; all of them while that is not known. */
export function permissionModes(agent: AgentInfo | undefined): { id: PermissionMode; words: string }[] {
  const ids = agent?.capabilities?.permissionModes ?? (Object.keys(words) as PermissionMode[]);
  return ids.map((id) => ({ id, words: words[id][1] }));
}

export function shortPermissionMode(mode: PermissionMode): string {
  return words[mode][0];
}
