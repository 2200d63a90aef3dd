/** Bytes that are no request, or more than one to somebody; none of them may be taken for a good one. */
export function wireRequests(key: string): [title: string, bytes: string][] {
  const auth = `host: localhost\r\nauthorization: Bearer ${key}\r\nconnection: close`;
  const hidden = `POST /api/v1/api-keys HTTP/1.1\r\n${auth}\r\ncontent-length: 19\r\n\r\n{"name":"smuggled"}`;
  const post = (headers: string, body: string) =>
    `POST /api/v1/agent-runs HTTP/1.1\r\n${auth}\r\n${headers}\r\n\r\n${body}`;
  const codings = [
    ...["chunked", "Chunked", "identity, chunked", "chunked, identity", "xchunked", "gzip", "identity", "chunked;q=1"],
    ...["chunked, chunked", '"chunked"', "chunked\u000b", ""],
  ];
  const lengths = [
    ...["+2", "-1", "0x2", "2,2", "2, 2", "2;", "2.0", "2e0", "٢", "99999999999999999999", "", "two", "2 2", "2\u0000"],
    ...["18446744073709551618", "1_0"],
  ];
  const chunks = [
    ...["-1\r\n{}\r\n0\r\n\r\n", "0x2\r\n{}\r\n0\r\n\r\n", "g\r\n{}\r\n0\r\n\r\n", "\r\n0\r\n\r\n", "2\n{}\n0\n\n"],
    ...["3\r\n{}\r\n0\r\n\r\n", "1\r\n{}\r\n0\r\n\r\n", "fffffffffffffffff\r\n{}\r\n", "2;\u0000\r\n{}\r\n0\r\n\r\n"],
    `2;${"e".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ];
  const lines = [
    ...["x: a\r\n b", "x\t: 1", "\u0000: 1", "x: \u007f", "x: a\rb", ": empty", "(): 1", "x y: 1", "é: 1", "nonsense"],
    ...["content-length : 2", "host: second", `x: ${"y".repeat(20_000)}`, "expect: a miracle"],
  ];
  const starts = [
    ...["GET\t/api/v1/me HTTP/1.1", "GET /api/v1/me HTTP/1.1 x", "GET /api/v1/me http/1.1", "GET /api/v1/me HTTP/11"],
    ...[
      "GET /api/\u0000 HTTP/1.1",
      "GET ?x HTTP/1.1",
      "GET * HTTP/1.1",
      "GET javascript:1 HTTP/1.1",
      "BREW / HTTP/1.1",
    ],
    ...["PRI * HTTP/2.0", "SSH-2.0-OpenSSH_9", "\u0016\u0003\u0001\u0002", "G@T / HTTP/1.1", "get /api/v1/me HTTP/1.1"],
    ...[
      "CONNECT evil.example:443 HTTP/1.1",
      "GET http://[/ HTTP/1.1",
      "TRACE /api/v1/me HTTP/1.1",
      "GET /api/v1/me SIP/2.0",
    ],
    ...[
      "GET //[::1 HTTP/1.1",
      "OPTIONS * HTTP/1.1",
      `GET /${"a".repeat(20_000)} HTTP/1.1`,
      "PUT /api/v1/usage HTTP/1.1",
    ],
  ];
  const hosts = ["", "a b", "a/b", "\\", "localhost:x", "localhost@evil.example", "[::1", "localhost:99999", "é", "?"];
  return [
    ...codings.map((one): [string, string] => [
      `a length and the coding ${one}`,
      post(`content-length: 2\r\ntransfer-encoding: ${one}`, `{}${hidden}`),
    ]),
    ...codings
      .filter((one) => one.toLowerCase() !== "chunked" && one !== "")
      .map((one): [string, string] => [`the coding ${one}`, post(`transfer-encoding: ${one}`, `0\r\n\r\n${hidden}`)]),
    ...lengths.map((one): [string, string] => [`the length ${one}`, post(`content-length: ${one}`, `{}${hidden}`)]),
    ...chunks.map((one): [string, string] => [
      `the chunks ${JSON.stringify(one.slice(0, 20))}`,
      post("transfer-encoding: chunked", one + hidden),
    ]),
    ...lines.map((one): [string, string] => [
      `the line ${JSON.stringify(one.slice(0, 30))}`,
      `GET /api/v1/none HTTP/1.1\r\n${one}\r\n${auth}\r\n\r\n`,
    ]),
    ...starts.map((one): [string, string] => [
      `the request ${JSON.stringify(one.slice(0, 40))}`,
      `${one}\r\n${auth}\r\n\r\n`,
    ]),
    ...hosts.map((one): [string, string] => [
      `the host ${one}`,
      `GET /api/v1/none HTTP/1.1\r\nhost: ${one}\r\nconnection: close\r\n\r\n`,
    ]),
    ["no host", "GET /api/v1/me HTTP/1.1\r\nconnection: close\r\n\r\n"],
  ];
}

/** Headers with which nobody is known, made from a key that somebody has. */
export function forgedKeys(key: string, hash: string): Record<string, string>[] {
  const bearer = [
    ...[key.slice(0, -1), `${key}x`, key.toUpperCase(), key.slice(7), hash, `cb-cli-${key.slice(7)}`, `${key},${key}`],
    ...[`${key} ${key}`, `"${key}"`, `${key}%00`, "null", "' or 1=1 --", Buffer.from(key).toString("base64"), "*"],
  ];
  return [
    ...bearer.map((one) => ({ authorization: `Bearer ${one}` })),
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: `Token ${key}` },
    // `Authorization` counts alone where it is there.
    { authorization: "Bearer x", "x-codebuff-api-key": key },
    { authorization: "", "x-codebuff-api-key": key },
    { cookie: `codebuff=${key}` },
    { "x-api-key": key },
    { "proxy-authorization": `Bearer ${key}` },
  ];
}

/** Texts that are no JSON, or JSON that two readers take in two ways. */
export const oddTexts: readonly (string | Buffer)[] = [
  ...[
    "",
    " ",
    "{",
    "}",
    "[]",
    "null",
    "7",
    '"x"',
    "{}{}",
    "{'a':1}",
    '{"a":NaN}',
    '{"a":1,}',
    "\ufeff{}",
    "{]",
    "[".repeat(5_000),
  ],
  ...[
    `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
    `{"a":${"[".repeat(129)}${"]".repeat(129)}}`,
    '{"a":"\\ud800',
    "// {}",
  ],
  ...[Buffer.from('{"action":"START"}', "utf16le"), Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from([0xff, 0xfe, 0x7b])],
];

