import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { ArchiveFailure, Extraction, type ExtractionLimits } from "./extraction.ts";

interface Entry {
  name: string;
  method: number;
  flags: number;
  crc: number;
  compressedSize: number;
  size: number;
  mode: number;
  headerAt: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const endLength = 22;
const longestComment = 0xffff;

/** Extracts a zip file below a folder. Its directory is the truth: what it does not list is not there. */
export async function extractZip(archive: string, folder: string, limits?: ExtractionLimits): Promise<void> {
  const extraction = new Extraction(folder, limits);
  const file = await open(archive, "r");
  try {
    for (const entry of await readDirectory(file)) await extractEntry(archive, file, entry, extraction);
    await extraction.finish();
  } finally {
    await file.close();
  }
}

async function extractEntry(archive: string, file: FileHandle, entry: Entry, extraction: Extraction): Promise<void> {
  const { name, mode, flags, method } = entry;
  if ((flags & 1) !== 0) throw new ArchiveFailure(`the entry ${name} is encrypted`);
  if (method !== 0 && method !== 8)
    throw new ArchiveFailure(`the entry ${name} is packed in an unknown way (${method})`);
  if (name.endsWith("/")) return await extraction.folder(name);
  const content = contentOf(archive, entry, await dataStart(file, entry));
  const type = mode & 0o170000;
  if (type === 0o120000) {
    if (entry.size > 4096) throw new ArchiveFailure(`the link ${name} is too long`);
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return extraction.symlink(name, Buffer.concat(chunks).toString());
  }
  if (type !== 0 && type !== 0o100000) throw new ArchiveFailure(`the entry ${name} is neither file, folder nor link`);
  await extraction.file(name, type === 0 ? 0o644 : mode & 0o777, content);
}

async function* contentOf(archive: string, entry: Entry, start: number): AsyncGenerator<Buffer> {
  if (entry.size === 0) return;
  const stored = createReadStream(archive, { start, end: start + entry.compressedSize - 1 });
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  stored.on("error", (error) => inflate.destroy(error));
  const unpacked = entry.method === 0 ? stored : stored.pipe(inflate);
  let size = 0;
  let crc = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      size += chunk.length;
      crc = crc32(chunk, crc);
      if (size > entry.size) break;
      yield chunk;
    }
  } finally {
    stored.destroy();
    inflate.destroy();
  }
  if (size !== entry.size || crc !== entry.crc) throw new ArchiveFailure(`the entry ${entry.name} is damaged`);
}

/** The local header repeats the name and may have other extra fields than the directory. */
async function dataStart(file: FileHandle, { headerAt, name }: Entry): Promise<number> {
  const header = await readAt(file, headerAt, 30);
  if (header.readUInt32LE(0) !== fileSignature) throw new ArchiveFailure(`the entry ${name} is not where it should be`);
  return headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

async function readDirectory(file: FileHandle): Promise<Entry[]> {
  const { size } = await file.stat();
  const tail = await readAt(
    file,
    Math.max(0, size - endLength - longestComment),
    Math.min(size, endLength + longestComment),
  );
  let end = tail.length - endLength;
  while (end >= 0 && tail.readUInt32LE(end) !== endSignature) end--;
  if (end < 0) throw new ArchiveFailure("it is no zip file, or its end is missing");
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff) throw new ArchiveFailure("zip files above 4 GiB are not supported");
  const bytes = await readAt(file, start, length);
  const entries: Entry[] = [];
  for (let at = 0, n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) {
      throw new ArchiveFailure("the directory of the zip file is damaged");
    }
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    entries.push({
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      compressedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      mode: bytes.readUInt32LE(at + 38) >>> 16,
      headerAt: bytes.readUInt32LE(at + 42),
      name: bytes.toString("utf8", at + 46, nameEnd),
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new ArchiveFailure("the zip file ends in the middle");
  return buffer;
}
