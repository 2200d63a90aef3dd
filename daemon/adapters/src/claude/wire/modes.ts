import type { Mode, PermissionMode } from "@muster/schema";

/** Ours → Claude's word in its protocol. */
export const claudeModes = {
  default: "default",
  acceptEdits: "acceptEdits",
  plan: "plan",
  bypass: "bypassPermissions",
} as const satisfies Record<PermissionMode, string>;

/** The way back. Modes only a person's own settings can choose (`auto`, `dontAsk`) have no word of ours. */
export const universalModes: Readonly<Record<string, PermissionMode | undefined>> = {
  default: "default",
  acceptEdits: "acceptEdits",
  plan: "plan",
  bypassPermissions: "bypass",
};

/** On the command line the same mode has another name. */
export const modeFlags = { ...claudeModes, default: "manual" } as const satisfies Record<PermissionMode, string>;

/** To Claude, planning is a permission mode: the two change together. */
export const agentModes: Mode[] = [
  { id: "build", name: "Build", description: "Does what it is told", default: true },
  {
    id: "plan",
    name: "Plan",
    description: "Looks around, then asks for approval of a plan before it changes anything",
  },
];

export const agentModeOf = (mode: PermissionMode) => (mode === "plan" ? "plan" : "build");
