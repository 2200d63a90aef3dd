import type { ToolName } from "@muster/codebuff-protocol";
import type { Location } from "./project.ts";

/**
 * The one way of a tool to a path. `marker` is what stands in the place of the content for the model, `message` says
 * why in a sentence. Never throws.
 */
export interface FileAccess {
  open(tool: ToolName, given: string, use: "read" | "write"): Promise<OpenedPath>;
}

export type OpenedPath =
  | { readonly ok: true; readonly location: Location; readonly isTemplate: boolean }
  | { readonly ok: false; readonly marker: string; readonly message: string };
