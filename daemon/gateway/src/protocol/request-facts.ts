import { parseJson } from "@muster/core";
import { endOfJsonString } from "@muster/node";
import { decode } from "./decode.ts";
import type { Endpoint } from "./endpoints.ts";

/** What is known of a request before it is sent. */
export interface RequestFacts {
  /** Undefined: the body names none, or cannot be read here. */
  readonly model: string | undefined;
  /** What the input is in tokens, by its length. */
  readonly inputTokens: number;
}

const quote = 0x22;
const backslash = 0x5c;
/** A token is about four characters of text, in all tokenizers of today. */
const bytesPerToken = 4;
/** Longer strings without a space are files in base64, which cost what an image costs and not by their letters. */
const longWord = 4_096;
const tokensOfFile = 2_000;

/** Reads a body without parsing it: a long conversation is megabytes, and only one member of it is asked for. */
export function readFacts(body: Buffer, endpoint: Endpoint, encoding: string | undefined): RequestFacts {
  const json = decode(body, encoding);
  if (json === undefined) return { model: endpoint.model, inputTokens: Math.ceil(body.length / bytesPerToken) };
  const { model, fileBytes, files } = scan(json);
  const inputTokens = Math.ceil((json.length - fileBytes) / bytesPerToken) + files * tokensOfFile;
  return { model: endpoint.model ?? model, inputTokens };
}

/**
 * Walks over the strings of a JSON text. A member that is there twice counts as it does for parsers: the last one. Text that
 * is not JSON gives some model or none; the provider says what is wrong with it.
 */
function scan(json: Buffer): { model: string | undefined; files: number; fileBytes: number } {
  let model: string | undefined;
  let files = 0;
  let fileBytes = 0;
  let depth = 0;
  let key: string | undefined;
  let at = 0;
  while (at < json.length) {
    const byte = json[at];
    if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x2c) key = undefined;
    else if (byte === quote) {
      const end = endOfJsonString(json, at + 1);
      if (end - at > longWord) {
        if (isOneWord(json, at + 1)) {
          files++;
          fileBytes += end - at;
        }
        // A name that long is nobody's: the one before it does not count in its place.
        if (depth === 1 && key === "model") model = undefined;
        else if (depth === 1) key ??= "";
      } else if (depth === 1) {
        const text = stringAt(json, at, end);
        if (key === undefined) key = text;
        else if (key === "model") model = text;
      }
      at = end;
    }
    at++;
  }
  return { model, files, fileBytes };
}

function isOneWord(json: Buffer, from: number): boolean {
  const start = json.subarray(from, from + 512);
  return !start.includes(0x20) && !start.includes(backslash);
}

function stringAt(json: Buffer, from: number, end: number): string | undefined {
  // A string that is none says nothing.
  const text = parseJson(json.toString("utf8", from, end + 1));
  return typeof text === "string" ? text : undefined;
}
