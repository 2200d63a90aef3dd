import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Endpoint } from "../protocol/endpoints.ts";

export type KeyHeader = "x-api-key" | "authorization" | "x-goog-api-key";

/** A key as a request shows it: in the header of its protocol and nowhere else. */
export interface PresentedKey {
  readonly header: KeyHeader;
  readonly value: string;
}

const headersOf: Readonly<Record<Endpoint["protocol"] | "models", readonly KeyHeader[]>> = {
  messages: ["x-api-key", "authorization"],
  responses: ["authorization"],
  chat: ["authorization"],
  gemini: ["x-goog-api-key"],
  models: ["x-api-key", "authorization", "x-goog-api-key"],
};

export function presentedKey(headers: IncomingHttpHeaders, endpoint: Endpoint): PresentedKey | undefined {
  for (const header of headersOf[endpoint.kind === "models" ? "models" : endpoint.protocol]) {
    const value = headers[header];
    if (typeof value !== "string" || value === "") continue;
    if (header !== "authorization") return { header, value };
    const bearer = /^Bearer +(\S+)$/i.exec(value)?.[1];
    if (bearer !== undefined) return { header, value: bearer };
  }
  return undefined;
}

/** The header in which the provider gets its key: the one in which the placeholder came. */
export function keyHeader(header: KeyHeader, key: string): OutgoingHttpHeaders {
  // A login of Claude is taken only as a bearer token.
  const isBearer = header === "authorization" || key.startsWith("sk-ant-oat");
  return isBearer ? { authorization: `Bearer ${key}` } : { [header]: key };
}
