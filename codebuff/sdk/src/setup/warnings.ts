import type { PrintModeEvent } from "@muster/codebuff-protocol";
import type { Logger } from "./options.ts";

/** What there is to know about a run beside what the runtime says: logged at once, and told in its place among the events. */
export class Warnings {
  readonly #logger: Logger | undefined;
  #waiting: PrintModeEvent[] = [];

  constructor(logger: Logger | undefined) {
    this.#logger = logger;
  }

  add(message: string, code = "warning"): void {
    this.#logger?.warn({ code }, message);
    this.#waiting.push({ type: "error", message, code, fatal: false });
  }

  take(): PrintModeEvent[] {
    return this.#waiting.splice(0);
  }
}
