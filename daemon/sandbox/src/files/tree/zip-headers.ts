/** The parts of a zip archive of any size: every number of bytes stands in the 64-bit form too. */
export interface ZipEntry {
  readonly name: Buffer;
  /** Of Unix: type and permissions. */
  readonly mode: number;
  readonly modified: Date;
  readonly isDeflated: boolean;
}

export interface ZipSizes {
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
}

const version = 45;
const madeOnUnix = (3 << 8) | version;
const most32 = 0xffffffff;
const most16 = 0xffff;

/** Sizes and sum stand behind the bytes (bit 3); the name is UTF-8 where it can be (bit 11). */
function flagsOf({ name }: ZipEntry): number {
  return 0x8 | (Buffer.from(name.toString("utf8")).equals(name) ? 0x800 : 0);
}

export function localHeader(entry: ZipEntry): Buffer {
  const extra = wide([0, 0]);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(version, 4);
  writeShared(head, entry, 6);
  head.writeUInt32LE(most32, 18);
  head.writeUInt32LE(most32, 22);
  head.writeUInt16LE(entry.name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, entry.name, extra]);
}

export function dataDescriptor({ crc, size, packed }: ZipSizes): Buffer {
  const block = Buffer.alloc(24);
  block.writeUInt32LE(0x08074b50, 0);
  block.writeUInt32LE(crc, 4);
  block.writeBigUInt64LE(BigInt(packed), 8);
  block.writeBigUInt64LE(BigInt(size), 16);
  return block;
}

export function centralHeader(entry: ZipEntry, { crc, size, packed }: ZipSizes, offset: number): Buffer {
  const extra = wide([size, packed, offset]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(madeOnUnix, 4);
  head.writeUInt16LE(version, 6);
  writeShared(head, entry, 8);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(most32, 20);
  head.writeUInt32LE(most32, 24);
  head.writeUInt16LE(entry.name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE((entry.mode << 16) >>> 0, 38);
  head.writeUInt32LE(most32, 42);
  return Buffer.concat([head, entry.name, extra]);
}

export function endOfDirectory({ entries, size, offset }: { entries: number; size: number; offset: number }): Buffer {
  const block = Buffer.alloc(56 + 20 + 22);
  block.writeUInt32LE(0x06064b50, 0);
  block.writeBigUInt64LE(44n, 4);
  block.writeUInt16LE(madeOnUnix, 12);
  block.writeUInt16LE(version, 14);
  block.writeBigUInt64LE(BigInt(entries), 24);
  block.writeBigUInt64LE(BigInt(entries), 32);
  block.writeBigUInt64LE(BigInt(size), 40);
  block.writeBigUInt64LE(BigInt(offset), 48);
  block.writeUInt32LE(0x07064b50, 56);
  block.writeBigUInt64LE(BigInt(offset + size), 64);
  block.writeUInt32LE(1, 72);
  block.writeUInt32LE(0x06054b50, 76);
  block.writeUInt16LE(most16, 84);
  block.writeUInt16LE(most16, 86);
  block.writeUInt32LE(most32, 88);
  block.writeUInt32LE(most32, 92);
  return block;
}

/** Flags, way of packing, time and date. */
function writeShared(head: Buffer, entry: ZipEntry, at: number): void {
  const time = entry.modified;
  const year = Math.max(1980, Math.min(2107, time.getUTCFullYear()));
  head.writeUInt16LE(flagsOf(entry), at);
  head.writeUInt16LE(entry.isDeflated ? 8 : 0, at + 2);
  head.writeUInt16LE((time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1), at + 4);
  head.writeUInt16LE(((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(), at + 6);
}

/** The field with the numbers that 32 bits may not hold. */
function wide(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return field;
}
