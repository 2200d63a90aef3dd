import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Whose word counts about where a request comes from: proxies by address, or as many as stand in front of us. */
export interface Trust {
  readonly trustedProxies: readonly string[];
  /** How many, whatever their addresses; 0: only those by address. */
  readonly trustedHops: number;
}

/**
 * The address of the client. Each proxy adds to the end of `X-Forwarded-For` whom it heard it from, and what stands before that
 * is the sender's own word: so it is read from the end, as far as those who wrote it are trusted.
 */
export function clientAddress(request: IncomingMessage, trust: Trust): string {
  let address = plainAddress(request.socket.remoteAddress ?? "");
  const { "x-forwarded-for": forwarded, "x-real-ip": real } = request.headers;
  const entries = String(forwarded ?? real ?? "").split(",");
  for (let hop = 1; isTrustedHop(address, hop, trust); hop++) {
    const entry = entryAddress(entries.pop() ?? "");
    if (isIP(entry) === 0) break;
    address = plainAddress(entry);
  }
  return address;
}

export function comesFromTrustedProxy(request: IncomingMessage, trust: Trust): boolean {
  return isTrustedHop(plainAddress(request.socket.remoteAddress ?? ""), 1, trust);
}

function isTrustedHop(address: string, hop: number, { trustedProxies, trustedHops }: Trust): boolean {
  return hop <= trustedHops || isTrusted(address, trustedProxies);
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

/** Some write the port too: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function entryAddress(entry: string): string {
  const [, inBrackets, plain] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry.trim()) ?? [];
  return inBrackets ?? plain ?? entry.trim();
}
