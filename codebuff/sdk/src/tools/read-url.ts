import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { ToolInput, ToolResult } from "@muster/codebuff-protocol";

const limitMs = 20_000;
const mostBytes = 5 * 1024 * 1024;
const mostRedirects = 5;

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
  ["64:ff9b::", 96],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv6");

/** A page as text. Every address on the way, redirects too, is looked up first and refused when it is a private one. */
export async function readUrl(input: ToolInput<"read_url">, signal: AbortSignal): Promise<ToolResult<"read_url">> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  let url = new URL(input.url);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    await refusePrivate(url);
    const response = await fetch(url, {
      redirect: "manual",
      signal: limit,
      headers: { accept: "text/html,text/*;q=0.9,*/*;q=0.1" },
    });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = new URL(location, url);
      continue;
    }
    if (!response.ok) throw new Error(`${url.href} answered with status ${response.status}`);
    return page(url, response, input.max_tokens);
  }
  throw new Error(`${input.url} redirects too often`);
}

async function refusePrivate({ protocol, hostname }: URL): Promise<void> {
  if (protocol !== "http:" && protocol !== "https:")
    throw new Error(`Only http and https can be read, not ${protocol}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  for (const { address } of addresses) {
    if (isPrivate(address)) throw new Error(`${hostname} is an address of a private network`);
  }
}

/** An IPv4 address in IPv6 clothing is judged as what it is. */
export function isPrivate(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return privateNetworks.check(mapped, "ipv4");
  if (/^::ffff:/i.test(address)) return true;
  return privateNetworks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

async function page(url: URL, response: Response, maxTokens: number): Promise<ToolResult<"read_url">> {
  const contentType = response.headers.get("content-type") ?? "application/octet-stream";
  if (!/^(text\/|application\/(json|xml|xhtml|javascript|[\w.-]+\+(json|xml)))/.test(contentType)) {
    await response.body?.cancel();
    throw new Error(`${url.href} is ${contentType}, not text`);
  }
  const text = await readText(response);
  const isHtml = /html/.test(contentType);
  const title = isHtml ? /<title[^>]*>([\s\S]*?)<\/title>/i.exec(text)?.[1]?.trim() : undefined;
  const content = isHtml ? htmlText(text) : text;
  const most = maxTokens * 4;
  const truncated = content.length > most;
  return { url: url.href, title, contentType, content: truncated ? content.slice(0, most) : content, truncated };
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(pieces).toString("utf8");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Enough for a model to read: no scripts, no styles, blocks on lines of their own. */
function htmlText(html: string): string {
  return html
    .replace(/<(script|style|noscript|svg|head)\b[\s\S]*?<\/\1>/gi, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<(br|\/p|\/div|\/li|\/h\d|\/tr|\/section|\/article)\b[^>]*>/gi, "\n")
    .replace(/<[^>]+>/g, "")
    .replace(/&(#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, _, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/[ \t]+/g, " ")
    .replace(/\n\s*\n+/g, "\n\n")
    .trim();
}
