import type { CreateSession } from "@muster/schema";
import { z } from "zod";
import { checkOptions, refuseOption } from "../option-checks.ts";
import { defaultModel, models, modes } from "./models.ts";
import { version } from "./run/program/version.ts";

/** The mock's `agentOptions`. */
export const MockOptions = z.strictObject({
  shared: z.boolean().optional().describe("Run as one of many sessions on a shared process"),
  start: z
    .enum(["missing", "crash", "silent", "leave"])
    .optional()
    .describe("Fail to start, in one of three ways, or end as soon as it has started"),
  startMs: z.int().positive().max(60_000).optional().describe("How long it may take to start; 10 s by default"),
});
export type MockOptions = z.infer<typeof MockOptions>;

export function checkSettings(settings: CreateSession): void {
  const { model = defaultModel, variant, agentVersion, baseUrl, mcp } = settings;
  if (mcp !== undefined && Object.keys(mcp).length > 0) throw refuseOption("mcp", "The mock agent has no MCP client");
  if (baseUrl !== undefined) throw refuseOption("baseUrl", "The mock agent calls no model");
  if (agentVersion !== undefined && agentVersion !== version) {
    throw refuseOption("agentVersion", `There is only version ${version} of the mock agent`);
  }
  const known = models.find(({ id }) => id === model);
  if (known === undefined) {
    const names = models.map(({ id }) => id).join(", ");
    throw refuseOption("model", `The mock agent has no model '${model}', only ${names}`);
  }
  if (variant !== undefined && known.variants?.includes(variant) !== true) {
    throw refuseOption("variant", `The model ${model} has no variant '${variant}'`);
  }
  checkOptions(settings, { agent: "The mock agent", modes, agentOptions: MockOptions });
}
