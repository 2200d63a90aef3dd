import type { Engine } from "@muster/engine";
import { type AccessTokens, type App, type AppOptions, createApp, everything, type Tickets } from "@muster/http";
import { metricsText } from "./engine/metrics.ts";
import { VisibleSessions } from "./engine/visible-sessions.ts";
import { operationTable } from "./operation-table.ts";
import { isPagePath, pageAnswer } from "./page/page-files.ts";
import { routes } from "./routes/index.ts";
import type { RouteContext } from "./routes/route.ts";

export interface DaemonAppOptions
  extends Pick<
    AppOptions<never>,
    "security" | "log" | "isClosing" | "onTrusted" | "onStreams" | "isTokenLive" | "onTokenEnd"
  > {
  engine: Engine;
  tickets: Tickets;
  tokens: AccessTokens;
  openStreams(): number;
  /** Room for the files of one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined;
}

/** Every operation of the daemon and its page, behind the same checks. */
export function createDaemonApp(options: DaemonAppOptions): App {
  const { engine, tickets, tokens, reserveSession, openStreams } = options;
  const startedAt = new Date().toISOString();
  const metrics = () => metricsText(engine, openStreams());
  const context = { engine, tickets, tokens, reserveSession, startedAt, metrics };
  return createApp({
    ...options,
    table: operationTable,
    page: (request, path) => (isPagePath(path) ? pageAnswer(request, path) : undefined),
    run({ id, input, headers, grant = everything }) {
      const route = routes[id] as (input: unknown, context: RouteContext) => unknown;
      return route(input, { ...context, sessions: new VisibleSessions(engine, grant), headers, grant });
    },
  });
}
