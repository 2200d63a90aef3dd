import type { IncomingMessage } from "node:http";
import { parseJson, redactShapes } from "@muster/core";
import { type CallUnderWay, readAnswer } from "@muster/forwarding";
import { suspended } from "../admission/ban.ts";
import { Refusal } from "../refusal.ts";
import type { Route } from "../routing/route.ts";

/** A provider's error goes on to the client as it is, keys taken out. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: string, headers: Readonly<Record<string, string>>) {
    super(`The provider answered ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The head of an answer that can be forwarded, or what a client is to see instead. */
export async function answerOf(underWay: CallUnderWay, route: Route): Promise<IncomingMessage | Error> {
  const head = await underWay.head();
  const { stage, stoppedBy } = underWay.life;
  if (head) return stage === "answering" ? head : errorOf(head, route);
  if (stoppedBy === "shut out") return suspended();
  if (stoppedBy !== "shut down") return new Refusal(500, "The provider could not be reached");
  return new Refusal(503, "The server is shutting down", { headers: { "retry-after": "1" } });
}

/** An answer that is not a success: the provider's JSON, else our own 500. */
async function errorOf(response: IncomingMessage, { apiKey }: Route): Promise<Error> {
  const status = response.statusCode ?? 500;
  const said = (await readAnswer(response).catch(() => Buffer.alloc(0))).toString("utf8");
  // Keys of providers we do not know have any form, and some providers repeat the key they refuse.
  const text = redactShapes(said.replaceAll(apiKey, "[redacted]"));
  const retryAfter = response.headers["retry-after"];
  if (status >= 400 && parseJson(text) !== undefined) {
    return new ProviderError(status, text, retryAfter === undefined ? {} : { "retry-after": retryAfter });
  }
  return new Refusal(500, `The provider answered ${status} without a reason`);
}
