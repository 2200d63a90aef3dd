import { isAbsolute, normalize, relative } from "node:path/posix";
import type { Part, UniversalEvent } from "@muster/schema";
import { parsePatch } from "diff";
import type { Watch } from "../violation.ts";

/**
 * Files have one name and one kind of diff, whoever the agent: a path is relative to the session's directory where it
 * lies inside and whole where it does not; a diff is unified, with `a/` and `b/` before that path.
 */
export const files: Watch = (report) => {
  let directory: string | undefined;
  const checkPath = (path: string, where: string) => {
    const fault = pathFault(path, directory);
    if (fault !== undefined) report(`${where}: the path ${JSON.stringify(path)} ${fault}`);
  };
  const checkDiff = (diff: string, paths: readonly string[], where: string) => {
    for (const fault of diffFaults(diff, paths)) report(`${where}: ${fault}`);
  };
  return {
    see(event) {
      if (event.type === "session.started") directory = event.data.directory;
      if (event.truncated !== undefined) return;
      for (const { path, action, diff } of filesOf(event)) {
        checkPath(path, "a file");
        if (diff !== undefined) checkDiff(diff, [path], `a file (${action})`);
      }
      if (event.type !== "permission.requested") return;
      const { paths = [], diff } = event.data.detail ?? {};
      for (const path of paths) checkPath(path, "a permission");
      if (diff !== undefined) checkDiff(diff, paths, "a permission");
    },
    end() {},
  };
};

function filesOf(event: UniversalEvent): Extract<Part, { type: "file" }>[] {
  if (event.type !== "item.completed" || event.data.item.role !== "tool") return [];
  return event.data.item.content.filter((part) => part.type === "file");
}

function pathFault(path: string, directory: string | undefined): string | undefined {
  if (path !== normalize(path) || path.endsWith("/") || path.startsWith("../")) return "is not in its shortest form";
  if (directory === undefined || !isAbsolute(path)) return undefined;
  const way = relative(directory, path);
  return way === ".." || way.startsWith("../") ? undefined : "lies inside the directory and is not relative to it";
}

/** Read by somebody else's parser, which counts the lines of every hunk. */
function diffFaults(diff: string, paths: readonly string[]): string[] {
  let patches: ReturnType<typeof parsePatch>;
  try {
    patches = parsePatch(diff);
  } catch (error) {
    return [`the diff is not unified: ${(error as Error).message}`];
  }
  if (patches.length === 0) return ["the diff is empty"];
  return patches.flatMap(({ oldFileName, newFileName, hunks }) => {
    if (hunks.length === 0) return ["the diff has a file without changes"];
    const before = nameIn(oldFileName, "a/");
    const after = nameIn(newFileName, "b/");
    if (before === undefined || after === undefined || (before === null && after === null)) {
      return [`the diff has the headers ${oldFileName} and ${newFileName}`];
    }
    const path = after ?? before ?? "";
    return paths.includes(path) ? [] : [`the diff is about ${path}, and the file is ${paths.join(", ")}`];
  });
}

/** null: there is no such file. undefined: it is named in another way. */
function nameIn(header: string | undefined, prefix: string): string | null | undefined {
  if (header === "/dev/null") return null;
  return header?.startsWith(prefix) ? header.slice(prefix.length) : undefined;
}
