/**
 * default asks for every edit and every command not known to be read-only; acceptEdits lets edits inside the directory
 * pass; plan lets nothing change; bypass asks nothing. The behaviour is the contract, whatever the agent calls it.
 */
export const permissionModes = ["default", "acceptEdits", "plan", "bypass"] as const;
