import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Networks that are not the public internet, and those in which an address of them can be hidden. */
const v4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
const v6: readonly [string, number][] = [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

// One list would take every IPv4 address for one of ::ffff:0:0/96.
const closed = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of v4) closed.ipv4.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of v6) closed.ipv6.addSubnet(network, prefix, "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether a web page may be read from there. What is no address at all is not public. */
export function isPublicAddress(address: string, { allowLoopback = false } = {}): boolean {
  const plain = address.replace(/%.*$/, "");
  const family = isIPv4(plain) ? "ipv4" : isIPv6(plain) ? "ipv6" : undefined;
  if (family === undefined) return false;
  if (allowLoopback && loopback.check(plain, family)) return true;
  return !closed[family].check(plain, family);
}
