/** A request as bytes: the client of Node would mend most of these before they are sent. */
export interface RawRequest {
  readonly what: string;
  readonly method?: string;
  readonly target?: string;
  /** In place of `Host` with the address of the listener. */
  readonly host?: readonly string[];
  /** `TOKEN` stands for a placeholder that is valid. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Without the header of the key. */
  readonly isWithoutKey?: boolean;
}

const body = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}';
const models = (what: string, target: string): RawRequest => ({ what, method: "GET", target });
const post = (what: string, target: string): RawRequest => ({ what, target, body });

/** Ways to another path of the provider, with its real key. */
const otherPaths: readonly RawRequest[] = [
  ...["/v1/models/../files", "/v1/models/x/../../files", "/v1/models/./../files", "/models/../v1/files"].map((path) =>
    models(`a path above: ${path}`, path),
  ),
  ...["%2e%2e", "%2E%2E", ".%2e", "%2e.", "%252e%252e", "..%2f..", "x%2f..%2f.."].map((dots) =>
    models(`a path above, encoded: ${dots}`, `/v1/models/${dots}/files`),
  ),
  ...[
    "..",
    ".",
    "%2e",
    "x/..",
    "x/.",
    "..?a=b",
    "x/%2e%2e?",
    "..#",
    "x\\..\\..\\files",
    "..\\files",
    "%5c..%5cfiles",
  ].map((end) => models(`an end that leads elsewhere: ${end}`, `/v1/models/${end}`)),
  ...[
    "x%09/..%09/files",
    "%0a..",
    "x%0d%0aX-Evil:1",
    "%00",
    "x%20HTTP/1.1",
    "%7f",
    "%",
    "%zz",
    "%c3%28",
    "%e0%a4%a",
  ].map((end) => models(`letters that are none: ${end}`, `/v1/models/${end}`)),
  ...[
    "//v1/messages",
    "/v1//messages",
    "/v1/messages/",
    "/v1/messages/..",
    "/v1/messages/../files",
    "/v1/messages/%2e%2e/files",
    "/v1/messages%2fbatches",
    "/v1/messages/batches",
    "/v1/messages;a=b",
    "/v1/messages%3f",
    "/v1/messages%00",
    "/v1/messages\\..\\files",
    "/V1/MESSAGES",
    "/v1/Messages",
    "/v1/messages#x",
    "/v1/v1/messages",
    "/v1/../v1/messages",
    "/x/../v1/messages",
    "/v1/files",
    "/v1/organizations/api_keys",
    "/v1/complete",
    "/v1/skills",
    "/login/TOKEN/v1/messages",
    "/login//v1/messages",
    "/login/../v1/messages",
    "/login/%2e%2e/v1/messages",
    "/",
    "*",
    "",
    "?",
    "/v1beta/models/%zz:generateContent",
    "/v1beta/models/x%2f..%2fy:generateContent",
    "/v1beta/models/x\\..\\y:generateContent",
    "/v1beta/models/..:generateContent/..",
    "http://evil.example/v1/messages",
    "http://127.0.0.1/v1/messages",
    "https://api.anthropic.com/v1/messages",
    "//evil.example/v1/messages",
    "@evil.example/v1/messages",
    "/@evil.example/v1/messages",
    "/\\evil.example/v1/messages",
    "file:///etc/passwd",
    "javascript:1",
  ].map((target) => post(`another path: ${target}`, target)),
];

