import type { CreateSession, Mode } from "@muster/schema";
import { z } from "zod";
import { checkOptions } from "../option-checks.ts";

/** Codex's `agentOptions`. */
export const CodexOptions = z.strictObject({
  home: z
    .enum(["private", "user"])
    .optional()
    .describe("Which CODEX_HOME: the daemon's own (default), or the user's with its login and configuration"),
});
export type CodexOptions = z.infer<typeof CodexOptions>;

export const codexModes: Mode[] = [
  { id: "default", name: "Default", description: "Does what it is told", default: true },
  { id: "plan", name: "Plan", description: "Asks and proposes a plan before anything is done" },
];

/** Every effort any model of 0.166.0 has; which of them a model takes is in `GET /agents/codex/models`. */
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"];

/** Variables that would choose another key, endpoint or home than the session says. */
const reservedEnv = /^(CODEX_|OPENAI_)/;

export function checkSettings(settings: CreateSession): void {
  checkOptions(settings, {
    agent: "Codex",
    variants: efforts,
    modes: codexModes,
    reservedEnv,
    agentOptions: CodexOptions,
  });
}
