import { readFileSync } from "node:fs";

/** One hostile request, byte for byte, and the statuses that are a right answer to it. */
export interface AttackRequest {
  title: string;
  bytes: string;
  right: readonly number[];
}

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  pattern?: string;
}
interface Parameter {
  name: string;
  in: "path" | "query";
  schema: Schema;
}
interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: { "application/json"?: { schema: Schema } } };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** How a request is written; every field has a harmless default. */
interface Draft {
  method: string;
  target: string;
  version?: string;
  headers?: readonly string[];
  host?: readonly string[];
  token?: string | null;
  body?: string;
}

export const attackToken = "right-token";

const document = JSON.parse(
  readFileSync(new URL("../../../schema/generated/openapi.json", import.meta.url), "utf8"),
) as Document;

/** Every operation of the OpenAPI document, asked in every wrong way there is. None of them may change anything. */
export function* attackRequests(sessionId: string, prefixes: readonly string[]): Generator<AttackRequest> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const prefix of prefixes) {
        const target = prefix + fill(path, sessionId);
        const draft: Draft = { method: method.toUpperCase(), target };
        yield* byStrangers(operation, draft);
        yield* malformed(draft);
        yield* badPaths(prefix, path, operation, draft, sessionId);
        yield* badQueries(operation, draft);
        yield* badBodies(operation, draft);
      }
    }
    // 404 where the last part could also be an id of the operation beside it.
    for (const method of ["PUT", "TRACE", "OPTIONS", "PROPFIND", "GET", "POST", "PATCH", "DELETE"]) {
      if (method.toLowerCase() in methods) continue;
      yield { title: "another method", bytes: write({ method, target: fill(path, sessionId) }), right: [404, 405] };
    }
  }
}

function fill(path: string, sessionId: string): string {
  return path
    .replace("{sessionId}", sessionId)
    .replace("{agent}", "mock")
    .replaceAll(/\{\w+\}/g, "nothing_1");
}

function* byStrangers(operation: Operation, draft: Draft): Generator<AttackRequest> {
  const isPublic = operation.security?.length === 0;
  // Whoever may ask is answered; without the body it needs that is a 400.
  const answered = operation.requestBody === undefined ? 200 : 400;
  const tokens = { "no token": null, "a wrong token": "Bearer wrong", "another scheme": "Basic cjpy", "no value": "" };
  for (const [title, token] of Object.entries(tokens)) {
    yield { title, bytes: write({ ...draft, token }), right: [isPublic ? answered : 401] };
  }
  const inUrl = { ...draft, target: `${draft.target}?token=${attackToken}`, token: null };
  yield { title: "the token in the URL", bytes: write(inUrl), right: [isPublic ? answered : 401] };
  for (const host of ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.nip.io", "[::2]", ""]) {
    yield { title: `the host ${host}`, bytes: write({ ...draft, host: [host] }), right: [403] };
  }
  for (const host of ["local host", "localhost:99999", "[::1", "localhost:x", "user@localhost", "a/b", "\\"]) {
    yield { title: `the host ${host}`, bytes: write({ ...draft, host: [host] }), right: [400, 403] };
  }
  yield { title: "no host", bytes: write({ ...draft, host: [] }), right: [400] };
  yield { title: "two hosts", bytes: write({ ...draft, host: ["localhost", "evil.example"] }), right: [400] };
  yield { title: "one host twice", bytes: write({ ...draft, host: ["localhost", "localhost"] }), right: [400] };
  for (const origin of ["https://evil.example", "null", "https://localhost", "http://localhost:1", "file://", "*"]) {
    const headers = [`origin: ${origin}`];
    yield { title: `the origin ${origin}`, bytes: write({ ...draft, headers }), right: [403] };
    yield { title: `the origin ${origin}, no token`, bytes: write({ ...draft, headers, token: null }), right: [403] };
  }
}

function* malformed(draft: Draft): Generator<AttackRequest> {
  const chunked = "transfer-encoding: chunked";
  const wrong: Record<string, [Draft, readonly number[]]> = {
    "an expectation": [{ ...draft, headers: ["expect: a miracle"] }, [417]],
    "headers without end": [{ ...draft, headers: [`x: ${"y".repeat(20_000)}`] }, [431]],
    "many headers": [{ ...draft, headers: Array.from({ length: 2_000 }, (_, at) => `x-${at}: ${at}`) }, [431]],
    "a target without end": [{ ...draft, target: `/${"a".repeat(20_000)}` }, [431]],
    "a version of another protocol": [{ ...draft, version: "HTTP/2.0" }, [505]],
    "a version that is none": [{ ...draft, version: "HTTP/9.9" }, [400, 505]],
    "another protocol": [{ ...draft, version: "SIP/2.0" }, [400]],
    "an old version without a host": [{ ...draft, version: "HTTP/1.0", host: [] }, [400]],
    "a method that is none": [{ ...draft, method: "BREW" }, [400]],
    "a method in small letters": [{ ...draft, method: draft.method.toLowerCase() }, [400]],
    "no slash": [{ ...draft, target: "sessions" }, [400]],
    "a blank in the target": [{ ...draft, target: `${draft.target} x` }, [400]],
    "a tunnel": [{ ...draft, method: "CONNECT", target: "evil.example:443" }, [405]],
    "a foreign absolute target": [{ ...draft, target: `ftp://localhost${draft.target}` }, [400]],
    "a header without a colon": [{ ...draft, headers: ["nonsense"] }, [400]],
    "a header with a control character": [{ ...draft, headers: ["x: a\u0000b"] }, [400]],
    "a blank before the colon": [{ ...draft, headers: ["x : 1"] }, [400]],
    "two lengths": [{ ...draft, headers: ["content-length: 1", "content-length: 2"] }, [400]],
    "a length below zero": [{ ...draft, headers: ["content-length: -1"] }, [400]],
    "length and chunks": [{ ...draft, headers: ["content-length: 1", chunked] }, [400]],
    "chunks of no size": [{ ...draft, headers: [chunked], body: "zz\r\n" }, [400]],
  };
  // Answered before the body is looked at, which is then no longer read.
  const early = draft.method === "POST" || draft.method === "PATCH" ? [] : ["chunks of no size"];
  for (const [title, [made, right]] of Object.entries(wrong)) {
    if (!early.includes(title)) yield { title, bytes: write(made), right };
  }
}

