import { join } from "node:path";
import {
  AccessTokens,
  ByteStream,
  DescriptorBudget,
  everything,
  type FrameSource,
  FrameStream,
  failureOf,
  inputOf,
  JsonBytes,
  Tickets,
  WithStatus,
} from "@muster/http";
import { Failure, type OperationId } from "@muster/schema/wire";
import { accessTokensFile } from "./engine/access-tokens-file.ts";
import { type RunningEngineOptions, startEngine } from "./engine/running-engine.ts";
import { VisibleSessions } from "./engine/visible-sessions.ts";
import { operationTable } from "./operation-table.ts";
import { routes } from "./routes/index.ts";
import type { RouteContext, RouteHeaders } from "./routes/route.ts";
import { startFiles } from "./sandbox/session-files.ts";

export interface InlineInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  /** A value as JSON has it; where the operation takes bytes: text, bytes, a blob or a stream. */
  body?: unknown;
  headers?: RouteHeaders & Readonly<Record<string, string | string[] | undefined>>;
}

/** The daemon without a port: every operation with the same checks, failures and answers as over HTTP. */
export interface InlineDaemon {
  /** The value of an operation that answers once, as a client gets it: a copy, without what JSON cannot say. */
  call(id: OperationId, input: InlineInput): Promise<unknown>;
  /** The frames of one that streams; undefined when there is nothing to tell. Closed by who takes them. */
  frames(id: OperationId, input: InlineInput): Promise<FrameSource | undefined>;
  /** The bytes of one that answers with some; begun in any case, and read or returned by who takes them. */
  bytes(id: OperationId, input: InlineInput): Promise<ByteStream>;
  /** Ends turns, kills agents, flushes. */
  close(): Promise<void>;
}

export async function startInline(options: RunningEngineOptions): Promise<InlineDaemon> {
  const budget = new DescriptorBudget();
  const { engine, processes, log, dataDirectory, metrics, endTelemetry } = await startEngine(options, []);
  const tokens = await AccessTokens.open({ path: join(dataDirectory, accessTokensFile), given: [], log });
  const startedAt = new Date().toISOString();
  const tickets = new Tickets(tokens);
  let isClosing = false;
  let streams = 0;
  const reserveSession = () => budget.reserveSession();
  const context = {
    engine,
    sessions: new VisibleSessions(engine, everything),
    processes,
    tickets,
    tokens,
    reserveSession,
    startedAt,
    metrics: () => metrics.text(),
    files: startFiles(options, { engine, dataDirectory }),
  };
  metrics.observe(engine.sessions, () => streams);
  engine.begin();
  processes.begin();

  return {
    async call(id, input) {
      const result = await run(id, input);
      const value = result instanceof WithStatus ? result.value : result;
      if (value instanceof JsonBytes) return JSON.parse(value.bytes.toString());
      return value === undefined || typeof value === "string" ? value : JSON.parse(JSON.stringify(value));
    },

    async frames(id, input) {
      const result = await run(id, input);
      return result instanceof FrameStream ? counted(result.source) : undefined;
    },

    async bytes(id, input) {
      const result = await run(id, input);
      if (result instanceof ByteStream) return result;
      throw new TypeError(`${id} does not answer with bytes`);
    },

    async close() {
      isClosing = true;
      await Promise.all([engine.close(), processes.close()]);
      await tokens.close();
      await endTelemetry();
    },
  };

  async function run(id: OperationId, { params = {}, query = {}, body, headers = {} }: InlineInput): Promise<unknown> {
    try {
      if (isClosing) throw new Failure("shutting_down", "The daemon is shutting down");
      const isBytes = operationTable.rows[id].takesBytes === true;
      const read = () => (isBytes ? piecesOf(body) : JSON.parse(JSON.stringify(body ?? {})));
      const place = { params: given(params), query: texts(query), headers };
      const input = await inputOf(operationTable, id, { ...place, body: read });
      const route = routes[id] as (input: unknown, context: RouteContext) => unknown;
      return await route(input, { ...context, headers, grant: everything, trace: headers });
    } catch (error) {
      throw failureOf(error, log);
    }
  }

  function counted(source: FrameSource): FrameSource {
    let isOpen = true;
    streams++;
    const close = () => {
      if (isOpen) streams--;
      isOpen = false;
      source.close();
    };
    return { next: () => source.next(), close };
  }
}

async function* piecesOf(content: unknown): AsyncGenerator<Uint8Array> {
  if (typeof content === "string") yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else if (content instanceof Blob) yield* content.stream() as unknown as AsyncIterable<Uint8Array>;
  else if (content !== undefined) yield* content as AsyncIterable<Uint8Array>;
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** As in a URL: the schemas of a query read text. */
function texts(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(given(fields)).map(([name, value]) => [name, String(value)]));
}
