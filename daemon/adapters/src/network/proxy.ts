import { isProxyExempt, parseProxy } from "@muster/node";

/** Settings of the network by the names npm gives them. */
export type NetworkSettings = ReadonlyMap<string, string>;

/** The proxy for a URL, as npm and curl choose it: npm's settings, then the environment; NO_PROXY exempts. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv, config: NetworkSettings): URL | undefined {
  if (isProxyExempt(url, config.get("noproxy") ?? env.NO_PROXY ?? env.no_proxy ?? "")) return undefined;
  const secure = url.protocol === "https:";
  const configured = secure ? (config.get("https-proxy") ?? config.get("proxy")) : config.get("proxy");
  const named = secure ? (env.HTTPS_PROXY ?? env.https_proxy) : (env.HTTP_PROXY ?? env.http_proxy);
  const address = configured || named || env.ALL_PROXY || env.all_proxy;
  return !address || address === "null" || address === "false" ? undefined : parseProxy(address, url);
}