const otherMethods: readonly RawRequest[] = [
  ...["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "PROPFIND", "LOCK", "SEARCH", "GET", "PURGE"],
].map((method) => ({ what: `another method: ${method}`, method, target: "/v1/messages" }));

const otherHosts: readonly RawRequest[] = [
  ...[
    ["evil.example"],
    ["127.0.0.1.evil.example"],
    ["localhost.evil.example"],
    ["localhost."],
    ["127.0.0.1@evil.example"],
    ["evil.example#127.0.0.1"],
    ["evil.example", "127.0.0.1"],
    ["0.0.0.0"],
    ["127.1"],
    ["2130706433"],
    ["0x7f.1"],
    ["[::ffff:127.0.0.1]"],
    ["[::]"],
    ["localhost:99999999"],
    ["localhost:80:80"],
    ["localhost, evil.example"],
    ["127.0.0.1\t.evil"],
    [""],
    [],
    ["api.anthropic.com"],
    ["169.254.169.254"],
  ].map((host) => ({ what: `another host: ${JSON.stringify(host)}`, host, body })),
  {
    what: "a name that was bound to loopback, with all headers of a proxy",
    host: ["rebound.example"],
    headers: ["X-Forwarded-Host: 127.0.0.1", "X-Forwarded-For: 127.0.0.1", "Forwarded: host=localhost"],
    body,
  },
];

const otherKeys: readonly RawRequest[] = [
  ...[
    ["none", []],
    ["an empty one", ["x-api-key:"]],
    ["blanks", ["x-api-key:    "]],
    ["a made-up one", ["x-api-key: sk-ant-msk-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]],
    ["one with a letter more", ["x-api-key: TOKENx"]],
    ["two in one", ["x-api-key: TOKEN,TOKEN"]],
    ["it twice", ["x-api-key: TOKEN", "x-api-key: TOKEN"]],
    ["a made-up one before it", ["x-api-key: made-up", "x-api-key: TOKEN"]],
    ["in the header of another protocol", ["x-goog-api-key: TOKEN"]],
    ["as basic authorization", ["authorization: Basic TOKEN"]],
    ["without a scheme", ["authorization: TOKEN"]],
    ["two bearers", ["authorization: Bearer TOKEN TOKEN"]],
    ["as a cookie", ["cookie: x-api-key=TOKEN"]],
    ["for a proxy", ["proxy-authorization: Bearer TOKEN"]],
    ["under a name with a blank", ["x-api-key : TOKEN"]],
    ["under a name with an underscore", ["x_api_key: TOKEN"]],
    ["folded over two lines", ["x-api-key:\r\n TOKENx"]],
    ["of an object's own making", ["__proto__: TOKEN", "constructor: TOKEN"]],
    ["as its digest", ["x-api-key: DIGEST"]],
    ["with a zero byte", ["x-api-key: TOKEN\0"]],
  ].map(([what, headers]) => ({
    what: `a key: ${what as string}`,
    headers: headers as string[],
    isWithoutKey: true,
    body,
  })),
  ...["?key=TOKEN", "?x-api-key=TOKEN", "?access_token=TOKEN", "?authorization=Bearer%20TOKEN"].map((query) => ({
    what: `a key in the query: ${query}`,
    target: `/v1/messages${query}`,
    isWithoutKey: true,
    body,
  })),
];

const smuggled = "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: TOKEN\r\nContent-Length: 2\r\n\r\n{}";
/** Two readers could see other ends of these. */
const unclearEnds: readonly RawRequest[] = [
  ["two lengths", ["Content-Length: 2", "Content-Length: 3"]],
  ["the same length twice", ["Content-Length: 2", "Content-Length: 2"]],
  ["lengths in one line", ["Content-Length: 2, 3"]],
  ["a length and chunks", ["Content-Length: 2", "Transfer-Encoding: chunked"]],
  ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 2"]],
  ["a negative length", ["Content-Length: -1"]],
  ["a length with a sign", ["Content-Length: +2"]],
  ["a length in hexadecimal", ["Content-Length: 0x2"]],
  ["a length with a blank", ["Content-Length: 2 3"]],
  ["a length beyond all numbers", ["Content-Length: 99999999999999999999999999"]],
  ["chunks that are not the last coding", ["Transfer-Encoding: chunked, identity"]],
  ["chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]],
  ["a coding nobody knows", ["Transfer-Encoding: xchunked"]],
  ["a name with a blank", ["Transfer-Encoding : chunked"]],
  ["a line that begins with a blank", ["X: y", " Transfer-Encoding: chunked"]],
  ["a bare line feed", ["X: y\nTransfer-Encoding: chunked"]],
  ["a bare carriage return", ["X: y\rContent-Length: 5"]],
  ["a colon too few", ["Content-Length 2"]],
].map(([what, headers]) => ({
  what: `an unclear end: ${what as string}`,
  headers: headers as string[],
  body: smuggled,
}));

/** None of these reaches a provider. */
export const refused: readonly RawRequest[] = [
  ...otherPaths,
  ...otherMethods,
  ...otherHosts,
  ...otherKeys,
  ...unclearEnds,
];

/** Headers of an agent that go no further than the gateway, whatever they say. */
export const droppedHeaders: readonly (readonly [name: string, value: string])[] = [
  ["x-http-method-override", "DELETE"],
  ["x-http-method", "DELETE"],
  ["x-method-override", "DELETE"],
  ["x-original-url", "/v1/files"],
  ["x-original-uri", "/v1/files"],
  ["x-rewrite-url", "/v1/files"],
  ["authorization", "Bearer sk-stray"],
  ["x-goog-api-key", "stray"],
  ["proxy-authorization", "Basic eDp5"],
  ["proxy-connection", "keep-alive"],
  ["te", "trailers"],
  ["trailer", "x-late"],
  ["keep-alive", "timeout=1"],
  ["accept-encoding", "gzip"],
];

/** Bodies that name a cheap model to us and, to a reader that is not ours, perhaps another: what is counted as asked for. */
export const modelBodies: readonly (readonly [what: string, body: string, model: string | undefined])[] = [
  ["twice", '{"model":"cheap","model":"dear"}', "dear"],
  ["twice, the second in escapes", '{"model":"cheap","\\u006dodel":"dear"}', "dear"],
  ["twice, the second in escapes throughout", '{"model":"cheap","model":"\\u0064ear"}', "dear"],
  ["before and inside", '{"model":"dear","x":{"model":"cheap"}}', "dear"],
  ["inside of a list", '{"model":"dear","x":[{"model":"cheap"},"model","cheap"]}', "dear"],
  ["after a text with a quote", '{"x":"\\"","model":"dear","y":"\\"model\\":\\"cheap\\""}', "dear"],
  ["after a text with a backslash", '{"x":"\\\\","model":"dear"}', "dear"],
  ["as a value", '{"x":"model","y":"cheap","model":"dear"}', "dear"],
  ["with blanks around", '{ "model" \n:\t "dear" , "x":1}', "dear"],
  ["longer than any name", `{"model":"cheap","model":"${"d".repeat(5000)}"}`, undefined],
  ["longer than any name, with blanks", `{"model":"cheap","model":"dear${" ".repeat(5000)}"}`, undefined],
  ["behind a member with a long name", `{"${"k".repeat(5000)}":"model","model":"dear"}`, "dear"],
  ["as no text", '{"model":["dear"]}', undefined],
  ["in two bytes a letter", Buffer.from('{"model":"dear"}', "utf16le").toString("latin1"), undefined],
  ["under another case", '{"model":"cheap","Model":"dear"}', "cheap"],
];

/** Members by which a request is answered by a model other than the one it names. */
export const otherModels: readonly (readonly [what: string, member: object])[] = [
  ["models", { models: ["gpt-5.2"] }],
  ["route", { route: "fallback", models: ["gpt-5.2"] }],
  ["provider", { provider: { order: ["dear"] } }],
  ["plugins", { plugins: [{ id: "web" }] }],
  ["fallbacks", { fallbacks: [{ model: "gpt-5.2" }] }],
];

/** Where each protocol takes its key, and where it takes a request. */
const doors: readonly (readonly [target: string, header: string])[] = [
  ["/v1/messages", "x-api-key: TOKEN"],
  ["/v1/messages/count_tokens", "x-api-key: TOKEN"],
  ["/v1/responses", "authorization: Bearer TOKEN"],
  ["/v1/responses/compact", "authorization: Bearer TOKEN"],
  ["/v1/chat/completions", "authorization: Bearer TOKEN"],
  ["/v1beta/models/gemini-2.5-pro:generateContent", "x-goog-api-key: TOKEN"],
  ["/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse", "x-goog-api-key: TOKEN"],
];

/** Each wrong host and each wrong key at each door; a placeholder of Anthropic opens no door of another provider. */
export const refusedAtDoors: readonly RawRequest[] = doors.flatMap(([target, header]) => [
  ...otherHosts.map(({ what, host, headers = [] }) => ({
    what: `${what} at ${target}`,
    target,
    host: host ?? [],
    headers: [header, ...headers],
    isWithoutKey: true,
    body,
  })),
  ...otherKeys
    .filter(({ target: other }) => other === undefined)
    .filter(({ headers = [] }) => !headers.includes(header))
    .map(({ what, headers = [] }) => ({ what: `${what} at ${target}`, target, headers, isWithoutKey: true, body })),
  ...(header.startsWith("x-api-key")
    ? []
    : [{ what: `a placeholder of Anthropic at ${target}`, target, headers: [header], isWithoutKey: true, body }]),
]);
