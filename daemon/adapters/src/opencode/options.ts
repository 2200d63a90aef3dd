import type { CreateSession } from "@muster/schema";
import { z } from "zod";
import { checkOptions, refuseOption } from "../option-checks.ts";
import { modelName } from "./wire/settings.ts";

/** OpenCode's `agentOptions`. */
export const OpencodeOptions = z.strictObject({
  freeProvider: z
    .boolean()
    .optional()
    .describe("Let OpenCode use its vendor's free models, which need no key and send the conversation to the vendor"),
  refreshModels: z
    .boolean()
    .optional()
    .describe("Let OpenCode fetch the list of models from the network; by default it has the one it came with"),
});
export type OpencodeOptions = z.infer<typeof OpencodeOptions>;

const reservedEnv = /^(OPENCODE|HOME$|XDG_|MUSTER_|SHELL$|BUN_|NODE_OPTIONS$)|_API_KEY$|_AUTH_TOKEN$|_BASE_URL$/;

/** Throws `unsupported_option`. Models, modes and variants are looked up when a session opens: only OpenCode knows them. */
export function checkSettings(settings: CreateSession): void {
  const { model, token, baseUrl } = settings;
  if (model !== undefined && modelName(model) === undefined) {
    throw refuseOption("model", `'${model}' is not a model of OpenCode: it is written provider/model`);
  }
  if (model === undefined && (token !== undefined || baseUrl !== undefined)) {
    const option = token === undefined ? "baseUrl" : "token";
    throw refuseOption(option, `OpenCode has many providers: with ${option} give the model as provider/model`);
  }
  checkOptions(settings, { agent: "OpenCode", reservedEnv, agentOptions: OpencodeOptions });
}
