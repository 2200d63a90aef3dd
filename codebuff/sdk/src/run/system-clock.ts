import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Clock } from "@muster/codebuff-runtime";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  newId: (kind) => `${kind}_${randomBytes(8).toString("hex")}`,
};
