import { isRecord } from "@muster/core";
import type { Item } from "@muster/schema";

/** Names under which the agents' edit tools are given their file. */
const pathNames = ["file_path", "filePath", "path", "notebook_path"] as const;

/** Files that a finished item says the agent has written with an edit tool. */
export function editedPaths({ status, content }: Item): string[] {
  if (status !== "completed") return [];
  return content.flatMap((part) => {
    if (part.type === "file") return part.action === "read" ? [] : [part.path];
    if (part.type !== "tool_call" || part.toolKind !== "edit" || !isRecord(part.input)) return [];
    const { input } = part;
    return pathNames.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : []));
  });
}
