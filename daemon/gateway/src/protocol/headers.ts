import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";

/** Headers of one connection, not of the message. */
const ofConnection = [
  ...["connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
];
/** Headers of which the gateway writes its own: the key goes only where it belongs, and answers come as they can be read. */
const replaced = [
  "host",
  "content-length",
  "expect",
  "accept-encoding",
  "x-api-key",
  "authorization",
  "x-goog-api-key",
];
/** Headers by which some servers take another path or method than the one that was checked. */
const overriding = [
  ...["x-http-method", "x-http-method-override", "x-method-override"],
  ...["x-original-url", "x-original-uri", "x-rewrite-url"],
];
const notSent = new Set([...ofConnection, ...replaced, ...overriding]);
const notAnswered = new Set(ofConnection);

/** The headers that go to the provider, apart from its key. */
export function headersUp(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = namesOf(headers.connection);
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !notSent.has(name) && !named.has(name)) sent[name] = value;
  }
  sent["accept-encoding"] = "identity";
  return sent;
}

/** The headers of an answer as they came, names and order included, as pairs in one list. */
export function headersDown({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = namesOf(headers.connection);
  const sent: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!notAnswered.has(name.toLowerCase()) && !named.has(name.toLowerCase())) sent.push(name, value);
  }
  return sent;
}

function namesOf(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? "").toLowerCase().split(/\s*,\s*/));
}
