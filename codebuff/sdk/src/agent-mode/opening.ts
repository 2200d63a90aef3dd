import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type AgentTask,
  findSelf,
  type Memory,
  memoryFolder,
  memoryIndex,
  memorySection,
} from "@muster/codebuff-runtime";
import type { CheckedOptions, PreparedRun } from "../setup/prepare-run.ts";

/** What the agent is told of this machine: the project, its notes of earlier tasks, and where its own source lies. */
export async function openingOf(
  { sessionState }: PreparedRun,
  { root, env }: CheckedOptions,
): Promise<NonNullable<AgentTask["opening"]>> {
  const { projectRoot, cwd, fileTree, knowledgeFiles, systemInfo } = sessionState.fileContext;
  const self = findSelf({
    env,
    sourceRoot: ownSource(),
    exists: existsSync,
    readText: (path) => readFileSync(path, "utf8"),
  });
  return {
    fileContext: { projectRoot, cwd, fileTree, knowledgeFiles, systemInfo },
    memory: await memorySection(memoryOf(root)),
    self,
  };
}

/** The repository this file stands in; undefined where the package is installed without it. */
function ownSource(): string | undefined {
  const root = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");
  return existsSync(join(root, "codebuff", "sdk", "package.json")) ? root : undefined;
}

function memoryOf(root: string): Memory {
  const folder = join(root, memoryFolder);
  return {
    readIndex: () => readFile(join(folder, memoryIndex), "utf8").catch(() => undefined),
    names: async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".md")).sort(),
  };
}
