import type { PermissionMode } from "@muster/schema";

/** The native settings that give a permission mode its behaviour. */
export interface Policy {
  approvalPolicy: "untrusted" | "on-request" | "never";
  /** As `thread/start` calls it. */
  sandbox: "read-only" | "workspace-write" | "danger-full-access";
  /** As `thread/settings/update` calls it. */
  sandboxPolicy: Readonly<Record<string, unknown>>;
}

const workspaceWrite = {
  type: "workspaceWrite",
  writableRoots: [],
  networkAccess: false,
  excludeTmpdirEnvVar: false,
  excludeSlashTmp: false,
};

/**
 * `untrusted` asks for every command and every edit, also inside the workspace (0.166.0); an allowed command then runs in
 * the sandbox. `acceptEdits` has the same settings: the converter lets edits inside the directory pass. `plan` can write
 * nothing and the converter declines whatever would leave the sandbox.
 */
export const policies: Readonly<Record<PermissionMode, Policy>> = {
  default: { approvalPolicy: "untrusted", sandbox: "workspace-write", sandboxPolicy: workspaceWrite },
  acceptEdits: { approvalPolicy: "untrusted", sandbox: "workspace-write", sandboxPolicy: workspaceWrite },
  plan: {
    approvalPolicy: "on-request",
    sandbox: "read-only",
    sandboxPolicy: { type: "readOnly", networkAccess: false },
  },
  bypass: { approvalPolicy: "never", sandbox: "danger-full-access", sandboxPolicy: { type: "dangerFullAccess" } },
};

/** Codex's own plan mode goes with either of ours. */
export function isPlanning({
  permissionMode,
  agentMode,
}: {
  permissionMode: PermissionMode;
  agentMode?: string | undefined;
}): boolean {
  return permissionMode === "plan" || agentMode === "plan";
}
