import { stat } from "node:fs/promises";
import type { SubtreeEntry, ToolInput } from "@muster/codebuff-protocol";
import type { FileAccess } from "../files/access/file-access.ts";
import type { CodeMap } from "./code-map.ts";
import { printTree } from "./printed-tree.ts";

/** Directories as printed trees that share the budget, files as the names they define. */
export async function readSubtree(
  input: ToolInput<"read_subtree">,
  { access, codeMap }: { access: FileAccess; codeMap: CodeMap },
): Promise<SubtreeEntry[]> {
  const paths = input.paths ?? ["."];
  const budget = Math.floor(input.maxTokens / paths.length);
  return Promise.all(
    paths.map(async (given): Promise<SubtreeEntry> => {
      const opened = await access.open("read_subtree", given, "read");
      if (!opened.ok) return { path: given, errorMessage: opened.message };
      const { path, real, inside } = opened.location;
      if (!inside) return { path: given, errorMessage: `${path} is outside the project and has no code map` };
      const info = await stat(real).catch(() => undefined);
      if (info === undefined) return { path, errorMessage: `${path} does not exist` };
      const files = (await codeMap.view()).files.filter((file) => access.names(file.path));
      if (!info.isDirectory()) {
        return { path, type: "file", variables: [...(files.find((file) => file.path === path)?.scores.keys() ?? [])] };
      }
      const prefix = path === "." ? "" : `${path}/`;
      const below = files.filter((file) => file.path.startsWith(prefix));
      const relative = below.map((file) => ({ ...file, path: file.path.slice(prefix.length) }));
      return { path, type: "directory", ...printTree(relative, budget) };
    }),
  );
}
