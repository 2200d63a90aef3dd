import { z } from "zod";

/** Codex's `agentOptions`. */
export const CodexOptions = z.strictObject({
  home: z
    .enum(["private", "user"])
    .optional()
    .describe("Which CODEX_HOME: the daemon's own (default), or the user's with its login and configuration"),
});
export type CodexOptions = z.infer<typeof CodexOptions>;
