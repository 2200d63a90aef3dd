import type { ProblemCode } from "@muster/schema/wire";
import type { FileAnswer, FileCall } from "../file-call.ts";

/** To the process that runs as the agents' user. */
export type ToProgram = { readonly call: FileCall } | { readonly mayCommit: true } | { readonly stop: true };

/** What an answer is, without its bytes: those come over standard output. */
export type AnswerHead =
  | Extract<FileAnswer, { kind: "value" }>
  | Omit<Extract<FileAnswer, { kind: "bytes" }>, "bytes">
  | { readonly kind: "changes" };

/** From that process. */
export type FromProgram =
  | { readonly wantsToCommit: string }
  | { readonly committed: true }
  | { readonly head: AnswerHead }
  | { readonly failure: { code: ProblemCode; message: string; status: number; fields: Record<string, unknown> } }
  | { readonly error: string };