/** Fields of a call of a model by which somebody might pay less, or get more, than was held. */
export const moneyFields: readonly object[] = [
  ...[0, -1, 0.5, 1e7, "10", null, true, [], 2 ** 53, -0, 1e308].map((max_tokens) => ({ max_tokens })),
  ...[0, -5, 1e9, "x", {}].map((max_completion_tokens) => ({ max_completion_tokens })),
  ...[0, -1, 17, 1.5, "2", 2 ** 31].map((n) => ({ n, stream: false })),
  ...[0, -1, 17, 1e9, "2", 2.5].map((n) => ({ stream: false, codebuff_metadata: { n } })),
  ...[
    "plugins",
    "models",
    "route",
    "cost",
    "price",
    "credits",
    "billed",
    "preset",
    "service_tier",
    "web_search_options",
  ].map((field) => ({ [field]: 0 })),
  ...["store", "modalities", "audio", "prediction", "extra_body", "extra_headers", "__proto__x", "constructor"].map(
    (field) => ({ [field]: { cost: -1 } }),
  ),
  ...["a/b:online", "a/b:online:free", "@preset/x", "a@b", "", "x".repeat(201), 7, null, []].map((model) => ({
    model,
  })),
  ...[{ api_key: "x" }, { base_url: "http://evil.example" }, { zdr: 1 }].map((provider) => ({ provider })),
  ...[[{ type: "web_search" }], [null], [{}], [{ type: ["function"] }]].map((tools) => ({ tools })),
  ...[[], {}, "x", null, 7].map((messages) => ({ messages })),
  ...["free!", 7, {}, ["free"]].map((cost_mode) => ({ codebuff_metadata: { cost_mode } })),
  { stream: "yes" },
  { stream: 1 },
];
