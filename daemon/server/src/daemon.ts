import { rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  AccessTokens,
  allowedHosts,
  ConnectionGate,
  createHttpServer,
  DescriptorBudget,
  everything,
  type Grant,
  readToken,
  Tickets,
  takeUpgrades,
} from "@muster/http";
import { Failure } from "@muster/schema/wire";
import { createDaemonApp } from "./app.ts";
import { accessTokensFile } from "./engine/access-tokens-file.ts";
import { type RunningEngineOptions, startEngine } from "./engine/running-engine.ts";
import { startFiles } from "./sandbox/session-files.ts";
import { watchRequests } from "./telemetry/request-watch.ts";
import { version } from "./version.ts";
import { TerminalAttachments } from "./viewers/terminal-attachments.ts";

export interface DaemonOptions extends RunningEngineOptions {
  host: string;
  port: number;
  /** Given by the user: never written. Without it a token is made and kept in the data directory. */
  token?: string;
  noToken?: boolean;
  /** For a monitor: reads the metrics and nothing else. */
  metricsToken?: string;
  allowUnauthenticatedNetwork?: boolean;
  corsOrigins: readonly string[];
  allowedHosts: readonly string[];
}

export interface Daemon {
  url: string;
  port: number;
  /** Absent with `noToken`. */
  token?: string;
  /** Where the token is kept, when we made it. */
  tokenFile?: string;
  /** The token was made by this start. */
  tokenIsNew?: boolean;
  /** The address of the page that shows every session; with a token, one that lets in once. */
  pageLink(): string;
  /** How many readers follow events at this moment. */
  openStreams(): number;
  /** Stops accepting, ends turns, kills agents, flushes. */
  close(): Promise<void>;
  /** Closes without waiting for anybody: every agent is killed at once. */
  kill(): Promise<void>;
}

/** Starts the daemon; resolves when it answers. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  checkExposure(options);
  const budget = new DescriptorBudget();
  const { token, metricsToken } = options;
  const given = [token, metricsToken].filter((secret) => secret !== undefined);
  const { engine, processes, log, dataDirectory, metrics, tracing, endTelemetry } = await startEngine(options, given);
  const access = await accessOf(options, join(dataDirectory, "token"));
  const tokens = await AccessTokens.open({
    path: join(dataDirectory, accessTokensFile),
    given: givenTokens(access.token, metricsToken),
    log,
  });
  const tickets = new Tickets(tokens);
  const endpointFile = join(dataDirectory, "endpoint");
  let isClosing = false;
  let streams = 0;
  const security = {
    hosts: allowedHosts(options.host, options.allowedHosts),
    origins: new Set(options.corsOrigins),
    needsNoToken: access.token === undefined,
    grantOf: (token: string) => tokens.grantOf(token),
    redeemTicket: (ticket: string) => tickets.redeem(ticket),
  };
  const app = createDaemonApp({
    engine,
    processes,
    tickets,
    tokens,
    files: startFiles(options, { engine, dataDirectory }),
    security,
    log,
    isClosing: () => isClosing,
    onTrusted: (socket) => gate.trust(socket),
    reserveSession: () => budget.reserveSession(),
    isTokenLive: (tokenId) => tokens.isLive(tokenId),
    onTokenEnd: (tokenId, end) => tokens.onEnd(tokenId, end),
    metrics,
    watch: watchRequests(metrics, tracing),
    onStreams: (open) => {
      streams = open;
    },
  });
  metrics.observe(engine.sessions, () => streams);
  const server = createHttpServer(app, security);
  const attachments = new TerminalAttachments({
    engine,
    processes: () => processes.get(),
    terminals: () => processes.terminals(),
    onTokenEnd: (tokenId, end) => tokens.onEnd(tokenId, end),
  });
  takeUpgrades(server, {
    security,
    log,
    isClosing: () => isClosing,
    onTrusted: (socket) => gate.trust(socket),
    take: (upgrade) => attachments.take(upgrade),
  });
  const gate = new ConnectionGate(server, budget.connections);
  try {
    await listen(server, options);
  } catch (error) {
    await engine.close();
    throw error;
  }
  engine.begin();
  processes.begin();
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`;
  // The address that stands for all of them is none that a browser opens, or that commands give their token to.
  const ownUrl = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, "//127.0.0.1:");
  // Made anew: whatever lies there may be somebody's pipe, which would be waited for.
  const writeEndpoint = rm(endpointFile, { force: true }).then(() =>
    writeFile(endpointFile, `${ownUrl}\n`, { mode: 0o600 }),
  );
  await writeEndpoint.catch((error: unknown) => {
    log("warn", "commands on this machine cannot be told where the daemon is", { error: String(error) });
  });
  log("debug", "listening", { host: options.host, port, version });

  let closed: Promise<void> | undefined;
  const close = async () => {
    isClosing = true;
    server.close();
    // While the directory is still ours: afterwards the file may be another daemon's.
    await rm(endpointFile, { force: true }).catch(() => undefined);
    await Promise.all([engine.close(), processes.close()]);
    server.closeAllConnections();
    attachments.close();
    await tokens.close();
    await endTelemetry();
    log("debug", "stopped");
  };
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  return {
    url,
    port,
    pageLink() {
      const ticket = access.token === undefined ? "" : `#ticket=${tickets.create("page").ticket}`;
      return `${ownUrl}/inspect${ticket}`;
    },
    openStreams: () => streams,
    ...access,
    close: closeOnce,
    async kill() {
      await Promise.all([engine.killAgents(), processes.close(0), closeOnce()]);
    },
  };
}

/** Without a token only this machine may ask, unless the user insists. */
function checkExposure({ host, noToken, allowUnauthenticatedNetwork }: DaemonOptions): void {
  if (!noToken || allowUnauthenticatedNetwork || ["127.0.0.1", "localhost", "::1"].includes(host)) return;
  throw new Failure(
    "invalid_request",
    `--no-token on ${host} lets everybody in; add --allow-unauthenticated-network to mean it`,
  );
}

async function accessOf({ token, noToken }: DaemonOptions, tokenFile: string) {
  if (noToken) return {};
  if (token !== undefined) return { token };
  const kept = await readToken(tokenFile);
  return { token: kept.token, tokenFile, tokenIsNew: kept.isNew };
}

/** The daemon's own token comes first: pages are bound to it. */
function givenTokens(token: string | undefined, metricsToken: string | undefined): [string, Grant][] {
  const given: [string, Grant][] = [];
  if (token !== undefined) given.push([token, everything]);
  if (metricsToken !== undefined) given.push([metricsToken, { scope: "read", only: "metrics" }]);
  return given;
}

function listen(server: Server, { host, port }: DaemonOptions): Promise<void> {
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, () => {
      server.off("error", failed);
      done();
    });
  });
}
