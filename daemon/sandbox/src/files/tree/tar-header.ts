/** The header of one entry of a tar archive, in the form of POSIX with GNU's ways for what does not fit into it. */
export interface TarHeader {
  readonly name: Buffer;
  readonly mode: number;
  readonly size: number;
  /** In seconds. */
  readonly mtime: number;
  readonly type: string;
  readonly target: Buffer;
}

export const tarBlock = 512;
/** A field holds this many bytes of a name. */
const nameField = 100;

/** The blocks of a header; long names go before it in entries of their own, byte for byte. */
export function writeTarHeader(header: TarHeader): Buffer {
  const blocks: Buffer[] = [];
  if (header.name.length > nameField) blocks.push(longName("L", header.name));
  if (header.target.length > nameField) blocks.push(longName("K", header.target));
  return Buffer.concat([...blocks, headerBlock(header)]);
}

function longName(type: string, name: Buffer): Buffer {
  const body = Buffer.alloc(padded(name.length + 1));
  name.copy(body);
  const size = name.length + 1;
  const head = headerBlock({ name: Buffer.from("././@LongLink"), mode: 0o644, size, mtime: 0, type, target: none });
  return Buffer.concat([head, body]);
}

const none = Buffer.alloc(0);

function headerBlock({ name, mode, size, mtime, type, target }: TarHeader): Buffer {
  const block = Buffer.alloc(tarBlock);
  name.copy(block, 0, 0, nameField);
  number(block, mode & 0o7777, { at: 100, length: 8 });
  number(block, 0, { at: 108, length: 8 });
  number(block, 0, { at: 116, length: 8 });
  number(block, size, { at: 124, length: 12 });
  number(block, Math.max(0, mtime), { at: 136, length: 12 });
  block.write(type, 156, "latin1");
  target.copy(block, 157, 0, nameField);
  block.write("ustar  \0", 257, "latin1");
  block.write(`${checksumOf(block).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

interface Field {
  readonly at: number;
  readonly length: number;
}

/** Octal digits, or where there are too many the bytes themselves behind a mark. */
function number(block: Buffer, value: number, { at, length }: Field): void {
  const text = value.toString(8).padStart(length - 1, "0");
  if (text.length < length) return void block.write(`${text}\0`, at, "latin1");
  block.writeBigUInt64BE(BigInt(value), at + length - 8);
  block[at] = 0x80;
}

/** The sum of its bytes, with spaces where the sum stands. */
export function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < tarBlock; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

/** Up to the end of the block. */
export function padded(size: number): number {
  return Math.ceil(size / tarBlock) * tarBlock;
}
