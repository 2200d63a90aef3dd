import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** What a file must be. `from` says who vouches for it, `signature` who signed that, or that nobody did. */
export interface Integrity {
  algorithm: "sha512" | "sha384" | "sha256";
  /** base64 */
  digest: string;
  from: string;
  signature?: string;
}

const strongestFirst = ["sha512", "sha384", "sha256"] as const;

/** The strongest hash of an `integrity` string such as npm's; undefined when it has none that counts (sha1 does not). */
export function parseIntegrity(text: string, from: string): Integrity | undefined {
  const entries = text.trim().split(/\s+/);
  for (const algorithm of strongestFirst) {
    const entry = entries.find((candidate) => candidate.startsWith(`${algorithm}-`));
    const digest = entry?.slice(algorithm.length + 1).replace(/\?.*$/, "");
    if (digest) return { algorithm, digest, from };
  }
  return undefined;
}

/** A sha256 in hexadecimal, as checksum files and manifests have it; undefined when the text is none. */
export function parseSha256(text: unknown, from: string): Integrity | undefined {
  const [hex] = /^[0-9a-f]{64}(?![0-9a-f])/i.exec(String(text ?? "").trim()) ?? [];
  return hex === undefined
    ? undefined
    : { algorithm: "sha256", digest: Buffer.from(hex, "hex").toString("base64"), from };
}

/** The file is not what its source says it is. */
export class IntegrityFailure extends Error {
  override readonly name = "IntegrityFailure";
}

export async function verifyFile(path: string, { algorithm, digest, from }: Integrity): Promise<void> {
  const found = await hashFile(path, algorithm);
  if (found === digest) return;
  throw new IntegrityFailure(`the download is not what ${from} says: expected ${algorithm} ${digest}, got ${found}`);
}

/** base64 */
export async function hashFile(path: string, algorithm: Integrity["algorithm"]): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("base64");
}
