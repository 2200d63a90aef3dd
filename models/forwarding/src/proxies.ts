import { request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectSecurely } from "node:tls";
import { isProxyExempt, parseProxy, proxyEndpoint, proxyHeaders } from "@muster/node";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a URL by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. This machine itself is never asked through one. */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  if (isLoopback(url) || isProxyExempt(url, env.NO_PROXY ?? env.no_proxy ?? "")) return undefined;
  const isSecure = url.protocol === "https:";
  const named = isSecure ? env.HTTPS_PROXY || env.https_proxy : env.HTTP_PROXY || env.http_proxy;
  const address = named || env.ALL_PROXY || env.all_proxy;
  return address ? parseProxy(address, url) : undefined;
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
    ...proxyEndpoint(proxy),
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
