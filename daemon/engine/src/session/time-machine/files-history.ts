import type { ChangeAuthor } from "@muster/schema";

/** What the time machine asks of the history of a directory. */
export interface FilesHistory {
  readonly recovered: { session: string; to: number; how: "finished" | "taken back" } | undefined;
  preview(options: { session: string; to: number; force?: string[] }): Promise<HistoryPreview>;
  rewind(options: { session: string; to: number; force?: string[] }): Promise<Outcome>;
  undo(options: { session: string; token: string; force?: string[] }): Promise<Outcome>;
  materialize(options: { session: string; turn: number; into: string; how?: "copy" | "worktree" }): Promise<unknown>;
  diff(options: { session: string; from: number; to?: number | undefined }): Promise<Difference>;
}

export interface HistoryPreview {
  changes: { path: string; change: "restored" | "removed" | "added"; by: readonly ChangeAuthor[] }[];
  conflicts: { path: string; by: readonly ChangeAuthor[]; reason: "changed_since" | "in_the_way" | "unknown" }[];
}

type Outcome = HistoryPreview & ({ kind: "moved"; undo: string } | { kind: "conflict" });

interface Difference {
  files: { path: string; change: "added" | "changed" | "deleted"; diff: string; by: readonly ChangeAuthor[] }[];
  truncated: boolean;
}
