import type { IncomingMessage } from "node:http";
import { Failure } from "@muster/schema/wire";
import { getPath, getQueryParam } from "hono/utils/url";

export interface Target {
  path: string;
  query: Record<string, string>;
}

/** Also of a request to a proxy, which names the whole address. */
export function targetOf({ url = "" }: IncomingMessage): Target {
  if (!/^(https?:\/)?\//i.test(url)) throw new Failure("invalid_request", "The request is not valid HTTP");
  const whole = url.startsWith("/") ? `http://daemon${url}` : url;
  return { path: getPath({ url: whole } as Request), query: getQueryParam(whole) as Record<string, string> };
}
