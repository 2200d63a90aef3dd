import { changedPrograms, readLaterPrograms, type Workspace, wallNames } from "@muster/codebuff-workspace";
import type { Warnings } from "./warnings.ts";

const told = new WeakSet<Workspace>();
const limits: ReadonlySet<string> = new Set(["processes", "memory"]);

/** Says once which ways out of the sandbox this machine leaves open. Limits that are missing stand in `workspace.walls`. */
export function tellMissingWalls(workspace: Workspace, warnings: Warnings): void {
  const missing = wallNames.filter((wall) => !limits.has(wall) && !workspace.walls.includes(wall));
  if (workspace.confinement === "table" || missing.length === 0 || told.has(workspace)) return;
  told.add(workspace);
  warnings.add(
    `Commands run in a sandbox without its walls for ${missing.join(", ")}: this machine does not have them`,
    "confinement",
  );
}

/** Names what a run changed that a program of the person's will run by itself, outside of every sandbox. */
export function watchLaterPrograms({ isVirtual, project }: Workspace, warnings: Warnings): () => void {
  if (isVirtual) return () => undefined;
  const before = readLaterPrograms(project.root);
  return () => {
    const changed = changedPrograms(before, readLaterPrograms(project.root));
    if (changed.length === 0) return;
    warnings.add(`Changed in this run, and run by other programs later: ${changed.join(", ")}`, "later_programs");
  };
}
