import { z } from "zod";

/** One command of a hook. Fields we do not read pass: the same file is read by other programs. */
export const HookCommand = z.looseObject({
  type: z.literal("command"),
  command: z.string().min(1),
  /** Seconds. */
  timeout: z.number().positive().optional(),
});

export const HookGroup = z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });

/** The part of `.claude/settings.json` that is about hooks; `.agents/hooks.json` has the same form. */
export const HookFile = z.looseObject({
  hooks: z.record(z.string(), z.array(z.unknown())).optional(),
  disableAllHooks: z.boolean().optional(),
});
