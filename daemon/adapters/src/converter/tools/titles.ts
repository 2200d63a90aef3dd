import type { PermissionAction } from "@muster/schema";
import { shownPath } from "./shown-path.ts";

/** What somebody is asked about, as far as the agent tells it; paths are named as `shownPath` names them. */
export interface TitleSubject {
  command?: string | undefined;
  /** The command is input for one that runs. */
  isInput?: boolean | undefined;
  paths?: readonly string[] | undefined;
  url?: string | undefined;
  /** What is looked for, in files or in the web. */
  query?: string | undefined;
  tool?: string | undefined;
  /** The agent's own words, where there is nothing of these. */
  otherwise?: string | undefined;
}

/**
 * The title of a permission, for every agent: a verb by its action, then the very thing. The title of a call is the thing
 * alone: `toolTable` makes it.
 */
export function permissionTitle(action: PermissionAction, subject: TitleSubject): string {
  return (
    titleOf(action, subject) ?? subject.otherwise ?? (subject.tool === undefined ? "Go on" : `Use ${subject.tool}`)
  );
}

function titleOf(action: PermissionAction, { command, isInput, paths, url, query, tool }: TitleSubject) {
  switch (action) {
    case "execute":
      return command && `${isInput ? "Type" : "Run"} ${command}`;
    case "edit":
      return paths?.length ? `Edit ${listed(paths)}` : undefined;
    case "read":
      return query ? `Search ${query}` : paths?.length ? `Read ${listed(paths)}` : undefined;
    case "fetch":
      return url ? `Fetch ${url}` : query && `Search ${query}`;
    case "mcp":
      return tool && `Use ${tool}`;
    case "other":
      return undefined;
  }
}

/** Several files in one title. */
export function listed(paths: readonly string[]): string | undefined {
  return paths.length === 0 ? undefined : [...new Set(paths)].join(", ");
}

const patchedFile = /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to): |\+\+\+ b\/)(.+)$/gm;

/** The files that a patch would change, in the form models know (`*** Update File: a.txt`) or in that of git. */
export function pathsInPatch(patch: string, directory: string | undefined): string[] {
  return [...patch.matchAll(patchedFile)].map(([, path = ""]) => shownPath(path.trim(), directory));
}
