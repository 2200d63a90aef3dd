import type { Mode, PermissionMode } from "@muster/schema";

/** our id → Codebuff's word */
const nativeModes = { default: "DEFAULT", free: "FREE", max: "MAX", plan: "PLAN" } as const;

export const agentModes: readonly Mode[] = [
  { id: "default", name: "Default", description: "Balanced", default: true },
  { id: "free", name: "Free", description: "A lighter model, faster" },
  { id: "max", name: "Max", description: "Full capability" },
  { id: "plan", name: "Plan", description: "Plans first; nothing changes before the plan is approved" },
];

export function nativeMode(agentMode: string): string | undefined {
  return Object.entries(nativeModes).find(([id]) => id === agentMode)?.[1];
}

export function agentModeOf(native: string): string | undefined {
  return Object.entries(nativeModes).find(([, word]) => word === native)?.[0];
}

/** ours → the policy of that behaviour */
export const policies: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  acceptEdits: "accept-edits",
  plan: "plan",
  bypass: "allow",
};

export function permissionModeOf(policy: string): PermissionMode | undefined {
  return (Object.keys(policies) as PermissionMode[]).find((mode) => policies[mode] === policy);
}
