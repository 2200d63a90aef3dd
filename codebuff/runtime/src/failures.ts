import { messageOf } from "@muster/core";
/** The run was aborted; nobody has to be told why. */
export class Cancelled extends Error {
  constructor() {
    super("Run cancelled by user");
    this.name = "Cancelled";
  }
}

/** The run cannot go on. `code` is the machine's word for it; it reaches the output as `error` and the event as `code`. */
export class RunFailure extends Error {
  readonly code: string;
  readonly statusCode: number | undefined;

  constructor(code: string, message: string, statusCode?: number) {
    super(message);
    this.name = "RunFailure";
    this.code = code;
    this.statusCode = statusCode;
  }
}

/** Anything thrown by a port as a failure that keeps the code and the status it came with. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof RunFailure) return error;
  const { code, statusCode } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  const status = typeof statusCode === "number" ? statusCode : undefined;
  return new RunFailure(codeOf(code, status), messageOf(error), status);
}

export function codeOf(code: unknown, statusCode: number | undefined): string {
  if (typeof code === "string" && code !== "") return code;
  return statusCode === 402 ? "out_of_credits" : "run_failed";
}
