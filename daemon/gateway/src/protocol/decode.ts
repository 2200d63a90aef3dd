import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

const mostDecoded = 256 * 1024 * 1024;

/** A body without its encoding; undefined for one that is not known here, or is broken. */
export function decode(body: Buffer, encoding = "identity"): Buffer | undefined {
  const limit = { maxOutputLength: mostDecoded };
  try {
    if (encoding === "identity") return body;
    if (encoding === "gzip") return gunzipSync(body, limit);
    if (encoding === "deflate") return inflateSync(body, limit);
    return encoding === "br" ? brotliDecompressSync(body, limit) : undefined;
  } catch {
    // The provider says what is wrong with a body that cannot be decoded.
    return undefined;
  }
}
