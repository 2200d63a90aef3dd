import { z } from "zod";

/** A command the project wants to have run after files changed. */
export const FileChangeHook = z.strictObject({
  name: z.string().min(1).describe("for people and for the model"),
  command: z.string().min(1).describe("run by the shell, for at most 60 seconds"),
  cwd: z.string().describe("its directory; the project's without").optional(),
  filePattern: z.string().describe("only when a file that fits this glob was changed").optional(),
  enabled: z.boolean().describe("`false` leaves it out").default(true),
});
export type FileChangeHook = z.infer<typeof FileChangeHook>;
