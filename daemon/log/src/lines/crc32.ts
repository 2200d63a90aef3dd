let zlib: typeof import("node:zlib") | undefined;

/** Loaded when there is something to sum: 2 MB that no start needs. */
export function crc32(data: string | Buffer, value?: number): number {
  zlib ??= process.getBuiltinModule("node:zlib");
  return zlib.crc32(data, value);
}
