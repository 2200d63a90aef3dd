import { request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectSecurely } from "node:tls";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a URL by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. This machine itself is never asked through one. */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  if (isLoopback(url) || isExempt(url, env.NO_PROXY ?? env.no_proxy ?? "")) return undefined;
  const isSecure = url.protocol === "https:";
  const named = isSecure ? env.HTTPS_PROXY || env.https_proxy : env.HTTP_PROXY || env.http_proxy;
  const address = named || env.ALL_PROXY || env.all_proxy;
  if (!address) return undefined;
  const text = address.includes("://") ? address : `http://${address}`;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text);
  // The address itself is not told: it may hold a password.
  throw new Error(`The proxy of ${url.hostname} cannot be used: only addresses of http and https proxies can`);
}

/** What a proxy is shown besides the request. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

const tunnels = new Map<string, SecureAgent>();

/** Connections to secure providers through one proxy, kept and used again. */
export function tunnelThrough(proxy: URL, keeping: object): SecureAgent {
  const known = tunnels.get(proxy.href);
  if (known !== undefined) return known;
  const agent = new SecureAgent(keeping);
  Object.assign(agent, { createConnection: (options: Target, made: Made) => openTunnel(proxy, options, made) });
  tunnels.set(proxy.href, agent);
  return agent;
}

type Target = ConnectionOptions & { host: string; port: number };
type Made = (error: Error | null, socket?: Duplex) => void;

/** Node takes the socket from `made`: a tunnel is there only once the proxy has said so. */
function openTunnel(proxy: URL, options: Target, made: Made): void {
  const place = `${options.host.includes(":") ? `[${options.host}]` : options.host}:${options.port}`;
  const ask = proxy.protocol === "https:" ? secureRequest : request;
  const call = ask({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: place,
    headers: { host: place, ...proxyHeaders(proxy) },
    agent: false,
    timeout: 30_000,
  });
  call.once("timeout", () => call.destroy(new Error(`The proxy ${proxy.host} does not answer`)));
  call.once("error", (error) => made(error));
  call.once("connect", (answer, socket) => {
    if (answer.statusCode === 200) return made(null, connectSecurely({ ...options, socket }));
    socket.destroy();
    made(new Error(`The proxy ${proxy.host} answered ${answer.statusCode} when asked for ${place}`));
  });
  call.end();
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** `*`, a host, a domain with or without its leading dot, each with or without a port. */
function isExempt(url: URL, list: string): boolean {
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
