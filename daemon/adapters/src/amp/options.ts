import type { CreateSession } from "@muster/schema";
import { z } from "zod";
import { checkOptions, refuseOption } from "../option-checks.ts";
import { knownModes } from "./wire/modes.ts";

/** Amp's own settings. */
export const AmpOptions = z.strictObject({
  visibility: z
    .enum(["private", "workspace", "group"])
    .optional()
    .describe("Who may see the thread on Amp's service (--visibility)"),
});
export type AmpOptions = z.infer<typeof AmpOptions>;

const reservedEnv = /^(AMP_|AGENT|NODE_OPTIONS$|HOME$|MUSTER_)/;

/** Throws `unsupported_option` for what Amp cannot do. Which of the modes a version has is looked up when it starts. */
export function checkSettings(settings: CreateSession): void {
  const { model, variant, systemPrompt, permissionMode } = settings;
  if (model !== undefined) throw refuseOption("model", "Amp chooses its model by its mode; there is nothing to choose");
  if (variant !== undefined) throw refuseOption("variant", "Amp has no variants of its models");
  if (systemPrompt !== undefined) throw refuseOption("systemPrompt", "Amp takes no system prompt");
  if (permissionMode === "plan") throw refuseOption("permissionMode", "Amp has no plan mode");
  checkOptions(settings, {
    agent: "Amp",
    modes: knownModes.map((id) => ({ id })),
    reservedEnv,
    agentOptions: AmpOptions,
  });
}
