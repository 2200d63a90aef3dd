export { wallNames } from "@muster/confinement";
export { CodeMap } from "./code-map/code-map.ts";
export type { PickFiles } from "./code-map/find-files.ts";
export { openProject } from "./files/access/project.ts";
export { changedPrograms, readLaterPrograms } from "./files/later-programs.ts";
export { unifiedDiff } from "./files/text/unified-diff.ts";
export { confinementNote } from "./policy/confinement-note.ts";
export { type CommandVerdict, Gate, type LiveMode } from "./policy/gate.ts";
export type {
  AskPermission,
  PermissionAnswer,
  PermissionRequest,
  RememberRules,
  RuleScope,
} from "./policy/permission-request.ts";
export { Permissions } from "./policy/permissions.ts";
export { listFiles } from "./search/file-list.ts";
export { runRipgrep } from "./search/ripgrep.ts";
export { type FileChange, type ProjectWatch, type WatchOptions, watchProject } from "./search/watch-project.ts";
export { runSpawned, type Spawn, Terminal } from "./terminal/index.ts";
export { AgentHands, type RunOptions } from "./tools/agent-hands.ts";
export type { CallContext, CustomTool, ToolHandlers } from "./tools/tool-handler.ts";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./tools/workspace.ts";
export { type FileSource, filesFromMap } from "./virtual/file-source.ts";
export type { GuardOptions } from "./web/guarded-request.ts";
export { isPublicAddress } from "./web/public-address.ts";
export { readUrl } from "./web/read-url.ts";
