import { outputError, type ToolCall, type ToolOutput } from "@muster/codebuff-protocol";
import { z } from "zod";

const Edited = z.looseObject({ file: z.string() });
const Patched = z.looseObject({ applied: z.array(z.looseObject({ file: z.string(), from: z.string().optional() })) });
const editors = new Set(["write_file", "str_replace", "apply_patch", "create_plan"]);

function isEdit({ toolName }: ToolCall): boolean {
  return editors.has(toolName);
}

/** The files a call has changed, as its result tells. */
export function editedPaths(call: ToolCall | undefined, output: ToolOutput): string[] {
  if (call === undefined || !isEdit(call) || outputError(output) !== undefined) return [];
  return output.flatMap((part) => {
    if (part.type !== "json") return [];
    const edited = Edited.safeParse(part.value);
    if (edited.success) return [edited.data.file];
    const patched = Patched.safeParse(part.value).data?.applied ?? [];
    return patched.flatMap(({ file, from }) => (from === undefined ? [file] : [from, file]));
  });
}
