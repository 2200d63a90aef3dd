import type { CreateSession } from "@muster/schema";
import { z } from "zod";
import { checkOptions } from "../../src/option-checks.ts";

const TinyOptions = z.strictObject({});

export function checkSettings(settings: CreateSession): void {
  checkOptions(settings, { agent: "Tiny", reservedEnv: /^TINY_/, agentOptions: TinyOptions });
}
