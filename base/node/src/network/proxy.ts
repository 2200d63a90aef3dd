import { isIP } from "node:net";

/** The proxy that a setting of this machine names for a URL. Only proxies of http and https can be spoken to. */
export function parseProxy(address: string, { hostname }: URL): URL {
  const text = address.includes("://") ? address : `http://${address}`;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text);
  // The address itself is not told: it may hold a password.
  throw new Error(`The proxy of ${hostname} cannot be used: only addresses of http and https proxies can`);
}

/** Whether a list as in NO_PROXY names the URL: `*`, a host, a domain with or without its leading dot, each with or without a port. */
export function isProxyExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "" || entry === "*") return entry === "*";
    const [, name = "", ofPort] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const domain = name.replace(/^\*?\./, "");
    const isNamed = host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
    return isNamed && (ofPort === undefined || ofPort === port);
  });
}

/** What a proxy is shown besides the request. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** Where its connections go. */
export function proxyEndpoint({ protocol, hostname, port }: URL): { host: string; port: string | number } {
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port || (protocol === "https:" ? 443 : 80) };
}
