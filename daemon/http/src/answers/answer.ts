import type { ServerResponse } from "node:http";
import type { Problem } from "@muster/schema";

/** What a request is answered with, once. */
export interface Answer {
  status: number;
  type?: string;
  content?: string | Uint8Array;
  headers?: Readonly<Record<string, string>> | undefined;
}

export function send(response: ServerResponse, { status, type, content, headers }: Answer, further = {}): void {
  const about = content === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(content) };
  response.writeHead(status, { ...about, ...headers, ...further });
  response.end(content);
}

export function problemAnswer(problem: Problem, own: Record<string, string> = {}): Answer {
  // RFC 9110 wants a 401 to say how one is let in.
  const headers = problem.status === 401 ? { ...own, "www-authenticate": "Bearer" } : own;
  return { status: problem.status, type: "application/problem+json", content: JSON.stringify(problem), headers };
}
