import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";

const none = { trustedProxies: [], trustedHops: 0 };
const byAddress = { trustedProxies: ["10.0.0.0/8", "fd00::/8"], trustedHops: 0 };
const one = { trustedProxies: [], trustedHops: 1 };
const two = { trustedProxies: [], trustedHops: 2 };

it.each([
  ["nobody is trusted", none, "10.0.0.1", "1.1.1.1", "10.0.0.1"],
  ["the peer is not trusted", byAddress, "9.9.9.9", "1.1.1.1", "9.9.9.9"],
  ["one proxy, no header", byAddress, "10.0.0.1", undefined, "10.0.0.1"],
  ["one proxy", byAddress, "10.0.0.1", "1.1.1.1", "1.1.1.1"],
  ["one proxy and a forged first entry", byAddress, "10.0.0.1", "6.6.6.6, 1.1.1.1", "1.1.1.1"],
  ["one proxy and many forged entries", byAddress, "10.0.0.1", "10.0.0.9, 6.6.6.6, 10.0.0.8, 1.1.1.1", "1.1.1.1"],
  ["two proxies", byAddress, "10.0.0.1", "1.1.1.1, 10.0.0.2", "1.1.1.1"],
  ["two proxies and a forged first entry", byAddress, "10.0.0.1", "6.6.6.6,1.1.1.1,10.0.0.2", "1.1.1.1"],
  ["everybody is a proxy", byAddress, "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["a port behind the address", byAddress, "10.0.0.1", "1.1.1.1:4711", "1.1.1.1"],
  ["IPv6 in brackets", byAddress, "fd00::1", "[2001:db8::7]:4711", "2001:db8::7"],
  ["IPv4 in IPv6 clothing", byAddress, "::ffff:10.0.0.1", "::ffff:1.1.1.1", "1.1.1.1"],
  ["what is no address", byAddress, "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
  ["an empty entry", byAddress, "10.0.0.1", "1.1.1.1,", "10.0.0.1"],
  ["a script", byAddress, "10.0.0.1", "<script>", "10.0.0.1"],
  ["one hop", one, "9.9.9.9", "1.1.1.1", "1.1.1.1"],
  ["one hop and a forged first entry", one, "9.9.9.9", "6.6.6.6, 1.1.1.1", "1.1.1.1"],
  ["two hops", two, "9.9.9.9", "1.1.1.1, 8.8.8.8", "1.1.1.1"],
  ["two hops and a forged first entry", two, "9.9.9.9", "6.6.6.6, 1.1.1.1, 8.8.8.8", "1.1.1.1"],
  ["two hops, one entry", two, "9.9.9.9", "1.1.1.1", "1.1.1.1"],
])("%s", (_, trust, peer, forwarded, expected) => {
  const request = { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } };
  expect(clientAddress(request as unknown as IncomingMessage, trust)).toBe(expected);
});
