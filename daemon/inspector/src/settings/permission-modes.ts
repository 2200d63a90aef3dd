import type { AgentInfo, PermissionMode } from "@muster/schema";

const words = {
  default: "ask before edits and commands",
  acceptEdits: "let edits pass, ask before commands",
  plan: "plan only, change nothing",
  bypass: "ask nothing",
} as const satisfies Record<PermissionMode, string>;

/** The modes an agent has, in words; all of them while that is not known. */
export function permissionModes(agent: AgentInfo | undefined): { id: PermissionMode; words: string }[] {
  const ids = agent?.capabilities?.permissionModes ?? (Object.keys(words) as PermissionMode[]);
  return ids.map((id) => ({ id, words: words[id] }));
}
