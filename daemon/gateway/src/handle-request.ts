import type { IncomingMessage, ServerResponse } from "node:http";
import { BodyFailure, readBody } from "@muster/node";
import type { MisuseLog } from "./access/misuse-log.ts";
import type { Placeholder, Placeholders } from "./access/placeholders.ts";
import { presentedKey } from "./access/presented-key.ts";
import type { SessionNames } from "./access/session-names.ts";
import type { Exchange, RequestBody } from "./forward/exchange.ts";
import { forwardModel, type ModelParts } from "./forward/forward-model.ts";
import { forwardPlain } from "./forward/forward-plain.ts";
import { endpointOf, isOfProvider, protocolOfPath } from "./protocol/endpoints.ts";
import { type Refusal, refuse } from "./protocol/refusals.ts";

export interface RequestParts extends ModelParts {
  readonly placeholders: Placeholders;
  readonly names: SessionNames;
  readonly misuse: MisuseLog;
  /** Whether the agent of this placeholder holds its own login. */
  isLogin(placeholder: Placeholder): boolean;
}

/** The largest body of the providers is 32 MiB; files in it are in base64. */
const bodyLimits = { mostBytes: 128 * 1024 * 1024, stallMs: 60_000 };

/** Where the address of an agent that holds its own login begins: the placeholder in it says whose requests these are. */
export const loginPath = "/login/";

/** One request of an agent: whose it is, what it asks for, and then on its way. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: RequestParts,
): Promise<void> {
  const found = identify(request, response, parts);
  const { url = "/" } = request;
  if ("kind" in found) {
    if (found.kind === "key") parts.misuse.tell(found.message, { path: shown(url) });
    refuse(response, protocolOfPath(url), found);
    request.resume();
    return;
  }
  try {
    const body: RequestBody = { bytes: await readBody(request, bodyLimits) };
    if (found.endpoint.kind === "model") await forwardModel(found, body, parts);
    else await forwardPlain(found, body, parts.upstreamsFor(found, found.endpoint.model), parts);
  } catch (error) {
    if (!(error instanceof BodyFailure)) throw error;
    const words = { too_large: "longer than 128 MiB", too_slow: "too slow", cut_off: "cut off" }[error.reason];
    refuse(response, found.endpoint.protocol, { kind: "size", message: `The request is ${words}` });
  }
}

function identify(request: IncomingMessage, response: ServerResponse, parts: RequestParts): Exchange | Refusal {
  const { headers, method, url = "/" } = request;
  const login = url.startsWith(loginPath) ? /^\/login\/([^/]+)(\/.*)$/s.exec(url) : null;
  const path = login?.[2] ?? url;
  const endpoint = endpointOf(method, path);
  if (endpoint === undefined) return { kind: "path", message: `The gateway does not forward ${method} ${shown(path)}` };
  const key = login ? undefined : presentedKey(headers, endpoint);
  const token = login?.[1] ?? key?.value;
  if (token === undefined) return { kind: "key", message: "The request has no key in the header of its protocol" };
  const placeholder = parts.placeholders.find(token);
  const isLogin = placeholder !== undefined && parts.isLogin(placeholder);
  if (placeholder === undefined || isLogin !== (login !== null)) {
    return { kind: "key", message: "This key opens nothing here: it is not of this daemon, or its agent has ended" };
  }
  if (!isOfProvider(endpoint, placeholder.provider)) {
    return { kind: "path", message: `A key for ${placeholder.provider} does not open ${shown(path)}` };
  }
  const stranger = parts.names.strangerOf(placeholder, headers);
  if (stranger !== undefined) {
    return { kind: "key", message: `This key is of another session than ${stranger}, which the request names` };
  }
  const requester = parts.names.requesterOf(placeholder, headers);
  if (requester === undefined) {
    const message =
      "This key is shared by the sessions of one server, and no header of the request names a session that is known " +
      "(x-claude-code-session-id, session-id, x-session-id, x-parent-session-id)";
    return { kind: "session", message };
  }
  return { request, response, endpoint, path, placeholder, requester, key };
}

/** A path as it may stand in an error: without its query and the placeholder of a login. */
function shown(path: string): string {
  return path
    .replace(/\?.*$/s, "")
    .replace(/^\/login\/[^/]*/, "/login/…")
    .slice(0, 200);
}
