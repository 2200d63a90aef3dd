import { randomBytes } from "node:crypto";

/**
 * A UUID that begins with its time (version 7). What is asked at about the same time then lies together in every index by
 * request, so that a commit writes a few pages instead of one for each row.
 */
export function newRequestId(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  const random = randomBytes(10);
  random[0] = 0x70 | ((random[0] ?? 0) & 0x0f);
  random[2] = 0x80 | ((random[2] ?? 0) & 0x3f);
  const rest = random.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}
