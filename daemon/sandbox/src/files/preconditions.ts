import { Failure } from "@muster/schema/wire";

/** Throws where what is there is not what the caller has seen. */
export function checkPreconditions(
  { ifMatch, ifNoneMatch }: { ifMatch?: string | undefined; ifNoneMatch?: string | undefined },
  etag: string | undefined,
): void {
  const isThere = etag !== undefined;
  if (ifMatch !== undefined && !(isThere && isNamed(ifMatch, etag))) {
    throw new Failure("precondition_failed", isThere ? `The file has the ETag ${etag}` : "There is no file", { etag });
  }
  if (ifNoneMatch !== undefined && isThere && isNamed(ifNoneMatch, etag)) {
    throw new Failure("precondition_failed", `There is a file, with the ETag ${etag}`, { etag });
  }
}

/** Whether a list of ETags, or `*`, names this one. */
export function isNamed(list: string, etag: string): boolean {
  if (list.trim() === "*") return true;
  return list.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
