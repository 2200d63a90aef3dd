import { outputError, type ToolCall, type ToolOutput } from "@muster/codebuff-protocol";
import { z } from "zod";

const Edited = z.looseObject({ file: z.string() });
const Patched = z.looseObject({ applied: z.array(z.looseObject({ file: z.string() })) });
const editors = new Set(["write_file", "str_replace", "apply_patch", "create_plan"]);

/** The files a call has changed, as its result tells. */
export function editedPaths(call: ToolCall | undefined, output: ToolOutput): string[] {
  if (call === undefined || !editors.has(call.toolName) || outputError(output) !== undefined) return [];
  return output.flatMap((part) => {
    if (part.type !== "json") return [];
    const edited = Edited.safeParse(part.value);
    if (edited.success) return [edited.data.file];
    return Patched.safeParse(part.value).data?.applied.map(({ file }) => file) ?? [];
  });
}
