import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, Writable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { interruptedMessage, type ToolError, type ToolInput, type ToolResult } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { countTokens } from "../code-map/printed-tree.ts";
import type { Verdict } from "../files/access/file-access.ts";
import { type GuardOptions, guardedGet } from "./guarded-request.ts";
import { pageText } from "./page-text.ts";

const mostRedirects = 5;
const mostBytes = 5 * 1024 * 1024;
const timeoutMs = 20_000;

export interface ReadUrlOptions extends GuardOptions {
  /** Asked before an address that a page redirects to is opened. */
  readonly visit?: (url: string) => Promise<Verdict>;
}

/** A public page as text. Every hop is checked anew: redirects and names that lead into private networks are refused. */
export async function readUrl(
  input: ToolInput<"read_url">,
  options: ReadUrlOptions,
  signal: AbortSignal,
): Promise<ToolResult<"read_url"> | ToolError> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { url, response } = await follow(new URL(input.url), options, limited);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 400) {
      response.destroy();
      return { errorMessage: `${url} answered with status ${statusCode}` };
    }
    const contentType = headers["content-type"] ?? "text/plain";
    if (!/^(?:text\/|application\/(?:[\w.+-]*(?:json|xml)|javascript|yaml|x-yaml))/i.test(contentType)) {
      response.destroy();
      return { errorMessage: `${url} is ${contentType}, which is no text` };
    }
    const { bytes, isCut } = await readPage(response, limited);
    const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1];
    const raw = decode(bytes, charset);
    const page = /html/i.test(contentType) ? pageText(raw) : { title: undefined, text: raw };
    const { text, isCut: isLong } = cutToTokens(page.text, input.max_tokens);
    return { url: url.href, title: page.title, contentType, content: text, truncated: isCut || isLong };
  } catch (error) {
    if (signal.aborted) return { errorMessage: interruptedMessage };
    if (limited.aborted) return { errorMessage: `${input.url} did not answer within ${timeoutMs / 1000} s` };
    return { errorMessage: `${input.url} cannot be read: ${messageOf(error)}` };
  }
}

async function follow(
  first: URL,
  { visit, ...options }: ReadUrlOptions,
  signal: AbortSignal,
): Promise<{ url: URL; response: IncomingMessage }> {
  let url = first;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const response = await guardedGet(url, options, signal);
    const { location } = response.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode ?? 0);
    if (!isRedirect || location === undefined) return { url, response };
    response.destroy();
    url = new URL(location, url);
    const verdict = await visit?.(url.href);
    if (verdict?.ok === false) throw new Error(verdict.message);
  }
  throw new Error(`it redirects more than ${mostRedirects} times`);
}

/** Counted after unpacking: a small archive can become a very large text. */
function readPage(response: IncomingMessage, signal: AbortSignal): Promise<{ bytes: Buffer; isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let left = mostBytes;
    const collect = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece.subarray(0, left));
        left -= piece.length;
        if (left < 0) {
          resolve({ bytes: Buffer.concat(pieces), isCut: true });
          response.destroy();
        }
        done();
      },
    });
    const onEnd = (error: Error | null | undefined) => {
      if (error) reject(error);
      else resolve({ bytes: Buffer.concat(pieces), isCut: false });
    };
    signal.addEventListener("abort", () => response.destroy(new Error("aborted")), { once: true });
    const unpack = unpacker(response.headers["content-encoding"]);
    if (unpack === undefined) pipeline(response as Readable, collect, onEnd);
    else pipeline(response as Readable, unpack, collect, onEnd);
  });
}

function unpacker(encoding: string | undefined) {
  switch (encoding) {
    case "gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    case undefined:
    case "identity":
      return undefined;
    default:
      throw new Error(`its encoding ${encoding} is not known`);
  }
}

function decode(bytes: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // The page names a charset nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

function cutToTokens(text: string, most: number): { text: string; isCut: boolean } {
  if (countTokens(text) <= most) return { text, isCut: false };
  const share = most / countTokens(text);
  return { text: text.slice(0, Math.floor(text.length * share)), isCut: true };
}
