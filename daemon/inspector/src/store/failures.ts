/** By its name and code: what is thrown is the client's, which may be loaded twice. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function isUnauthorized(error: unknown): boolean {
  return codeOf(error) === "unauthorized";
}

/** There was no answer, or none yet: asking again is worth it. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || code === "shutting_down" || code === "too_many_requests";
}
