/** The daemon could not be reached, or what answered is not the daemon. A problem the daemon reports is a `Failure`. */
export class ConnectionFailure extends Error {
  override readonly name: string = "ConnectionFailure";
  readonly endpoint: string;

  constructor(endpoint: string, reason: string, options: { cause?: unknown } = {}) {
    super(`Cannot reach the daemon at ${endpoint}: ${reason}`, options);
    this.endpoint = endpoint;
  }
}

/** Something answered that is no daemon: trying again would give the same. */
export class NotTheDaemon extends ConnectionFailure {}

/** No request can be made of what was given. */
export class WrongCall extends TypeError {}

/** The shortest true reason: fetch hides the system's error one or more causes deep. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return error.message || code || error.name;
}
