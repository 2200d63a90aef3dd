import type { Engine } from "@muster/engine";
import { type AccessTokens, type App, type AppOptions, createApp, everything, type Tickets } from "@muster/http";
import type { RunningProcesses } from "./engine/running-processes.ts";
import { VisibleSessions } from "./engine/visible-sessions.ts";
import { operationTable } from "./operation-table.ts";
import { isPagePath, pageAnswer, toPage, wantsPage } from "./page/page-files.ts";
import { routes } from "./routes/index.ts";
import type { RouteContext } from "./routes/route.ts";
import type { SessionFiles } from "./sandbox/session-files.ts";
import type { Metrics } from "./telemetry/metrics.ts";

export interface DaemonAppOptions
  extends Pick<
    AppOptions<never>,
    "security" | "log" | "watch" | "isClosing" | "onTrusted" | "onStreams" | "isTokenLive" | "onTokenEnd"
  > {
  engine: Engine;
  processes: RunningProcesses;
  tickets: Tickets;
  tokens: AccessTokens;
  metrics: Metrics;
  files: SessionFiles;
  /** Room for the files of one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined;
}

/** Every operation of the daemon and its page, behind the same checks. */
export function createDaemonApp(options: DaemonAppOptions): App {
  const { engine, processes, tickets, tokens, files, reserveSession } = options;
  const startedAt = new Date().toISOString();
  const metrics = () => options.metrics.text();
  const context = { engine, processes, tickets, tokens, files, reserveSession, startedAt, metrics };
  return createApp({
    ...options,
    table: operationTable,
    page: (request, path) => {
      if (isPagePath(path)) return pageAnswer(request, path);
      return path === "/" && wantsPage(request) ? Promise.resolve(toPage) : undefined;
    },
    run({ id, input, headers, grant = everything, trace }) {
      const route = routes[id] as (input: unknown, context: RouteContext) => unknown;
      return route(input, { ...context, sessions: new VisibleSessions(engine, grant), headers, grant, trace });
    },
  });
}
