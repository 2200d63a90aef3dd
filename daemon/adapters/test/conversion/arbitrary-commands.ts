import { PermissionMode } from "@muster/schema";
import fc from "fast-check";
import type { Command } from "../../src/commands.ts";

const text = fc.string({ maxLength: 20, unit: "grapheme" });
const id = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
const mode = fc.constantFrom(...PermissionMode.options);
export const json = fc.jsonValue({ maxDepth: 2 });

/** A record where every field of `optional` may be missing. */
function record<R, O>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  optional?: { [K in keyof O]: fc.Arbitrary<O[K]> },
) {
  return fc
    .tuple(fc.record(required), fc.record(optional ?? ({} as never), { requiredKeys: [] }))
    .map(([one, other]) => ({ ...one, ...other }) as R & Partial<O>);
}

const attachments = fc.array(record({ path: text, mime: text }, { filename: text }), { maxLength: 2 });
const message = { messageId: id, text, attachments };
/** Every command, with every shape its type allows. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  record({ type: fc.constant("message" as const), ...message }),
  record({ type: fc.constant("steer" as const), ...message }),
  record(
    {
      type: fc.constant("permission" as const),
      requestKey: id,
      decision: fc.constantFrom("allow" as const, "reject" as const),
    },
    { message: text },
  ),
  record(
    { type: fc.constant("question" as const), requestKey: id },
    { answers: fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 2 }), message: text, editedText: text },
  ),
  fc.constant({ type: "interrupt" as const }),
  record(
    {
      type: fc.constant("permission" as const),
      requestKey: id,
      decision: fc.constant("reject" as const),
      stops: fc.constant(true as const),
    },
    { message: text },
  ),
  record(
    { type: fc.constant("question" as const), requestKey: id, stops: fc.constant(true as const) },
    { message: text },
  ),
  record(
    { type: fc.constant("update" as const) },
    { model: text, agentMode: text, variant: text, permissionMode: mode },
  ),
);
