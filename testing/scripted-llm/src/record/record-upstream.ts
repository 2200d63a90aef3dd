import { once } from "node:events";
import { type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { messageOf, parseJson } from "@muster/core";
import { BodyError, decodeBody, headersOf, readBytes } from "../http/http-body.ts";
import { type Listening, type ListenOptions, listen } from "../http/listen.ts";
import { targetOf } from "../protocols/routes.ts";
import { readRequest } from "../request/read-request.ts";
import { Recording } from "./recording.ts";
import { redact, secretsIn } from "./redact.ts";

export interface RecordOptions extends ListenOptions {
  /** The real service, up to where the server's own URL would end: `https://api.anthropic.com`. */
  readonly upstream: string;
  /** The script to write: `.yaml` or `.json`. */
  readonly file: string;
  /** Reply bodies beyond this are passed on but not written. Default 64 MiB. */
  readonly mostBytes?: number | undefined;
}

export interface Recorder extends Listening {
  recorded(): number;
  leftOut(): number;
}

/** A proxy to a real model service that writes what it saw as a script. `close()` resolves when the file is written. */
export async function startRecording(options: RecordOptions): Promise<Recorder> {
  const upstream = new URL(options.upstream);
  const recording = new Recording(options.mostBytes ?? 64 * 1024 * 1024);
  const file = recordingFile(recording, options.file);
  const listening = await listen(async (request, response, signal) => {
    await forward({ upstream, recording }, request, response, signal);
    file.save();
  }, options);
  return {
    url: listening.url,
    port: listening.port,
    recorded: () => recording.size,
    leftOut: () => recording.leftOut,
    close: async () => {
      await listening.close();
      file.save();
      await file.saved();
    },
  };
}

interface Proxy {
  readonly upstream: URL;
  readonly recording: Recording;
}

async function forward(proxy: Proxy, request: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
  const method = request.method ?? "GET";
  const path = request.url ?? "/";
  const headers = headersOf(request);
  const bytes = await readBytes(request);
  const finish = beginRecording(proxy.recording, method, path, headers, bytes);
  try {
    const answered = await callUpstream(proxy.upstream, method, path, headers, bytes, signal);
    const reply = await passOn(answered, response, signal);
    finish(signal.aborted ? undefined : { ...reply, ...textOf(reply.body, secretsIn(headers)) });
  } catch (error) {
    finish(undefined);
    if (signal.aborted) return;
    const message = `scripted-llm could not reach ${proxy.upstream.origin}: ${messageOf(error)}`;
    response.writeHead(502, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "server_error" } }));
  }
}

type Finish = ReturnType<Recording["begin"]>;

function beginRecording(
  recording: Recording,
  method: string,
  path: string,
  headers: Record<string, string>,
  bytes: Buffer,
): Finish {
  const target = targetOf(method, path, { conversations: [] });
  const pathname = path.split("?")[0] ?? "/";
  if (target.kind !== "model") return (reply) => reply !== undefined && recording.addRoute(method, pathname, reply);
  const bodyText = readable(bytes, headers["content-encoding"]);
  if (bodyText === undefined) return () => recording.leaveOut();
  // A request may have any body; one that is no JSON is matched by its text.
  const body = parseJson(bodyText);
  return recording.begin(readRequest({ protocol: target.protocol, path, headers, bodyText, body }));
}

/** A body in an encoding unknown here still goes on to the service; it is only not recorded. */
function readable(bytes: Buffer, encoding: string | undefined): string | undefined {
  try {
    return decodeBody(bytes, encoding);
  } catch (error) {
    if (error instanceof BodyError) return undefined;
    throw error;
  }
}

// These belong to one connection or would change the bytes on the way.
const notForwarded = new Set([
  "host",
  "connection",
  "keep-alive",
  "accept-encoding",
  "content-length",
  "transfer-encoding",
]);

function callUpstream(
  upstream: URL,
  method: string,
  path: string,
  headers: Record<string, string>,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const kept = Object.entries(headers).filter(([name]) => !notForwarded.has(name));
  const sent = { ...Object.fromEntries(kept), "content-length": String(bytes.length), "accept-encoding": "identity" };
  const url = upstream.origin + upstream.pathname.replace(/\/$/, "") + path;
  return new Promise((resolve, reject) => {
    const call = upstream.protocol === "https:" ? requestHttps : requestHttp;
    const outgoing = call(url, { method, headers: sent, signal }, resolve);
    outgoing.once("error", reject);
    outgoing.end(bytes);
  });
}

// What a client acts on. Everything else (cookies, organisation ids, dates) stays out of the file.
const kept =
  /^(content-type|cache-control|retry-after(-ms)?|(x-)?request-id|x-should-retry|(anthropic|x)-ratelimit-.+)$/;

/** Streams the reply to the client as it comes; resolves to the whole of it. */
async function passOn(answered: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
  const headers = Object.fromEntries(Object.entries(headersOf(answered)).filter(([name]) => kept.test(name)));
  const status = answered.statusCode ?? 502;
  response.writeHead(status, headers);
  response.flushHeaders();
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answered as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (!response.write(chunk)) await once(response, "drain", { signal });
    }
    response.end();
    return { status, headers, body: Buffer.concat(chunks), cut: false };
  } catch {
    // The client or the service went away; the recording says that it was cut.
    response.socket?.destroySoon();
    return { status, headers, body: Buffer.concat(chunks), cut: true };
  }
}

function textOf(bytes: Buffer, secrets: readonly string[]) {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return { body: redact(text, secrets), encoding: "utf8" as const };
  return { body: bytes.toString("base64"), encoding: "base64" as const };
}

/** One write at a time; what comes meanwhile goes into the next. */
function recordingFile(recording: Recording, file: string) {
  let isDirty = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (isDirty) {
      isDirty = false;
      await recording.save(file);
    }
  };
  return {
    save: () => {
      if (recording.size === 0) return;
      isDirty = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      // A failed write is reported by `saved`, which every owner awaits at the end.
      running.catch(() => {});
    },
    saved: async () => running,
  };
}
