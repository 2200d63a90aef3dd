import type { PatchOperation, PatchResult, ToolError } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { EditApproval } from "./access/edit-approval.ts";
import type { FileAccess } from "./access/file-access.ts";
import type { Location } from "./access/project.ts";
import { ChangeSet } from "./change-set.ts";
import { type FilePatch, parseHunks, parseNewContent, parsePatch } from "./patch/patch-format.ts";
import { applyHunks } from "./patch/patch-hunks.ts";
import { unifiedDiff } from "./text/unified-diff.ts";

type Applied = PatchResult["applied"][number];

/** Everything the operation names is changed, or nothing is. */
export async function applyPatch(operation: PatchOperation, access: FileAccess): Promise<PatchResult | ToolError> {
  const approval = new EditApproval(access, "apply_patch");
  try {
    const changes = new ChangeSet();
    const applied: Applied[] = [];
    for (const file of filePatches(operation)) applied.push(await plan(file, changes, approval));
    await approval.obtain(await changes.diff());
    await changes.commit();
    const message = applied.length === 1 ? "Applied the patch" : `Applied the patch to ${applied.length} files`;
    return { message, applied };
  } catch (error) {
    return { errorMessage: await approval.explain(error) };
  }
}

/** The files an operation will change, known before anything is read. Throws when the patch cannot be read. */
export function patchedPaths(operation: PatchOperation): string[] {
  return filePatches(operation).flatMap((file) =>
    file.type === "update" && file.newPath !== undefined ? [file.path, file.newPath] : [file.path],
  );
}

function filePatches(operation: PatchOperation): FilePatch[] {
  switch (operation.type) {
    case "create_file":
      return [{ type: "create", path: operation.path, content: parseNewContent(operation.diff) }];
    case "update_file": {
      const hunks = parseHunks(operation.diff);
      const { path, newPath } = operation;
      return [{ type: "update", path, newPath, hunks }];
    }
    case "delete_file":
      return [{ type: "delete", path: operation.path }];
    case "rename_file":
      return [{ type: "update", path: operation.path, newPath: operation.newPath, hunks: [] }];
    case "patch":
      return parsePatch(operation.patch);
  }
}

async function plan(file: FilePatch, changes: ChangeSet, approval: EditApproval): Promise<Applied> {
  const location = await approval.open(file.path);
  switch (file.type) {
    case "create": {
      if ((await changes.read(location)) !== undefined) throw new Error(`${location.path} exists already`);
      await changes.write(location, file.content);
      if (file.executable === true) changes.setExecutable(location, true);
      return { file: location.path, action: "add", unifiedDiff: unifiedDiff("", file.content) };
    }
    case "delete":
      await changes.remove(location);
      return { file: location.path, action: "delete", unifiedDiff: "" };
    case "update": {
      const diff = file.hunks.length === 0 ? "" : await update(location, file, changes);
      if (file.executable !== undefined) {
        if ((await changes.read(location)) === undefined) throw new Error(`${location.path} does not exist`);
        changes.setExecutable(location, file.executable);
      }
      if (file.newPath === undefined) return { file: location.path, action: "update", unifiedDiff: diff };
      const target = await approval.open(file.newPath);
      await changes.move(location, target);
      return { file: target.path, action: "rename", from: location.path, unifiedDiff: diff };
    }
  }
}

async function update(location: Location, file: FilePatch & { type: "update" }, changes: ChangeSet): Promise<string> {
  const before = await changes.read(location);
  if (before === undefined) throw new Error(`${location.path} does not exist; create it with create_file`);
  const after = named(location, () => applyHunks(before, file.hunks));
  if (after === before) throw new Error(`${location.path}: the patch changes nothing`);
  await changes.write(location, after);
  return unifiedDiff(before, after);
}

function named<Result>(location: Location, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(`${location.path}: ${messageOf(error)}`);
  }
}
