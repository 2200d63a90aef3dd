import { isIP } from "node:net";

/** Settings of the network by the names npm gives them. */
export type NetworkSettings = ReadonlyMap<string, string>;

/** The proxy for a URL, as npm and curl choose it: npm's settings, then the environment; NO_PROXY exempts. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv, config: NetworkSettings): URL | undefined {
  if (isExempt(url, config.get("noproxy") ?? env.NO_PROXY ?? env.no_proxy ?? "")) return undefined;
  const secure = url.protocol === "https:";
  const configured = secure ? (config.get("https-proxy") ?? config.get("proxy")) : config.get("proxy");
  const named = secure ? (env.HTTPS_PROXY ?? env.https_proxy) : (env.HTTP_PROXY ?? env.http_proxy);
  const address = configured || named || env.ALL_PROXY || env.all_proxy;
  if (!address || address === "null" || address === "false") return undefined;
  const text = address.includes("://") ? address : `http://${address}`;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text);
  // Not the address itself: it may hold a password.
  throw new Error(`The proxy of ${url.hostname} cannot be used: only addresses of http and https proxies can`);
}

/** `*`, a host, a domain with or without its leading dot, each with or without a port. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const [, name = "", ofPort] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const domain = name.replace(/^\*?\./, "");
    return (
      (ofPort === undefined || ofPort === port) &&
      (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)))
    );
  });
}

export function proxyAuthorization(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
