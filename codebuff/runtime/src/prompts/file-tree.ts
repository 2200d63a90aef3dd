import { estimateTokens } from "@muster/codebuff-protocol";

interface Directory {
  readonly directories: Map<string, Directory>;
  readonly files: string[];
}

/** The paths as an indented tree, as deep as the budget allows; deeper directories show how many files they hold. */
export function printFileTree(paths: readonly string[], maxTokens: number): string {
  const root = treeOf(paths);
  let printed = "";
  for (let depth = 1; depth <= 32; depth++) {
    const deeper = print(root, depth, "").join("\n");
    if (deeper === printed) break;
    if (estimateTokens(deeper) > maxTokens) {
      return printed === "" ? deeper.slice(0, maxTokens * 3).replace(/\n[^\n]*$/, "\n…") : printed;
    }
    printed = deeper;
  }
  return printed;
}

function treeOf(paths: readonly string[]): Directory {
  const root: Directory = { directories: new Map(), files: [] };
  for (const path of paths) {
    const parts = path.split("/");
    const file = parts.pop() ?? "";
    let directory = root;
    for (const part of parts) {
      const next = directory.directories.get(part) ?? { directories: new Map(), files: [] };
      directory.directories.set(part, next);
      directory = next;
    }
    directory.files.push(file);
  }
  return root;
}

function print(directory: Directory, depth: number, indent: string): string[] {
  const below = [...directory.directories].flatMap(([name, inner]) =>
    depth > 1
      ? [`${indent}${name}/`, ...print(inner, depth - 1, `${indent} `)]
      : [`${indent}${name}/ (${count(inner)} files)`],
  );
  return [...below, ...directory.files.map((name) => indent + name)];
}

function count({ directories, files }: Directory): number {
  return [...directories.values()].reduce((sum, inner) => sum + count(inner), files.length);
}
