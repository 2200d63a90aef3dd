import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, raw, wires } from "./answer.ts";
import { deliver } from "./http/deliver.ts";
import { BodyError, decodeBody, headersOf, readBytes } from "./http/http-body.ts";
import { type ListenOptions, listen } from "./http/listen.ts";
import { model, modelList } from "./protocols/models.ts";
import { estimatedTokens } from "./protocols/reply.ts";
import { type Target, targetOf } from "./protocols/routes.ts";
import {
  type Ending,
  type Incoming,
  type RecordedRequest,
  Recorder,
  type RecorderLimits,
  type ScriptFailure,
} from "./record/recorder.ts";
import { readRequest } from "./request/read-request.ts";
import { Conversations } from "./script/conversation.ts";
import type { Delivery } from "./script/faults.ts";
import { checkScript, type LoadOptions, loadScript } from "./script/load-script.ts";
import type { Script, ScriptInput } from "./script/script.ts";

export interface ScriptedLlmOptions extends ListenOptions, LoadOptions {
  /** A script value, or the path of a script file. */
  readonly script: ScriptInput | string;
  /** Every request is appended to this file as one line of JSON, keys taken out. */
  readonly requestLog?: string | undefined;
  /** What `requests()` keeps: by default the newest 1,000 within 64 MiB. */
  readonly keep?: RecorderLimits | undefined;
  /** Called for each failure when it happens. */
  readonly onFailure?: ((failure: ScriptFailure) => void) | undefined;
}

export interface ScriptedLlm {
  readonly url: string;
  readonly port: number;
  /** Requests that are over, in order of arrival. */
  requests(): RecordedRequest[];
  /** Assertions that did not hold and requests that no turn could answer. Empty is what a test wants to see. */
  failures(): ScriptFailure[];
  /** Forgets requests, failures and all progress: the script starts anew. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a model server that follows a script. Throws ScriptError before it listens. */
export async function startScriptedLlm(options: ScriptedLlmOptions): Promise<ScriptedLlm> {
  const script =
    typeof options.script === "string"
      ? await loadScript(options.script, options)
      : checkScript(options.script, options.script.name ?? "script", options);
  const conversations = new Conversations(script);
  const recorder = new Recorder(options.keep, options.requestLog);
  const service: Service = { script, conversations, recorder, onFailure: options.onFailure ?? (() => {}) };
  const listening = await listen((request, response, signal) => handle(service, request, response, signal), options);
  return {
    url: listening.url,
    port: listening.port,
    requests: () => recorder.requests(),
    failures: () => recorder.failures(),
    reset: () => {
      conversations.reset();
      recorder.reset();
    },
    close: () => listening.close(),
  };
}

interface Service {
  readonly script: Script;
  readonly conversations: Conversations;
  readonly recorder: Recorder;
  onFailure(failure: ScriptFailure): void;
}

interface Exchange {
  readonly number: number;
  readonly incoming: Incoming;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  end(ending: Ending): void;
}

const nobody = { conversation: undefined, turn: undefined };

async function handle(service: Service, request: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
  const method = request.method ?? "GET";
  const path = request.url ?? "/";
  const headers = headersOf(request);
  const begin = (bodyText: string): Exchange => {
    const incoming = { method, path, headers, bodyText };
    return { ...service.recorder.begin(incoming), incoming, response, signal };
  };
  const target = targetOf(method, path, service.script);
  let exchange: Exchange | undefined;
  try {
    exchange = begin(decodeBody(await readBytes(request), headers["content-encoding"]));
    if (target.kind === "model") await replyToModel(service, exchange, target);
    else await replyToOther(service, exchange, target);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    await refuseBody(service, exchange ?? begin(""), error);
  }
}

async function replyToModel(service: Service, exchange: Exchange, target: Target & { kind: "model" }) {
  const { incoming, number } = exchange;
  const { protocol } = target;
  const request = readRequest({ ...incoming, protocol, body: parseBody(incoming.bodyText) });
  const given = answer(service.script, service.conversations, request, `req_scripted_${number}`);
  const { conversation, turn, status } = given;
  for (const message of given.complaints)
    reportFailure(service, { requestNumber: number, conversation, turn, message });
  let wasDelivered = false;
  try {
    wasDelivered = await send(exchange, status, given.headers, given.delivery);
  } finally {
    given.settle(wasDelivered);
    const outcome = wasDelivered ? given.outcome : "client_closed";
    exchange.end({ status, outcome, conversation, turn });
  }
}

async function replyToOther(service: Service, exchange: Exchange, target: Exclude<Target, { kind: "model" }>) {
  if (target.kind === "fixed") {
    const { status, headers, delivery } = raw(target.reply);
    await send(exchange, status, headers, delivery);
    exchange.end({ status, outcome: "replied", ...nobody });
    return;
  }
  const [status, body] = plainReply(service.script, target, exchange.incoming);
  await sendJson(exchange, status, body);
  exchange.end({ status, outcome: status === 404 ? "not_found" : "replied", ...nobody });
}

function plainReply(
  script: Script,
  target: Exclude<Target, { kind: "model" | "fixed" }>,
  incoming: Incoming,
): [number, unknown] {
  const models = script.models ?? ["scripted-model"];
  const isAnthropic = incoming.headers["anthropic-version"] !== undefined;
  const missing = (message: string): [number, unknown] => {
    const wire = wires[isAnthropic ? "anthropic" : "chat"];
    return [404, wire.problem({ status: 404, message, requestId: "req_scripted" })];
  };
  switch (target.kind) {
    case "count_tokens":
      return [200, { input_tokens: estimatedTokens(incoming.bodyText) }];
    case "models":
      if (target.id === undefined) return [200, modelList(models, isAnthropic)];
      return models.includes(target.id) ? [200, model(target.id, isAnthropic)] : missing(`No model ${target.id}`);
    case "hello":
      return [200, { name: "scripted-llm" }];
    case "unknown":
      return missing(`scripted-llm does not serve ${incoming.method} ${incoming.path}`);
  }
}

async function refuseBody(service: Service, exchange: Exchange, { status, message }: BodyError): Promise<void> {
  reportFailure(service, { requestNumber: exchange.number, ...nobody, message });
  // What is left of the body is not read, so the connection cannot be used again.
  exchange.response.setHeader("connection", "close");
  await sendJson(exchange, status, { error: { message, type: "invalid_request_error" } });
  exchange.end({ status, outcome: "unanswered", ...nobody });
}

function reportFailure(service: Service, failure: ScriptFailure): void {
  service.recorder.fail(failure);
  service.onFailure(failure);
}

async function sendJson(exchange: Exchange, status: number, body: unknown): Promise<void> {
  const pieces = [{ bytes: Buffer.from(JSON.stringify(body)), delayMs: 0 }];
  await send(exchange, status, { "content-type": "application/json" }, { pieces, end: "finish" });
}

async function send(
  { response, signal, incoming }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
  delivery: Delivery,
): Promise<boolean> {
  response.writeHead(status, headers);
  const isEmpty = incoming.method === "HEAD";
  return deliver(response, isEmpty ? { pieces: [], end: "finish" } : delivery, signal);
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BodyError(400, "The body is not JSON");
  }
}
