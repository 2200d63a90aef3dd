import { isUtf8 } from "node:buffer";
import { CodebuffMetadata } from "@muster/codebuff-protocol";
import { z } from "zod";
import { type Member, membersOf } from "../http/json-members.ts";
import { readJson } from "../http/request-body.ts";
import { Refusal } from "../refusal.ts";
import { findNotAllowed } from "./allowed-fields.ts";

/** What we read is checked; what else may pass, and as it is, says `allowed-fields`. */
const Body = z.object({
  model: z.string().min(1).max(200),
  // Not looked into, and not copied either: this is nearly all of a body.
  messages: z.custom((value) => Array.isArray(value) && value.length > 0, "must be an array that is not empty"),
  stream: z.boolean().optional(),
  max_tokens: z.int().positive().max(1_000_000).nullish(),
  max_completion_tokens: z.int().positive().max(1_000_000).nullish(),
  n: z.int().min(1).max(16).nullish(),
});

const Metadata = z.object(CodebuffMetadata.shape).partial();

/** What the gates and the bill need of a request. The texts are not kept: they are most of it. */
export interface ChatRequest {
  readonly model: string;
  readonly isStreaming: boolean;
  readonly metadata: Partial<CodebuffMetadata>;
  /** Answers asked for, in one request. */
  readonly n: number;
  readonly maxTokens: number;
  readonly bytes: number;
  /** What only somebody who pays with an own key may ask for. */
  readonly notAllowed: Refusal | undefined;
}

/** The body as it was written; each of its members stands there once, under a plain name. */
export interface ChatBody {
  readonly json: Buffer;
  readonly members: readonly Member[];
}

/** Asked for when the client names no number: what is held for must be what may come. */
const defaultMaxTokens = 8_192;

export interface AskedCall {
  readonly runId: unknown;
  readonly costMode: string | undefined;
  /** What must make sense before a model is called; the gates about people come first. */
  readonly chat: ChatRequest | Refusal;
  readonly body: ChatBody;
}

/** G1: the body is JSON. What is parsed ends with this function: most of a body is texts that only the provider reads. */
export function readCall(bytes: Buffer): AskedCall {
  const value = readJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal(400, "The body is not a JSON object");
  }
  const { codebuff_metadata: metadata } = value as { codebuff_metadata?: unknown };
  const { run_id, cost_mode } = (typeof metadata === "object" && metadata !== null ? metadata : {}) as CodebuffMetadata;
  return {
    runId: run_id,
    costMode: typeof cost_mode === "string" ? cost_mode : undefined,
    chat: readChatRequest(value as Record<string, unknown>, bytes.length),
    body: readMembers(bytes, value),
  };
}

function readChatRequest(value: Record<string, unknown>, bytes: number): ChatRequest | Refusal {
  const read = Body.safeParse(value);
  if (!read.success) return new Refusal(400, `The body is not valid: ${firstIssue(read.error)}`);
  const metadata = Metadata.safeParse(value.codebuff_metadata ?? {});
  if (!metadata.success) return new Refusal(400, `codebuff_metadata is not valid: ${firstIssue(metadata.error)}`);
  const { model, stream, n: answers, max_tokens, max_completion_tokens } = read.data;
  const n = metadata.data.n ?? answers ?? 1;
  if (n > 16) return new Refusal(400, "At most 16 answers can be asked for at once");
  if (n > 1 && stream === true) return new Refusal(400, "Several answers (n > 1) cannot be streamed");
  // Which of the two names counts is the provider's choice.
  const maxTokens = Math.max(max_tokens ?? 0, max_completion_tokens ?? 0) || defaultMaxTokens;
  const notAllowed = findNotAllowed(model, value);
  return { model, isStreaming: stream === true, metadata: metadata.data, n, maxTokens, bytes, notAllowed };
}

/** A body that others might read in another way than we do is written anew: a key twice, or in escapes, or broken text. */
function readMembers(json: Buffer, value: unknown): ChatBody {
  const members = membersOf(json);
  const keys = new Set(members.map(({ key }) => key));
  const isPlain = keys.size === members.length && !members.some(({ key }) => key.includes("\\")) && isUtf8(json);
  if (isPlain) return { json, members };
  const again = Buffer.from(JSON.stringify(value));
  return { json: again, members: membersOf(again) };
}

export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (!issue) return "";
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
