import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { firstIssue } from "../admission/chat-request.ts";
import { readJson, readRequest } from "../http/request-body.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

/** What an endpoint is given: the request, the values in its path and its query. */
export interface Call {
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly service: Service;
}

/** The answer's body; a status other than 200 stands beside it. */
export type Endpoint = (call: Call) => Promise<object>;

/** A checked JSON body. */
export async function readChecked<Schema extends z.ZodType>(
  { request, service }: Pick<Call, "request" | "service">,
  schema: Schema,
): Promise<z.output<Schema>> {
  const read = schema.safeParse(readJson(await readRequest(request, service.times.bodyMs)));
  if (read.success) return read.data;
  throw new Refusal(400, `The body is not valid: ${firstIssue(read.error)}`);
}
