import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { ByteReader } from "./byte-reader.ts";
import { ArchiveFailure, Extraction, type ExtractionLimits } from "./extraction.ts";

const block = 512;

interface Header {
  name: string;
  linkName: string;
  mode: number;
  size: number;
  type: string;
}

/** What a pax or GNU header says about the entry after it. */
interface Override {
  name?: string;
  linkName?: string;
  size?: number;
}

/** Extracts a gzipped tar file below a folder: files, folders and links that stay inside; everything else is refused. */
export async function extractTarGz(archive: string, folder: string, limits?: ExtractionLimits): Promise<void> {
  const input = createReadStream(archive);
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  input.on("error", (error) => gunzip.destroy(error));
  try {
    const reader = new ByteReader(input.pipe(gunzip));
    await extractEntries(reader, new Extraction(folder, limits));
    // The checksum of the whole stream comes with its last bytes.
    await reader.skip(Number.MAX_SAFE_INTEGER);
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

async function extractEntries(reader: ByteReader, extraction: Extraction): Promise<void> {
  let override: Override = {};
  for (;;) {
    const bytes = await reader.read(block);
    if (bytes.length < block) throw new ArchiveFailure("the archive ends in the middle");
    if (bytes.every((byte) => byte === 0)) return await extraction.finish();
    const header = { ...readHeader(bytes), ...override };
    if ("xgLK".includes(header.type)) {
      const content = await longHeader(reader, header.size);
      override = { ...override, ...overrideOf(header.type, content) };
      continue;
    }
    override = {};
    await extractEntry(reader, header, extraction);
  }
}

async function extractEntry(reader: ByteReader, header: Header, extraction: Extraction): Promise<void> {
  const { name, type, size, mode, linkName } = header;
  switch (type) {
    case "0":
    case "\0":
    case "7": {
      await extraction.file(name, mode, exactly(reader, size));
      return await reader.skip(padding(size));
    }
    case "5":
      return await extraction.folder(name);
    case "1":
      return extraction.hardLink(name, linkName);
    case "2":
      return extraction.symlink(name, linkName);
  }
  throw new ArchiveFailure(`the entry ${JSON.stringify(name)} is neither file, folder nor link (type ${type})`);
}

async function* exactly(reader: ByteReader, size: number): AsyncGenerator<Buffer> {
  let missing = size;
  for await (const piece of reader.pieces(size)) {
    missing -= piece.length;
    yield piece;
  }
  if (missing > 0) throw new ArchiveFailure("the archive ends in the middle");
}

const longestHeader = 1024 * 1024;

async function longHeader(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > longestHeader) throw new ArchiveFailure("an extended header is too long");
  const content = await reader.read(size);
  await reader.skip(padding(size));
  return content;
}

function overrideOf(type: string, content: Buffer): Override {
  if (type === "L") return { name: text(content, 0, content.length) };
  if (type === "K") return { linkName: text(content, 0, content.length) };
  // A global header sets defaults for comments and times; nothing of it changes what is written.
  if (type === "g") return {};
  const override: Override = {};
  for (const [key, value] of paxRecords(content)) {
    if (key === "path") override.name = value;
    if (key === "linkpath") override.linkName = value;
    if (key === "size") override.size = sizeOf(Number(value));
  }
  return override;
}

/** `<length> <key>=<value>\n`, the length counting itself. */
function* paxRecords(content: Buffer): Generator<[string, string]> {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString("latin1", at, space));
    if (space < 0 || !(length > 0)) throw new ArchiveFailure("an extended header cannot be read");
    const record = content.toString("utf8", space + 1, at + length - 1);
    const equals = record.indexOf("=");
    yield [record.slice(0, equals), record.slice(equals + 1)];
    at += length;
  }
}

function readHeader(bytes: Buffer): Header {
  const expected = number(bytes, 148, 8);
  let sum = 8 * 0x20;
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += bytes[at] ?? 0;
  if (sum !== expected) throw new ArchiveFailure("a header of the archive is damaged");
  const prefix = text(bytes, 257, 5) === "ustar" ? text(bytes, 345, 155) : "";
  const name = text(bytes, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    mode: number(bytes, 100, 8),
    size: sizeOf(number(bytes, 124, 12)),
    type: String.fromCharCode(bytes[156] ?? 0),
    linkName: text(bytes, 157, 100),
  };
}

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString("utf8", start, end < 0 ? start + length : Math.min(end, start + length));
}

/** Octal digits, or (GNU, for large values) a binary number marked by its first bit. */
function number(bytes: Buffer, start: number, length: number): number {
  if (((bytes[start] ?? 0) & 0x80) !== 0) return Number(bytes.readBigUInt64BE(start + length - 8));
  return Number.parseInt(text(bytes, start, length).trim() || "0", 8);
}

function sizeOf(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw new ArchiveFailure("an entry has no readable size");
}

function padding(size: number): number {
  return (block - (size % block)) % block;
}
