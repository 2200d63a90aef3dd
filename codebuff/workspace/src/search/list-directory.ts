import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { DirectoryListing, ToolError, ToolInput } from "@muster/codebuff-protocol";
import { codeOf, isMissing } from "../files/access/project.ts";
import type { SearchPorts } from "./glob.ts";

/** The names in one directory, sorted. A link counts as what it leads to. */
export async function listDirectory(
  input: ToolInput<"list_directory">,
  { access }: SearchPorts,
): Promise<DirectoryListing | ToolError> {
  const opened = await access.open("list_directory", input.path, "read");
  if (!opened.ok) return { errorMessage: opened.message };
  const { location } = opened;
  try {
    const entries = await readdir(location.real, { withFileTypes: true });
    const files: string[] = [];
    const directories: string[] = [];
    for (const entry of entries) {
      if (!access.names(location.path === "." ? entry.name : `${location.path}/${entry.name}`)) continue;
      const isDirectory = entry.isSymbolicLink()
        ? await leadsToDirectory(path.join(location.real, entry.name))
        : entry.isDirectory();
      (isDirectory ? directories : files).push(entry.name);
    }
    return { files: files.sort(), directories: directories.sort(), path: location.path };
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return { errorMessage: `${location.path} is not a directory` };
    if (isMissing(error)) return { errorMessage: `${location.path} does not exist` };
    return { errorMessage: `${location.path} cannot be listed (${codeOf(error)})` };
  }
}

async function leadsToDirectory(absolute: string): Promise<boolean> {
  return stat(absolute).then(
    (info) => info.isDirectory(),
    () => false,
  );
}
