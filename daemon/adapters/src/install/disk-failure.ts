const codes = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM"]);

/** We cannot write where we should; no other source would help. */
export function isDiskFailure(error: unknown): boolean {
  return codes.has((error as NodeJS.ErrnoException).code ?? "");
}
