import { estimateTokens, TokenCountBody } from "@muster/codebuff-protocol";
import { knowUser } from "../admission/user.ts";
import { type Call, readChecked } from "./answer.ts";

/** An estimate by characters: rather too many than too few, and no model is asked. */
export async function tokenCount({ request, service }: Call): Promise<object> {
  const { messages, system, tools } = await readChecked({ request, service }, TokenCountBody);
  await knowUser(request.headers, service);
  const text = [system ?? "", ...[...messages, ...(tools ?? [])].map((part) => JSON.stringify(part))].join("\n");
  return { inputTokens: estimateTokens(text) };
}