function* badPaths(
  prefix: string,
  path: string,
  { parameters = [] }: Operation,
  draft: Draft,
  sessionId: string,
): Generator<AttackRequest> {
  const ids = ["-x", "a%2Fb", "a%00b", "%ff%fe", "%E0%A4%A", "a%20b", "x".repeat(300), "a%0d%0ab", "__proto__"];
  for (const { name, in: place } of parameters) {
    if (place !== "path") continue;
    for (const id of ids) {
      const target = prefix + fill(path.replace(`{${name}}`, id), sessionId);
      yield { title: `${name} ${id.slice(0, 20)}`, bytes: write({ ...draft, target }), right: [400, 404, 405, 409] };
    }
  }
  const beside = draft.target === "/" || draft.target === "/v1/" ? "/nowhere" : `${draft.target}/nowhere/at/all`;
  yield { title: "a path beside it", bytes: write({ ...draft, target: beside }), right: [404] };
}

function* badQueries({ parameters = [] }: Operation, draft: Draft): Generator<AttackRequest> {
  const withQuery = (query: string) => write({ ...draft, target: `${draft.target}?${query}` });
  // What has no query in the table ignores none either.
  if (parameters.some((one) => one.in === "query")) {
    yield { title: "an unknown option", bytes: withQuery("colour=red"), right: [400] };
  }
  for (const { name, in: place, schema } of parameters) {
    if (place !== "query") continue;
    const type = schema.type ?? "string";
    for (const value of type === "string" ? [] : ["x", "-1.5", "[]", "%00", "9".repeat(40)]) {
      yield { title: `${name}=${value}`, bytes: withQuery(`${name}=${value}`), right: [400] };
    }
  }
}

function* badBodies({ requestBody }: Operation, draft: Draft): Generator<AttackRequest> {
  // Any bytes are right where bytes are taken: files-attacks.test.ts tries what they may do.
  const json = requestBody?.content["application/json"];
  if (json === undefined) return;
  const send = (body: string, type = "content-type: application/json") =>
    write({ ...draft, headers: [type, `content-length: ${Buffer.byteLength(body)}`], body });
  for (const body of ["{", "[]", "null", '"text"', "7", "{}{}", "\u0000", "{'a':1}", '{"a":NaN}']) {
    yield { title: `the body ${body}`, bytes: send(body), right: [400] };
  }
  yield { title: "a deep body", bytes: send(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`), right: [400] };
  yield { title: "an unknown field", bytes: send('{"colour":"red"}'), right: [400] };
  yield { title: "a field of every object", bytes: send('{"__proto__":{"a":1},"constructor":1}'), right: [400] };
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"]) {
    yield { title: `the type ${type}`, bytes: send('{"a":1}', `content-type: ${type}`), right: [415] };
  }
  const endless = { ...draft, headers: ["content-type: application/json", "content-length: 99999999999"] };
  yield { title: "a body without end", bytes: write(endless), right: [413] };
  const { properties = {} } = resolve(json.schema);
  for (const [name, schema] of Object.entries(properties)) {
    for (const value of valuesNotOf(resolve(schema))) {
      const body = JSON.stringify({ [name]: value });
      yield { title: `${name}: ${body.slice(0, 60)}`, bytes: send(body), right: [400] };
    }
  }
}

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

function valuesNotOf({ type }: Schema): unknown[] {
  const all: [string, unknown][] = [
    ["string", "text"],
    ["number", -7.5],
    ["boolean", true],
    ["array", [[]]],
    ["object", { "not a name": { a: 1 } }],
    ["null", null],
  ];
  // A schema without a type (a union, an enum) is not told apart here; null is never one of ours.
  return all
    .filter(([kind]) => (type === undefined ? kind === "null" : kind !== type && !isNumber(kind, type)))
    .map(([, value]) => value);
}

function isNumber(kind: string, type: string): boolean {
  return kind === "number" && type === "integer";
}

function write({ method, target, version = "HTTP/1.1", headers = [], host = ["localhost"], token, body = "" }: Draft) {
  const authorization = token === null ? [] : [`authorization: ${token ?? `Bearer ${attackToken}`}`];
  const lines = [...host.map((name) => `host: ${name}`), ...authorization, "connection: close", ...headers];
  return `${method} ${target} ${version}\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
