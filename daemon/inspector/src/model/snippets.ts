import { quoteForShell } from "@muster/core";

export interface RequestLine {
  method: string;
  /** With its query, without the endpoint. */
  path: string;
  body?: string;
}

/** A request as a line for a shell. The key is not in it: whoever pastes it has a token of their own. */
export function curlOf(endpoint: string, { method, path, body }: RequestLine): string {
  const parts = ["curl"];
  if (path.includes("/sse") || path.endsWith("/stream")) parts.push("-N");
  parts.push("-H", '"Authorization: Bearer $TOKEN"');
  if (method !== "GET") parts.push("-X", method);
  if (body !== undefined) parts.push("-H", "'content-type: application/json'", "-d", quoteForShell(body));
  return [...parts, quoteForShell(endpoint + path)].join(" ");
}

/** How the events of a session are read from a place on, in each language there is a client for. */
export function readingSnippets(endpoint: string, sessionId: string, sequence: number) {
  const offset = sequence - 1;
  const path = `/sessions/${encodeURIComponent(sessionId)}/events?offset=${offset}&limit=1&raw=true`;
  const fields = `sessionId: ${JSON.stringify(sessionId)}, offset: ${offset}, limit: 1, raw: true`;
  const named = `${JSON.stringify(sessionId)}, offset=${offset}, limit=1, raw=True`;
  return {
    curl: curlOf(endpoint, { method: "GET", path }),
    TypeScript: `import { createClient } from "@muster/client";

const client = createClient({ endpoint: ${JSON.stringify(endpoint)}, token: process.env.TOKEN });
const { events } = await client.sessions.getEvents({ ${fields} });`,
    Python: `import os
import muster

with muster.connect(${JSON.stringify(endpoint)}, os.environ.get("TOKEN")) as daemon:
    page = daemon.client.sessions.get_events(${named})`,
  } as const;
}

/** The body of a request as it may be shown: without keys, without what is hidden, and no attachment whole. */
export function shownBody(body: string, secrets: Iterable<string> = []): string {
  let shown = body.replaceAll(/"token":"(?:[^"\\]|\\.)*"/g, '"token":"…"');
  for (const secret of secrets) shown = shown.replaceAll(JSON.stringify(secret), '"…"');
  return shown.length <= 4_000 ? shown : `${shown.slice(0, 4_000)}…`;
}
