import { z } from "zod";

/** A number of `[limits]`; what is left out has no limit but the seconds. */
const limit = z.number().positive();

/** `task.toml`. What is not known is refused, because a misspelled limit would be none. */
export const TaskFile = z.strictObject({
  title: z.string().min(1),
  tags: z.array(z.string()).default([]),
  limits: z
    .strictObject({
      seconds: limit.default(600).describe("The agent is ended after this time, with all it started"),
      usd: limit.optional().describe("What its model requests may cost"),
      steps: z.int().positive().optional().describe("How many tools it may call"),
    })
    .prefault({}),
  start: z
    .strictObject({ repository: z.string(), commit: z.string().regex(/^[0-9a-f]{7,64}$/, "not a commit") })
    .optional()
    .describe("A repository in place of the folder start/"),
  check: z
    .strictObject({
      seconds: limit.default(120),
      keeps: z
        .array(z.string())
        .default([])
        .describe("Test configuration that is the agent's to change; any other is put back before the check"),
    })
    .prefault({}),
});
export type TaskFile = z.infer<typeof TaskFile>;

/** One task, as it lies in its folder. */
export interface Task extends TaskFile {
  /** The folder's name. */
  readonly id: string;
  readonly folder: string;
  /** What the agent is asked. */
  readonly instruction: string;
}
