import { readFile } from "node:fs/promises";
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import tls from "node:tls";
import { proxyEndpoint, proxyHeaders } from "@muster/node";
import { type NetworkSettings, proxyFor } from "./proxy.ts";

/** How this machine reaches the outside: its proxies and the certificate authorities it trusts. */
export interface Network {
  proxyFor(url: URL): URL | undefined;
  /** Absent: the runtime's own. */
  readonly authorities?: readonly string[];
}

export interface GetOptions {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

/** The server could not be reached, or said no (`status`). */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: number | undefined;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

type SecureOptions = RequestOptions & tls.ConnectionOptions;

const mostRedirects = 5;
const silenceMs = 60_000;
const longestDocument = 32 * 1024 * 1024;

/** `cafile`, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS add to the authorities everybody trusts; one that cannot be read is an error. */
export async function networkOf(env: NodeJS.ProcessEnv, config: NetworkSettings): Promise<Network> {
  const files = [config.get("cafile"), env.SSL_CERT_FILE, env.NODE_EXTRA_CA_CERTS].filter((path) => !!path);
  const own = await Promise.all([...new Set(files)].map((path) => readFile(path as string, "utf8")));
  return {
    proxyFor: (url) => proxyFor(url, env, config),
    authorities: own.length > 0 ? [...tls.rootCertificates, ...own] : undefined,
  };
}

/** GET with redirects. Resolves with the first answer that is none; throws `HttpFailure` when nobody answers. */
export async function get(network: Network, address: string, options: GetOptions = {}): Promise<HttpAnswer> {
  let url = new URL(address);
  let headers = options.headers ?? {};
  for (let count = 0; count <= mostRedirects; count++) {
    const answer = await getOnce(network, url, { ...options, headers });
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
    answer.body.resume();
    const next = new URL(location, url);
    if (url.protocol === "https:" && next.protocol !== "https:") {
      throw new HttpFailure(`${plain(url)} redirects to an address that is not secure`);
    }
    // Credentials are for the server they were meant for.
    if (next.origin !== url.origin) headers = withoutAuthorization(headers);
    url = next;
  }
  throw new HttpFailure(`${address} redirects more than ${mostRedirects} times`);
}

/** A small document; any other status than 200 is a failure. */
export async function getText(network: Network, address: string, options: GetOptions = {}): Promise<string> {
  const { status, body } = await get(network, address, options);
  if (status !== 200) {
    body.destroy();
    throw new HttpFailure(`${plain(new URL(address))} answered ${status}`, { status });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestDocument) throw new HttpFailure(`${address} is longer than ${longestDocument} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function getOnce(network: Network, url: URL, { headers, signal }: GetOptions): Promise<HttpAnswer> {
  signal?.throwIfAborted();
  const proxy = network.proxyFor(url);
  const options: SecureOptions = {
    agent: false,
    headers: { "user-agent": "sandbox-daemon", "accept-encoding": "identity", ...headers },
    ca: network.authorities && [...network.authorities],
    signal,
  };
  try {
    if (url.protocol === "http:" && proxy) return await send(throughProxy(url, proxy, options));
    if (url.protocol === "http:") return await send(http.get(url, options));
    if (!proxy) return await send(https.get(url, options));
    return await sendThroughTunnel(url, await openTunnel(url, proxy, options), options);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof HttpFailure) throw error;
    throw new HttpFailure(`${plain(url)} cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/** A plain request asks the proxy for the whole address. */
function throughProxy(url: URL, proxy: URL, options: RequestOptions): http.ClientRequest {
  const headers = { ...options.headers, host: url.host, ...proxyHeaders(proxy) };
  return clientOf(proxy).get({ ...options, ...proxyEndpoint(proxy), path: url.href, headers });
}

/** A secure one asks it for a tunnel, and speaks TLS with the server inside. */
function openTunnel(url: URL, proxy: URL, options: RequestOptions): Promise<Socket> {
  const target = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    const request = clientOf(proxy).request({
      ...options,
      ...proxyEndpoint(proxy),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...proxyHeaders(proxy) },
    });
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new HttpFailure(`The proxy ${proxy.host} refused a tunnel to ${target}: ${statusCode}`));
    });
    request.once("error", (error) =>
      reject(new HttpFailure(`The proxy ${proxy.host} cannot be used: ${reasonOf(error)}`)),
    );
    request.setTimeout(silenceMs, () => request.destroy(new Error("no answer")));
    request.end();
  });
}

async function sendThroughTunnel(url: URL, tunnel: Socket, options: SecureOptions): Promise<HttpAnswer> {
  try {
    const answer = await send(
      https.get(url, { ...options, createConnection: () => secureSocket(tunnel, url, options) }),
    );
    // The end of what is inside a tunnel does not end the tunnel.
    answer.body.once("close", () => tunnel.destroy());
    return answer;
  } catch (error) {
    tunnel.destroy();
    throw error;
  }
}

function secureSocket(socket: Socket, url: URL, { ca }: tls.ConnectionOptions): tls.TLSSocket {
  return tls.connect({ socket, servername: url.hostname, ca });
}

function send(request: http.ClientRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    request.once("response", (body) => {
      resolve({ status: body.statusCode ?? 0, headers: body.headers, body });
    });
    request.once("error", reject);
    request.setTimeout(silenceMs, () => request.destroy(new Error(`silent for ${silenceMs / 1000} seconds`)));
  });
}

function clientOf(proxy: URL): typeof http | typeof https {
  return proxy.protocol === "https:" ? https : http;
}

function withoutAuthorization(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"));
}

/** An address as it may be shown: signed links carry their signature in the query. */
function plain(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
