import type { RpcResponse } from "../../channel/json-rpc.ts";
import { refusal } from "../../channel/json-rpc.ts";
import { contentOf } from "../wire/forms.ts";
import type { OpenRequest } from "../wire/state.ts";

/** The code of an answer that is a no. Codex reads only that it is an error. */
const declinedCode = -32000;
export const noAnswer = "The person declined to answer";

/** Always for this once: what is allowed for longer is the engine's business. */
export function allow({ id, kind, permissions }: OpenRequest): RpcResponse {
  if (kind === "mcp") return { id, result: { action: "accept", content: null, _meta: null } };
  if (kind === "permissions") return { id, result: { permissions, scope: "turn" } };
  return { id, result: { decision: "accept" } };
}

/**
 * The turn goes on, or ends with it where that is asked for: its model is not asked again then. Codex takes no reason with it
 * (0.166.0); for access that was asked for, an error is the no.
 */
export function decline({ id, kind }: OpenRequest, { message, stops }: { message: string; stops?: true }): RpcResponse {
  const no = stops ? "cancel" : "decline";
  if (kind === "mcp") return { id, result: { action: no, content: null, _meta: null } };
  if (kind === "permissions") return refusal(id, message, declinedCode);
  return { id, result: { decision: no } };
}

export function answer(
  request: OpenRequest,
  answers: readonly (readonly string[])[] | undefined,
  message: string = noAnswer,
): RpcResponse {
  const { id, kind, fields } = request;
  if (kind === "form") {
    const content = answers === undefined ? null : contentOf(fields, answers);
    return { id, result: { action: content === null ? "decline" : "accept", content, _meta: null } };
  }
  if (answers === undefined) return refusal(id, message, declinedCode);
  const entries = fields.map(({ name }, at) => [name, { answers: [...(answers[at] ?? [])] }]);
  return { id, result: { answers: Object.fromEntries(entries) } };
}
