import type { Engine } from "@muster/engine";
import { type App, type AppOptions, createApp, type Tickets } from "@muster/http";
import { operationTable } from "./operation-table.ts";
import { isPagePath, pageAnswer } from "./page/page-files.ts";
import { routes } from "./routes/index.ts";
import type { RouteContext } from "./routes/route.ts";

export interface DaemonAppOptions
  extends Pick<AppOptions<never>, "security" | "log" | "isClosing" | "onTrusted" | "onStreams"> {
  engine: Engine;
  tickets: Tickets;
  openStreams(): number;
  /** Room for the files of one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined;
}

/** Every operation of the daemon and its page, behind the same checks. */
export function createDaemonApp(options: DaemonAppOptions): App {
  const { engine, tickets, reserveSession, openStreams } = options;
  const context = { engine, tickets, reserveSession, openStreams, startedAt: new Date().toISOString() };
  return createApp({
    ...options,
    table: operationTable,
    metrics: "metrics",
    page: (request, path) => (isPagePath(path) ? pageAnswer(request, path) : undefined),
    run({ id, input, headers, caller }) {
      const route = routes[id] as (input: unknown, context: RouteContext) => unknown;
      return route(input, { ...context, headers, caller });
    },
  });
}
