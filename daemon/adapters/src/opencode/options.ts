import { type CreateSession, Failure } from "@muster/schema";
import { z } from "zod";
import { modelName } from "./read/settings.ts";

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

/** Variables by which the daemon itself tells OpenCode whom to ask, as whom, and what it may do. */
const reserved = /^(OPENCODE|HOME$|XDG_|MUSTER_|SHELL$|BUN_|NODE_OPTIONS$)|_API_KEY$|_AUTH_TOKEN$|_BASE_URL$/;

/** Throws `unsupported_option`. Models, modes and variants are looked up when a session opens: only OpenCode knows them. */
export function checkSettings({ model, token, baseUrl, env = {}, agentOptions = {} }: CreateSession): void {
  if (model !== undefined && modelName(model) === undefined) {
    throw refusal("model", `'${model}' is not a model of OpenCode: it is written provider/model`);
  }
  if (model === undefined && (token !== undefined || baseUrl !== undefined)) {
    const option = token === undefined ? "baseUrl" : "token";
    throw refusal(option, `OpenCode has many providers: with ${option} give the model as provider/model`);
  }
  const name = Object.keys(env).find((variable) => reserved.test(variable));
  if (name !== undefined) throw refusal("env", `The variable ${name} is set by the daemon; use token, baseUrl and mcp`);
  const options = OpencodeOptions.safeParse(agentOptions);
  if (options.success) return;
  const [issue] = options.error.issues;
  throw refusal("agentOptions", `agentOptions ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
}

function refusal(option: string, detail: string): Failure {
  return new Failure("unsupported_option", detail, { option });
}
