import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The address of the client: what a trusted proxy says, else the other end of the socket. */
export function clientAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  if (!isTrusted(peer, trustedProxies)) return peer;
  const forwarded = firstOf(request.headers["x-forwarded-for"]) ?? firstOf(request.headers["x-real-ip"]);
  return forwarded !== undefined && isIP(forwarded) !== 0 ? plainAddress(forwarded) : peer;
}

export function comesFromTrustedProxy(request: IncomingMessage, trustedProxies: readonly string[]): boolean {
  return isTrusted(plainAddress(request.socket.remoteAddress ?? ""), trustedProxies);
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** Addresses and ranges, such as `10.0.0.0/8`. */
function isTrusted(address: string, trustedProxies: readonly string[]): boolean {
  const family = isIP(address);
  if (family === 0 || trustedProxies.length === 0) return false;
  const list = new BlockList();
  for (const entry of trustedProxies) {
    const [net = "", bits] = entry.split("/");
    const kind = isIP(net) === 6 ? "ipv6" : "ipv4";
    if (isIP(net) === 0) continue;
    if (bits === undefined) list.addAddress(net, kind);
    else list.addSubnet(net, Number(bits), kind);
  }
  return list.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** An IPv4 address in its IPv6 clothing is the same address. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim();
}
