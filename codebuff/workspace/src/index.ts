export { CodeMap, type CodeMapOptions, type CodeMapView, type MappedFile } from "./code-map/code-map.ts";
export type { PickFiles } from "./code-map/find-files.ts";
export { countTokens, type PrintedTree, printTree, type TruncationLevel } from "./code-map/printed-tree.ts";
export type { FileAccess, Opened, OpenedPath, PlannedEdit, Verdict } from "./files/access/file-access.ts";
export { type Location, locate, openProject, type Project } from "./files/access/project.ts";
export { type FileFilter, type Secrecy, secrecyOf } from "./files/access/secrets.ts";
export { unifiedDiff } from "./files/text/unified-diff.ts";
export { type Confinement, confinementNote } from "./policy/confinement-note.ts";
export { Gate, type GateOptions } from "./policy/gate.ts";
export type { CommandPart } from "./policy/judge-command.ts";
export type { AskingCall, AskPermission, PermissionAnswer, PermissionRequest } from "./policy/permission-request.ts";
export { Permissions } from "./policy/permissions.ts";
export { type CommandRisk, commandRisks, type Danger } from "./policy/risk/command-risks.ts";
export { PolicyEffect, PolicyRule } from "./policy/rules.ts";
export { listFiles } from "./search/file-list.ts";
export { runRipgrep } from "./search/ripgrep.ts";
export { type FileChange, type ProjectWatch, type WatchOptions, watchProject } from "./search/watch-project.ts";
export {
  type BackgroundProcess,
  type BackgroundUpdate,
  runSpawned,
  type Spawn,
  Terminal,
  type TerminalOptions,
  type TerminalRunOptions,
} from "./terminal/index.ts";
export { AgentHands, type ChildOptions, type RunOptions } from "./tools/agent-hands.ts";
export type { AskUser } from "./tools/handlers.ts";
export type { CallContext, CustomTool, ToolHandler, ToolHandlers } from "./tools/tool-handler.ts";
export type { CallOptions } from "./tools/tool-runner.ts";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./tools/workspace.ts";
export { type FileSource, filesFromMap } from "./virtual/file-source.ts";
export type { GuardOptions } from "./web/guarded-request.ts";
export { isPublicAddress } from "./web/public-address.ts";
export { readUrl } from "./web/read-url.ts";
