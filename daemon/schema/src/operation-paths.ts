import type { Operation } from "./operations/operation.ts";

/** Every path an operation is served at: the whole one, and the one without the parameter the daemon can make. */
export function pathsOf({ path, madeParam }: Pick<Operation, "path" | "madeParam">): string[] {
  return madeParam === undefined ? [path] : [path, path.replace(`/{${madeParam}}`, "")];
}
