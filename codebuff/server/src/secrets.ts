import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits; long enough that a plain hash at rest cannot be turned around. */
export function newSecret(prefix = ""): string {
  return `${prefix}${randomBytes(32).toString("base64url")}`;
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Equal texts, in a time that does not tell where they differ. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(one)), Buffer.from(hashSecret(other)));
}
