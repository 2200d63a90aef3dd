export { CodeMap, type CodeMapOptions, type CodeMapView, type MappedFile } from "./code-map/code-map.ts";
export { countTokens, type PrintedTree, printTree, type TruncationLevel } from "./code-map/printed-tree.ts";
export type { FileAccess, OpenedPath } from "./files/file-access.ts";
export { isInside, type Location, locate, openProject, type Project } from "./files/project.ts";
export { unifiedDiff } from "./files/unified-diff.ts";
export { type CommandRisk, commandRisks, type Danger } from "./policy/command-risks.ts";
export {
  type AskPermission,
  Gate,
  type GateOptions,
  type PermissionAnswer,
  type PermissionRequest,
  type Verdict,
} from "./policy/gate.ts";
export { Permissions } from "./policy/permissions.ts";
export { PolicyEffect, PolicyRule } from "./policy/rules.ts";
export { type Secrecy, secrecyOf } from "./policy/secrets.ts";
export { listFiles } from "./search/file-list.ts";
export type { PickFiles } from "./search/find-files.ts";
export {
  type CheckpointInfo,
  type MoveResult,
  Snapshots,
  type SnapshotsOptions,
  SnapshotsUnavailable,
} from "./snapshots/index.ts";
export {
  type BackgroundProcess,
  type BackgroundUpdate,
  type RunOptions,
  Terminal,
  type TerminalOptions,
  type TerminalSize,
} from "./terminal/index.ts";
export type { CallContext, CustomTool, ToolHandler, ToolHandlers } from "./tools/tool-handler.ts";
export { type RunCallsOptions, ToolRunner, type ToolRunnerOptions } from "./tools/tool-runner.ts";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./tools/workspace.ts";
