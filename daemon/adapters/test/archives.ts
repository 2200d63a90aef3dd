import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export interface TarEntry {
  name: string;
  content?: string;
  mode?: number;
  /** 0 file, 1 hard link, 2 symbolic link, 5 folder, and whatever else. */
  type?: string;
  linkName?: string;
}

/** A gzipped tar file, also one that nobody should make. */
export function tarGz(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = "", mode = 0o644, type = "0", linkName = "" }) => {
    const header = Buffer.alloc(512);
    const data = Buffer.from(content);
    header.write(name, 0, 100);
    header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
    header.write(`${data.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write(`${"0".repeat(11)}\0`, 136);
    header.write(" ".repeat(8), 148);
    header.write(type, 156);
    header.write(linkName, 157, 100);
    header.write("ustar\x0000", 257, "latin1");
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

export interface ZipEntry {
  name: string;
  content: string;
  /** With the type of the file in its upper bits. */
  mode?: number;
  stored?: boolean;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644, stored = false } of entries) {
    const data = Buffer.from(content);
    const packed = stored ? data : deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([number(0x04034b50), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([number(0x02014b50), Buffer.from([20, 3]), common, rest, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, list, number(0x06054b50), end]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
