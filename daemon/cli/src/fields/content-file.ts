import { createWriteStream, openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Content } from "@muster/client";
import { messageOf } from "@muster/core";
import { Option } from "commander";
import { UsageError } from "../environment/exit.ts";

/** Where the bytes of an operation come from, or go to. */
export function fileOption(takesBytes: boolean): Option {
  return takesBytes
    ? new Option("--file <path>", "the file whose bytes are sent; standard input by default, or with -")
    : new Option("--file <path>", "the file the bytes are written to; standard output by default, or with -");
}

/** Read while it is sent. */
export async function contentOf(path: string | undefined, stdin: Readable): Promise<Content> {
  if (path === undefined || path === "-") return Readable.toWeb(stdin) as ReadableStream<Uint8Array>;
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw new UsageError(`--file: cannot read ${path}: ${messageOf(error)}`);
  }
}

export async function saveBytes(bytes: ReadableStream<Uint8Array>, path: string): Promise<void> {
  await pipeline(Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(path));
}
