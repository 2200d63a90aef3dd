import { once } from "node:events";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Parser, ReadEntry } from "tar";
import { ArchiveFailure, Extraction, type ExtractionLimits } from "./extraction.ts";

/**
 * Extracts a gzipped tar file below a folder: files, folders and links that stay inside; everything else is refused. The
 * library reads the archive; what is written where, and how much, is decided by `Extraction`.
 */
export async function extractTarGz(archive: string, folder: string, limits?: ExtractionLimits): Promise<void> {
  const { Parser } = await import("tar");
  const extraction = new Extraction(folder, limits);
  const failed = new AbortController();
  const parser = new Parser({ strict: true });
  let written = Promise.resolve();
  parser.on("error", (error) => failed.abort(error));
  parser.on("ignoredEntry", (entry: ReadEntry) => failed.abort(unknownEntry(entry)));
  let last: ReadEntry | undefined;
  // An entry whose archive breaks off has no end of its own.
  failed.signal.addEventListener("abort", () => last?.destroy(failed.signal.reason), { once: true });
  parser.on("entry", (entry: ReadEntry) => {
    last = entry;
    // Whoever reads the entry hears of its failure there; an entry nobody reads must not bring the daemon down.
    entry.on("error", () => {});
    written = written.then(() => {
      failed.signal.throwIfAborted();
      return extractEntry(entry, extraction);
    });
    written.catch((error) => failed.abort(error));
  });
  try {
    const source = createReadStream(archive);
    const gunzip = createGunzip({ chunkSize: 256 * 1024 });
    await pipeline(source, gunzip, (chunks) => feed(parser, chunks, failed.signal), { signal: failed.signal });
    await written;
    await extraction.finish();
  } catch (error) {
    failed.abort(error);
    // Nothing is written any more once we have thrown; why an entry failed is told below.
    await written.catch(() => {});
    // The first reason counts: a refused entry also breaks off the reading.
    throw failed.signal.reason;
  }
}

async function feed(parser: Parser, chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  for await (const chunk of chunks) {
    const drained = once(parser, "drain", { signal });
    // Nobody waits for this one; an abort also ends the loop.
    if (parser.write(chunk)) drained.catch(() => {});
    else await drained;
  }
  const ended = once(parser, "end", { signal });
  parser.end();
  await ended;
}

async function extractEntry(entry: ReadEntry, extraction: Extraction): Promise<void> {
  const { path, type, mode = 0o644, linkpath = "" } = entry;
  switch (type) {
    case "File":
    case "OldFile":
    case "ContiguousFile":
      return await extraction.file(path, mode, entry);
    case "Directory":
      await extraction.folder(path);
      break;
    case "Link":
      extraction.hardLink(path, linkpath);
      break;
    case "SymbolicLink":
      extraction.symlink(path, linkpath);
      break;
    default:
      throw unknownEntry(entry);
  }
  entry.resume();
}

function unknownEntry({ path, type }: ReadEntry): ArchiveFailure {
  return new ArchiveFailure(`the entry ${JSON.stringify(path)} is neither file, folder nor link (${type})`);
}
