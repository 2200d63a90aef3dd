import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Config } from "../config.ts";
import { comesFromTrustedProxy } from "../http/client-address.ts";

/**
 * Where a browser reaches this server: as configured, else as a trusted proxy says, else the address that was called. A name
 * that the sender of a request made up does not count, but for those of this machine.
 */
export function ownOrigin(request: IncomingMessage, config: Config): string {
  if (config.publicUrl !== undefined) return new URL(config.publicUrl).origin;
  const isProxied = comesFromTrustedProxy(request, config);
  const scheme = isProxied && request.headers["x-forwarded-proto"] === "https" ? "https" : "http";
  const named = originOf(`${scheme}://${request.headers.host}`);
  if (named !== undefined && (isProxied || isLoopbackOrigin(named))) return named;
  const { localAddress = "127.0.0.1", localPort } = request.socket;
  return `http://${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    // A Host that is none.
    return undefined;
  }
}

export function isSecure(origin: string): boolean {
  return origin.startsWith("https:");
}

export function isLoopbackOrigin(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
