import { gzipSync } from "node:zlib";

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
