import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { messageOf } from "@muster/core";
import { CallUnderWay, proxyFor } from "@muster/forwarding";
import type { Keys } from "../access/keys.ts";
import { keyHeader } from "../access/presented-key.ts";
import { joinUrl, type UpstreamChoice } from "../access/upstreams.ts";
import { headersUp } from "../protocol/headers.ts";
import type { Refusal } from "../protocol/refusals.ts";
import type { KeySource } from "../routes/key-source.ts";
import type { Exchange, RequestBody } from "./exchange.ts";

export interface CallParts {
  readonly keys: Keys;
  /** For the proxy on the way. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AskedCall {
  readonly exchange: Exchange;
  readonly body: RequestBody;
  readonly upstreams: readonly UpstreamChoice[];
  /** Whether anybody still wants the answer. */
  isWanted(): boolean;
  /** Told of each attempt before it has an answer. */
  begin(underWay: CallUnderWay): void;
}

/** No connection within this: a fallback is asked, or the agent told. */
const connectMs = 20_000;
/** How long an answer that is of no use may take to end, so that its connection is used again. */
const restMs = 1_000;

export type Called = { readonly underWay: CallUnderWay; readonly head: IncomingMessage } | Refusal;

/** Asks the provider: each fallback while no connection comes about, and once more with a new key after a 401. */
export async function callProvider(asked: AskedCall, parts: CallParts): Promise<Called> {
  const { exchange, body, upstreams } = asked;
  const { provider } = exchange.placeholder;
  let unreached = `No address is known for ${provider}: give the session a baseUrl, or write a route`;
  for (const upstream of upstreams) {
    for (let isRenewed = false; ; isRenewed = true) {
      const key = exchange.key && (await findKey(upstream, provider, parts.keys));
      if (key !== undefined && "kind" in key) return key;
      if (!asked.isWanted()) return { kind: "upstream", message: "Nobody waits for the answer any more" };
      const underWay = new CallUnderWay(requestTo(upstream, key?.value, exchange, body.bytes, parts));
      asked.begin(underWay);
      const head = await underWay.head();
      if (
        head?.statusCode === 401 &&
        key !== undefined &&
        !isRenewed &&
        (await isRenewable(key, provider, parts.keys))
      ) {
        underWay.end(restMs);
        continue;
      }
      if (head !== undefined) return { underWay, head };
      const why = underWay.failure?.message ?? "it was cut off";
      unreached = `The provider ${upstream.base.host} could not be reached: ${why}`;
      if (!underWay.isUnreached) return { kind: "upstream", message: unreached };
      break;
    }
  }
  return { kind: "upstream", message: unreached };
}

interface FoundKey {
  readonly source: KeySource;
  readonly value: string;
}

/** The first source that has one. None at all is the provider's own business, unless it is a vendor who takes nobody without. */
async function findKey(
  { keys: sources, isVendor }: UpstreamChoice,
  provider: string,
  keys: Keys,
): Promise<FoundKey | Refusal | undefined> {
  try {
    for (const source of sources) {
      const value = await keys.read(source, provider);
      if (value !== undefined) return { source, value };
    }
  } catch (error) {
    return { kind: "key", message: messageOf(error) };
  }
  if (!isVendor) return undefined;
  return {
    kind: "key",
    message: `The daemon has no key for ${provider}: give the session a token, or name one in routes.yaml`,
  };
}

async function isRenewable({ source, value }: FoundKey, provider: string, keys: Keys): Promise<boolean> {
  try {
    return await keys.isRenewed(source, provider, value);
  } catch {
    // Without a new key the provider's own 401 is the answer.
    return false;
  }
}

function requestTo(
  upstream: UpstreamChoice,
  key: string | undefined,
  { request, path, key: presented }: Exchange,
  body: Buffer,
  { env }: CallParts,
) {
  const url = joinUrl(upstream.base, path);
  const headers: OutgoingHttpHeaders = { ...headersUp(request.headers), ...upstream.headers };
  if (presented === undefined) Object.assign(headers, loginOf(request));
  else if (key !== undefined) Object.assign(headers, keyHeader(presented.header, key));
  return { url, headers, body, method: request.method, proxy: proxyFor(url, env), connectMs };
}

function loginOf({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const { authorization, "x-api-key": apiKey, "x-goog-api-key": googleKey } = headers;
  const login = { authorization, "x-api-key": apiKey, "x-goog-api-key": googleKey };
  return Object.fromEntries(Object.entries(login).filter(([, value]) => value !== undefined));
}
