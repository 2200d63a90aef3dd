import { randomBytes } from "node:crypto";

const perMs = 4_096n;
const digits = 12;
const mask = (1n << 48n) - 1n;

/** Ids as OpenCode makes them: those of messages and parts ascend with time, those of sessions descend. */
export class NativeIds {
  readonly #nowMs: number;
  #count = 0n;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  ascending(prefix: "msg" | "prt"): string {
    return `${prefix}_${this.#time().toString(16).padStart(digits, "0")}${tail()}`;
  }

  session(): string {
    return `ses_${(~this.#time() & mask).toString(16).padStart(digits, "0")}${tail()}`;
  }

  /** More than fit into a millisecond go into the next one. */
  #time(): bigint {
    return (BigInt(this.#nowMs) * perMs + ++this.#count) & mask;
  }
}

function tail(): string {
  return randomBytes(7).toString("hex");
}
