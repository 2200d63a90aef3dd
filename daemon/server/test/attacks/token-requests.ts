/** One request of somebody with a token that may do less, and what is a right answer to it. */
export interface TokenRequest {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const uiMessage = { role: "user", parts: [{ type: "text", text: "echo x" }] };

/** Every way to name a session, in forms other than the plain one. Whoever may not see it learns nothing from any of them. */
export function namingRequests(id: string): TokenRequest[] {
  const encoded = [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  const gets = [
    "",
    "/",
    "?ticket=none",
    "?ticket=",
    "/events",
    "/events?offset=0&limit=1",
    "/events?offset=999999",
    "/events?offset=-1",
    "/events?as=claude",
    "/events?as=nobody",
    "/events?as=__proto__",
    "/events?as=claude&raw=true",
    "/events?raw=true&deltas=false",
    "/events/sse?offset=999999",
    "/events/sse?as=constructor",
    "/events/sse?raw=true",
    "/messages",
    "/requests",
    "/none",
  ].map((rest) => ({ title: `GET ${rest}`, method: "GET", target: `/sessions/${id}${rest}` }));
  const change = { message: "echo x" };
  const more: Omit<TokenRequest, "title">[] = [
    { method: "GET", target: `/sessions/${encoded}` },
    { method: "GET", target: `/v1/sessions/${encoded}/events` },
    { method: "GET", target: `//sessions/${id}` },
    { method: "GET", target: `/sessions/own/../${id}` },
    { method: "GET", target: `/sessions/own%2f..%2f${id}` },
    { method: "GET", target: `/sessions/${id}%00` },
    { method: "GET", target: `/sessions/${id}%20` },
    { method: "GET", target: `/sessions/${id}.json` },
    { method: "GET", target: `/sessions/${id};own` },
    { method: "HEAD", target: `/sessions/${id}` },
    { method: "HEAD", target: `/sessions/${id}/events` },
    { method: "HEAD", target: `/sessions/${id}/events/sse` },
    { method: "GET", target: `/sessions/${id}/events/sse`, headers: { "last-event-id": "1" } },
    { method: "GET", target: `/sessions/${id}/events/sse`, headers: { "last-event-id": "x" } },
    { method: "GET", target: `/events/sse?sessions=${id}` },
    { method: "GET", target: `/events/sse?sessions=own,${id}` },
    { method: "GET", target: `/events/sse?sessions=${id},own` },
    { method: "GET", target: `/events/sse?sessions=own:0,${id}:0` },
    { method: "GET", target: `/events/sse?sessions=${id}:999999` },
    { method: "GET", target: `/events/sse?sessions=${id}:x` },
    { method: "GET", target: `/events/sse?sessions=${id}%00` },
    { method: "GET", target: `/events/sse?sessions=${encoded}`, headers: { "last-event-id": `${id}:0` } },
    { method: "GET", target: `/ui/${id}/stream` },
    { method: "GET", target: `/sessions?after=${id}` },
    { method: "GET", target: `/sessions?after=${id}&order=updated` },
    { method: "GET", target: `/sessions?after=${id}&limit=1&agent=mock` },
    { method: "GET", target: `/sessions?after=own&after=${id}` },
    { method: "POST", target: `/sessions/${id}/messages`, body: change },
    { method: "POST", target: `/sessions/${id}/messages`, body: change, headers: { "idempotency-key": "k" } },
    { method: "POST", target: `/sessions/${id}/messages`, body: change, headers: { "idempotency-key": "k k" } },
    { method: "POST", target: `/sessions/${id}/messages`, body: { message: "" } },
    { method: "POST", target: `/sessions/${id}/messages/stream?raw=true`, body: change },
    { method: "POST", target: `/sessions/${id}/interrupt`, body: {} },
    { method: "POST", target: `/sessions/${id}/terminate`, body: {} },
    { method: "PATCH", target: `/sessions/${id}`, body: { title: "mine" } },
    { method: "PATCH", target: `/sessions/${id}`, body: { sessionId: "own" } },
    { method: "PATCH", target: `/sessions/${id}`, body: { agent: "mock" } },
    { method: "DELETE", target: `/sessions/${id}` },
    { method: "DELETE", target: `/sessions/${id}/messages/m0` },
    { method: "POST", target: `/sessions/${id}/questions/q0/reply`, body: { answers: [["x"]] } },
    { method: "POST", target: `/sessions/${id}/permissions/p0/reply`, body: { reply: "always" } },
    { method: "POST", target: "/ui", body: { id, messages: [uiMessage] } },
    { method: "POST", target: "/ui", body: { id, messages: [uiMessage], trigger: "regenerate-message" } },
    { method: "POST", target: "/ui", body: { id, messages: [] } },
  ];
  return [...gets, ...more.map((one) => ({ title: `${one.method} ${JSON.stringify(one.body ?? "")}`, ...one }))];
}

/** Operations that a token with the scope `read`, for one session, may not use, asked in the ways that get around a check. */
export function* escalations(admin: string): Generator<TokenRequest> {
  const targets = [
    ...[
      "/tokens",
      "/v1/tokens",
      "/%74okens",
      "/tokens/",
      "//tokens",
      "/TOKENS",
      "/tokens%2f",
      "/tokens;a",
      "/tokens%00",
    ],
    ...["/tokens?scope=admin", "/tokens?ticket=x", "/sessions/../tokens", "/sessions/own/../../tokens", "/./tokens"],
    ...["http://localhost/tokens", "http://evil.example/tokens", "/tokens?method=GET", "/metrics", "/credentials"],
    ...[
      "/v1//metrics",
      "/health/../metrics",
      "/openapi.json/../credentials",
      "/inspect/../tokens",
      "/inspect/%2e%2e/tokens",
    ],
    ...["/tickets/redeem/../../tokens", "/health%2f..%2ftokens", "/tokens#/health"],
  ];
  for (const target of targets) {
    yield { title: "read by another path", method: "GET", target };
    yield { title: "make by another path", method: "POST", target, body: { scope: "admin" } };
  }
  const overrides = ["x-http-method-override", "x-http-method", "x-method-override"];
  for (const name of overrides) {
    yield { title: name, method: "GET", target: "/sessions/own/none", headers: { [name]: "DELETE" } };
    yield { title: name, method: "POST", target: "/sessions/own", headers: { [name]: "GET" }, body: { agent: "mock" } };
  }
  for (const name of ["x-original-url", "x-rewrite-url", "x-forwarded-uri", "x-forwarded-prefix"]) {
    yield { title: name, method: "GET", target: "/nowhere", headers: { [name]: "/tokens" } };
  }
  for (const name of [
    "x-forwarded-for",
    "x-forwarded-user",
    "x-scope",
    "x-token-id",
    "x-admin",
    "cookie",
    "proxy-authorization",
  ]) {
    yield { title: name, method: "GET", target: "/tokens", headers: { [name]: `Bearer ${admin}` } };
  }
  for (const body of [
    { use: "page" },
    { use: "page", scope: "admin" },
    { use: "admin" },
    { use: ["page"] },
    { use: "request", scope: "admin" },
    { use: "request", grant: { scope: "admin" } },
    { grant: {} },
    { only: "tokens.list" },
    { tokenId: null },
    { constructor: { prototype: { scope: "admin" } } },
  ]) {
    yield { title: "a ticket for more", method: "POST", target: "/tickets", body };
  }
  yield { title: "install", method: "POST", target: "/agents/claude/install", body: {} };
  yield { title: "uninstall", method: "DELETE", target: "/agents/claude" };
  yield { title: "create", method: "POST", target: "/sessions", body: { agent: "mock" } };
  for (const id of ["own", "another", "%6fwn", "nowhere?reuse=true"]) {
    yield { title: "create", method: "POST", target: `/sessions/${id}`, body: { agent: "mock" } };
  }
}

/** Strings that are shown as a token and are none, made from one that is. */
export function forgedTokens(token: string, hash: string): string[] {
  const [, id = "", secret = ""] = /^mst_([0-9a-f]+)_(.+)$/.exec(token) ?? [];
  const other = secret.startsWith("A") ? "B" : "A";
  return [
    ...[token.slice(0, -1), `${token}A`, token.toUpperCase(), token.slice(4), `MST_${id}_${secret}`, `mst_${id}_`],
    ...[`mst_${id}_${other}${secret.slice(1)}`, `mst_${id.toUpperCase()}_${secret}x`, `mst__${secret}`, `mst_${id}`],
    ...[`mst_000000000000_${secret}`, `mst_${id}_${"A".repeat(43)}`, `mst_${id}_${secret}=`, `${token},${token}`],
    ...[
      `${token} ${token}`,
      `"${token}"`,
      `${token};`,
      `${token}%00`,
      encodeURIComponent(`${token} `),
      id,
      secret,
      hash,
    ],
    ...[`mst_${id}_${hash.slice(0, 43)}`, `mst___proto__00_${secret}`, "null", "undefined", "true", "[object Object]"],
    ...[
      "*",
      "' or 1=1",
      "{}",
      "admin",
      "mst_",
      "_".repeat(60),
      "a".repeat(8_000),
      Buffer.from(token).toString("base64"),
    ],
  ];
}

/** Bodies of a token that nobody should get. */
export const badTokenBodies: readonly unknown[] = [
  ...[{}, { scope: "root" }, { scope: ["admin"] }, { scope: null }, { scope: "ADMIN" }, { scope: "read,admin" }],
  ...[[], [""], ["*"], ["../x"], ["a b"], ["own", null], [["own"]], "own", null, {}, [1], ["x".repeat(200)]].map(
    (sessions) => ({ scope: "read", sessions }),
  ),
  { scope: "read", sessions: Array.from({ length: 1001 }, (_, at) => `s${at}`) },
  ...[[], [""], [null], "mock", null, {}].map((agents) => ({ scope: "read", agents })),
  { scope: "read", agents: Array.from({ length: 101 }, (_, at) => `a${at}`) },
  ...["2020-01-01T00:00:00Z", "tomorrow", "7d", "", 0, 4e12, null, "2999-13-01T00:00:00Z", "2999-02-30T00:00:00Z"].map(
    (expiresAt) => ({ scope: "read", expiresAt }),
  ),
  ...["2999-01-01", "2999-01-01T00:00:00", "+275760-09-13T00:00:00Z", "2999-01-01T00:00:00+99:00"].map((expiresAt) => ({
    scope: "read",
    expiresAt,
  })),
  ...["", "x".repeat(101), null, 7, {}].map((name) => ({ scope: "read", name })),
  ...["tokenId", "hash", "boundTo", "createdAt", "lastUsedAt", "token", "only", "wholeDaemon"].map((field) => ({
    scope: "read",
    [field]: "x",
  })),
];

/** Ids of tokens that are none. */
export const badTokenIds: readonly string[] = [
  ...[
    "__proto__",
    "constructor",
    "toString",
    "%00",
    "..",
    "%2e%2e",
    "*",
    "%ff",
    "a%2fb",
    "x".repeat(5_000),
    "null",
    "0",
  ],
  ...["%20", "'%20or%201=1", "mst_", "000000000000"],
];
