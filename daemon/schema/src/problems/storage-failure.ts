import { Failure } from "../failure.ts";

const full: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EFBIG"]);

/** A full or failing disk is nothing the caller can be blamed for, and no fault of ours either. Other errors stay. */
export function storageFailure(error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string };
  return full.has(code)
    ? new Failure("storage_full", `The disk cannot be written: ${message}`, { reason: code })
    : error;
}
