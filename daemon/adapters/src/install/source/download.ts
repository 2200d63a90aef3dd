import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseJson } from "@muster/core";
import { get, type HttpAnswer, HttpFailure, type Network } from "../../network/http.ts";

export interface Download {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Where the bytes go. What an earlier try left here is gone on with, if the server still has the same file. */
  path: string;
  mostBytes: number;
  /** The whole file will be checked against a known hash, so its rest may be asked for from a server that names no file. */
  isVouchedFor?: boolean;
  progress(receivedBytes: number, totalBytes: number | undefined): void;
  signal?: AbortSignal | undefined;
}

/** In a row, without a single byte. */
const mostFruitless = 4;
const firstPauseMs = 100;

/**
 * Resolves when the whole file is there, with whether an earlier process had begun it. Broken connections are taken up
 * again where they broke.
 */
export async function download(network: Network, request: Download): Promise<{ resumed: boolean }> {
  await mkdir(dirname(request.path), { recursive: true, mode: 0o700 });
  const resumed = (await resumePoint(request)) !== undefined;
  for (let fruitless = 0; ; ) {
    const before = await sizeOf(request.path);
    try {
      await attempt(network, request);
      return { resumed };
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!isTemporary(error)) throw error;
      fruitless = (await sizeOf(request.path)) > before ? 1 : fruitless + 1;
      if (fruitless > mostFruitless) throw error;
      await delay(firstPauseMs * 2 ** fruitless, undefined, { signal: request.signal });
    }
  }
}

/** Forgets what an unfinished download has left. */
export async function discardDownload(path: string): Promise<void> {
  await Promise.all([path, beginningFile(path)].map((file) => rm(file, { force: true })));
}

async function attempt(network: Network, request: Download): Promise<void> {
  const { url, path, headers = {}, signal } = request;
  const resumable = await resumePoint(request);
  const { size, validator } = resumable ?? {};
  const range = resumable && { range: `bytes=${size}-`, ...(validator !== undefined && { "if-range": validator }) };
  const answer = await get(network, url, { headers: { ...headers, ...range }, signal });
  const offset = answer.status === 206 && resumable ? resumable.size : 0;
  try {
    checkAnswer(answer, url, offset);
    if (offset === 0) await startAnew(path, url, answer.headers);
    await receive(answer, request, offset);
  } catch (error) {
    if (answer.status === 416) await discardDownload(path);
    throw error;
  } finally {
    answer.body.destroy();
  }
}

function checkAnswer({ status, headers }: HttpAnswer, url: string, offset: number): void {
  const { origin, pathname } = new URL(url);
  if (status !== 200 && status !== 206) throw new HttpFailure(`${origin}${pathname} answered ${status}`, { status });
  if (status === 206 && !headers["content-range"]?.startsWith(`bytes ${offset}-`)) {
    throw new HttpFailure(`${origin}${pathname} answered with another range than asked for`);
  }
}

async function receive({ headers, body }: HttpAnswer, request: Download, offset: number): Promise<void> {
  const length = headers["content-length"];
  const total = length === undefined ? undefined : offset + Number(length);
  const tooLarge = new SizeFailure(`the download is larger than ${request.mostBytes} bytes`);
  if (total !== undefined && total > request.mostBytes) throw tooLarge;
  const file = await open(request.path, offset === 0 ? "w" : "a", 0o600);
  let received = offset;
  try {
    request.progress(received, total);
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > request.mostBytes) throw tooLarge;
      await file.write(chunk);
      request.progress(received, total);
    }
  } finally {
    await file.close();
  }
}

/** More than we are ready to take; asking again would not make it smaller. */
class SizeFailure extends Error {}

interface Beginning {
  url: string;
  /** What the server calls this very file: a strong ETag, or its date. */
  validator?: string;
}

async function resumePoint({ path, url, isVouchedFor }: Download) {
  const size = await sizeOf(path);
  // A file that cannot be read is a download that starts anew.
  const text = await readFile(beginningFile(path), "utf8").catch(() => "null");
  const known = parseJson(text) as Beginning | undefined;
  if (size === 0 || known?.url !== url || (known.validator === undefined && isVouchedFor !== true)) return undefined;
  return { size, validator: known.validator };
}

async function startAnew(path: string, url: string, headers: IncomingHttpHeaders): Promise<void> {
  await discardDownload(path);
  const { etag, "last-modified": date } = headers;
  const validator = etag !== undefined && !etag.startsWith("W/") ? etag : date;
  const beginning: Beginning = { url, validator };
  await writeFile(beginningFile(path), JSON.stringify(beginning), { mode: 0o600 });
}

function beginningFile(path: string): string {
  return `${path}.json`;
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}

function isTemporary(error: unknown): boolean {
  if (error instanceof SizeFailure) return false;
  if (error instanceof HttpFailure) {
    const { status } = error;
    return status === undefined || status >= 500 || status === 408 || status === 416 || status === 429;
  }
  const { code } = error as NodeJS.ErrnoException;
  return code === "ECONNRESET" || code === "ETIMEDOUT" || code === "EPIPE" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
