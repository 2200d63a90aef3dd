import { CodebuffMetadata } from "@muster/codebuff-protocol";
import { z } from "zod";
import { parseJson } from "../http/request-body.ts";
import { Refusal } from "../refusal.ts";

/** Only what we read is checked; everything else is the provider's business and passes as it is. */
const Body = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z.array(z.unknown()).min(1),
  stream: z.boolean().optional(),
  max_tokens: z.int().positive().max(1_000_000).nullish(),
  max_completion_tokens: z.int().positive().max(1_000_000).nullish(),
  n: z.int().min(1).max(16).nullish(),
});

const Metadata = CodebuffMetadata.partial();

export interface ChatRequest {
  readonly body: z.infer<typeof Body>;
  readonly metadata: Partial<CodebuffMetadata>;
  /** Answers asked for, in one request. */
  readonly n: number;
  readonly maxTokens: number;
  readonly bytes: number;
}

/** Models write at most about this much when nobody says otherwise. */
const defaultMaxTokens = 8_192;

/** G1: the body is JSON. */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Refusal(400, "The body is not a JSON object");
}

/** What of the body must make sense before a model is called. */
export function readChatRequest(value: Record<string, unknown>, bytes: number): ChatRequest {
  const read = Body.safeParse(value);
  if (!read.success) throw new Refusal(400, `The body is not valid: ${firstIssue(read.error)}`);
  const metadata = Metadata.safeParse(value.codebuff_metadata ?? {});
  if (!metadata.success) throw new Refusal(400, `codebuff_metadata is not valid: ${firstIssue(metadata.error)}`);
  const body = read.data;
  const n = metadata.data.n ?? body.n ?? 1;
  if (n > 16) throw new Refusal(400, "At most 16 answers can be asked for at once");
  if (n > 1 && body.stream === true) throw new Refusal(400, "Several answers (n > 1) cannot be streamed");
  const maxTokens = body.max_tokens ?? body.max_completion_tokens ?? defaultMaxTokens;
  return { body, metadata: metadata.data, n, maxTokens, bytes };
}

export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (!issue) return "";
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
