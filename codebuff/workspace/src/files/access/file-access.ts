import type { ToolName } from "@muster/codebuff-protocol";
import type { Location } from "./project.ts";

/**
 * The one way of a tool to a path. `marker` is what stands in the place of the content for the model, `message` says
 * why in a sentence. Never throws.
 */
export interface FileAccess {
  open(tool: ToolName, given: string, use: "read" | "write"): Promise<OpenedPath>;
  /** Whether a file that a search has found may be shown. */
  shows(path: string): boolean;
  /** Whether a file may be named at all. Secret files may, so that nobody makes them anew; what a filter blocks may not. */
  names(path: string): boolean;
  /** Asked once for a whole edit, when it is known and nothing of it is written yet. */
  approve(edit: PlannedEdit): Promise<Verdict>;
}

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface Opened {
  readonly ok: true;
  readonly location: Location;
  readonly isTemplate: boolean;
  /** A person has to agree to the edit before it is written, and before what stands in the file is told. */
  readonly asks?: string;
}

export type OpenedPath = Opened | { readonly ok: false; readonly marker: string; readonly message: string };

export interface PlannedEdit {
  readonly tool: ToolName;
  readonly opened: readonly Opened[];
  readonly diff: string;
}
