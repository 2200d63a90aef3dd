import { Failure } from "@muster/schema/wire";
import { shownPath } from "../inside/path-bytes.ts";
import type { ByteReader } from "./byte-reader.ts";
import { checksumOf, padded, type TarHeader, tarBlock } from "./tar-header.ts";

/** Names and the records of POSIX come as entries of their own; larger ones are no honest archive's. */
const mostExtra = 64 * 1024;

interface Extra {
  name?: Buffer;
  target?: Buffer;
  size?: number;
  mtime?: number;
}

/** The entries of an archive; whoever takes one reads its bytes before it asks for the next. */
export async function* readTar(reader: ByteReader): AsyncGenerator<TarHeader> {
  let extra: Extra = {};
  for (;;) {
    const block = await reader.block(tarBlock);
    if (block === undefined) throw new Failure("archive_refused", "The archive ends without its end");
    if (isZero(block)) return;
    const header = readHeader(block);
    switch (header.type) {
      case "L":
        extra.name = untilZero(await readExtra(reader, header));
        break;
      case "K":
        extra.target = untilZero(await readExtra(reader, header));
        break;
      case "x":
        extra = { ...extra, ...readRecords(await readExtra(reader, header)) };
        break;
      case "g":
        readRecords(await readExtra(reader, header));
        break;
      default: {
        const { name = header.name, target = header.target, size = header.size, mtime = header.mtime } = extra;
        extra = {};
        const isFile = header.type === "0" || header.type === "\0" || header.type === "7";
        // The old way to write a directory.
        const type = isFile && name.at(-1) === 0x2f ? "5" : isFile ? "0" : header.type;
        if (type !== "0" && size !== 0) {
          throw new Failure("archive_refused", `${shownPath(name)} of the type ${type} brings bytes`);
        }
        yield { ...header, name, target, size, mtime, type };
      }
    }
  }
}

function readHeader(block: Buffer): TarHeader {
  if (readNumber(block, 148, 8) !== checksumOf(block)) {
    throw new Failure("archive_refused", "A header of the archive has a wrong checksum");
  }
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? untilZero(block.subarray(345, 500)) : Buffer.alloc(0);
  const own = untilZero(block.subarray(0, 100));
  return {
    name: prefix.length === 0 ? own : Buffer.concat([prefix, Buffer.from("/"), own]),
    mode: readNumber(block, 100, 8),
    size: readNumber(block, 124, 12),
    mtime: readNumber(block, 136, 12),
    type: block.toString("latin1", 156, 157),
    target: untilZero(block.subarray(157, 257)),
  };
}

/** Octal digits, or the bytes of the number behind a mark. */
function readNumber(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0;
  if (first === 0x80) {
    const value = block.readBigUInt64BE(at + length - 8) & (length === 8 ? 0xffffffffffffffn : ~0n);
    if (block.subarray(at + 1, at + length - 8).some((byte) => byte !== 0) || value > Number.MAX_SAFE_INTEGER) {
      throw new Failure("archive_refused", "A number in the archive is too large");
    }
    return Number(value);
  }
  const text = block
    .toString("latin1", at, at + length)
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (text === "") return 0;
  if (!/^[0-7]+$/.test(text)) throw new Failure("archive_refused", "A number in the archive is no number");
  return parseInt(text, 8);
}

async function readExtra(reader: ByteReader, { size }: TarHeader): Promise<Buffer> {
  if (size > mostExtra) throw new Failure("archive_refused", "A name in the archive is longer than any path");
  const body = (await reader.block(size)) ?? Buffer.alloc(0);
  await reader.skip(padded(size) - size);
  return body;
}

/** `<length> <key>=<value>\n`, as bytes. What would change how bytes are to be read is refused, the rest means nothing to us. */
function readRecords(body: Buffer): Extra {
  const extra: Extra = {};
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space < 0 ? Number.NaN : Number(body.toString("latin1", at, space));
    const equals = body.indexOf(0x3d, space);
    const end = at + length;
    if (!Number.isInteger(length) || equals < 0 || equals >= end || end > body.length || body[end - 1] !== 0x0a) {
      throw new Failure("archive_refused", "A record of the archive is broken");
    }
    const key = body.toString("latin1", space + 1, equals);
    const value = body.subarray(equals + 1, end - 1);
    if (key === "path") extra.name = value;
    else if (key === "linkpath") extra.target = value;
    else if (key === "size") extra.size = wholeNumber(value);
    else if (key === "mtime") extra.mtime = Math.floor(Number(value.toString("latin1"))) || 0;
    else if (key.startsWith("GNU.sparse.")) throw sparse();
    at = end;
  }
  return extra;
}

function wholeNumber(value: Buffer): number {
  const text = value.toString("latin1");
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Failure("archive_refused", "A number in the archive is no number");
}

export function sparse(): Failure {
  return new Failure("archive_refused", "The archive has files in GNU's sparse form: make it without --sparse");
}

function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end));
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}
