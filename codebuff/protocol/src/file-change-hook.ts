import { z } from "zod";

/** A command the project wants to have run after files changed. */
export const FileChangeHook = z.object({
  name: z.string().min(1),
  command: z.string().min(1),
  cwd: z.string().optional(),
  filePattern: z.string().optional(),
  enabled: z.boolean().default(true),
});
export type FileChangeHook = z.infer<typeof FileChangeHook>;
