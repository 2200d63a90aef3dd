import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { agentModeServer } from "./agent-mode/agent-mode-server.ts";
import { createApp } from "./app.ts";
import { chatRoute, isChat } from "./completions/chat-route.ts";
import { OpenCalls } from "./completions/open-calls.ts";
import type { Config } from "./config.ts";
import { openDatabase } from "./database/open.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createLog, type Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { Refusal } from "./refusal.ts";
import type { Service, Times } from "./service.ts";
import { startTelemetry } from "./telemetry.ts";
import { version } from "./version.ts";

export interface CodebuffServer {
  readonly url: string;
  readonly service: Service;
  /** No new requests; open ones may end within the time given, then they are settled as they stand. */
  close(graceMs?: number): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: Log;
  readonly times?: Partial<Times>;
}

const usualTimes: Times = {
  heartbeatMs: 30_000,
  stalledMs: 60_000,
  lastWordsMs: 2_000,
  banMs: 2_000,
  pingMs: 20_000,
  bodyMs: 30_000,
};

export async function startServer({ config, env = {}, log, times }: ServerOptions): Promise<CodebuffServer> {
  const database = await openDatabase(config.databaseUrl);
  const service: Service = {
    config,
    database,
    instanceId: randomUUID(),
    calls: new OpenCalls(),
    log: log ?? createLog(config.logLevel),
    metrics: new Metrics(),
    tracer: await startTelemetry(env, version),
    times: { ...usualTimes, ...times },
    now: () => Date.now(),
  };
  const stopHousekeeping = await startHousekeeping(service);
  const listener = getRequestListener(createApp(service).fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    (req, res) => {
      res.once("finish", () => endSoon(req, service.times.bodyMs));
      if (isChat(req)) void chatRoute(req, res, service);
      else void listener(req, res);
    },
  );
  const agentMode = agentModeServer(service);
  server.on("upgrade", (request, socket, head) => agentMode.upgrade(request, socket, head));
  await listen(server, config).catch(async (error: unknown) => {
    agentMode.close();
    await stopHousekeeping();
    await service.tracer?.close();
    await database.close();
    throw error;
  });
  const { address, port, family } = server.address() as AddressInfo;
  const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  service.log("info", "listening", { url, database: database.kind, instance: service.instanceId });
  let closing: Promise<void> | undefined;
  return {
    url,
    service,
    close(graceMs = 10_000) {
      closing ??= close(graceMs);
      return closing;
    },
  };

  async function close(graceMs: number): Promise<void> {
    server.close();
    agentMode.close();
    server.closeIdleConnections();
    const timer = setTimeout(() => {
      service.calls.abandonAll();
      // Also those that have not sent their body yet.
      server.closeAllConnections();
    }, graceMs);
    await service.calls.none();
    clearTimeout(timer);
    server.closeAllConnections();
    await stopHousekeeping();
    await service.tracer?.close();
    await database.close();
    service.log("info", "closed");
  }
}

/** A request that was answered before all of it had come: what still drips is not waited for without end. */
function endSoon(request: IncomingMessage, withinMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  const timer = setTimeout(() => {
    forget();
    if (!request.complete) socket.destroy();
  }, withinMs);
  // Off again, because a connection lives longer than its requests.
  const forget = () => {
    clearTimeout(timer);
    socket.off("close", forget);
  };
  request.once("end", forget);
  socket.once("close", forget);
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new Refusal(503, `Cannot listen on ${host}, port ${port}: ${error.message}`));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}
