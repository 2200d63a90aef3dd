import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import { comesFromTrustedProxy } from "../http/client-address.ts";

/** Where a browser reaches this server: as configured, else as the request came. */
export function ownOrigin(request: IncomingMessage, config: Config): string {
  if (config.publicUrl !== undefined) return new URL(config.publicUrl).origin;
  const isProxied = comesFromTrustedProxy(request, config.trustedProxies);
  const scheme = isProxied && request.headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${request.headers.host ?? `127.0.0.1:${config.port}`}`;
}

export function isSecure(origin: string): boolean {
  return origin.startsWith("https:");
}

export function isLoopbackOrigin(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
