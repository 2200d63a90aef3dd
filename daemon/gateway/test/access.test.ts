import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, jsonPieces, type Kit, startKit } from "./kit.ts";
import { messagesStream, protocols, startUpstream, type Upstream } from "./upstream.ts";

let kit: Kit;
let provider: Upstream;
let other: Upstream;
beforeEach(async () => {
  const answer: Parameters<typeof startUpstream>[0] = (_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(messagesStream());
  provider = await startUpstream(answer);
  other = await startUpstream(answer);
  kit = await startKit();
  kit.sessions.add("s1");
  kit.sessions.add("s2");
});
afterEach(async () => {
  await kit.close();
  await provider.close();
  await other.close();
});

const real = "sk-ant-real-0123456789";
const own = () => ({ baseUrl: provider.url, token: real });
const pieces = jsonPieces(protocols.messages.body);
const errorOf = (body: Buffer) => JSON.parse(String(body)).error;

describe("A placeholder", () => {
  it.each([
    ["anthropic", /^sk-ant-msk-[\w-]{32}$/],
    ["openai", /^sk-msk-[\w-]{32}$/],
    ["openrouter", /^sk-or-msk-[\w-]{32}$/],
    ["gemini", /^AIza[\w-]{35}$/],
    ["constructor", /^sk-msk-[\w-]{32}$/],
  ])("for %s has the shape its clients accept", (name, shape) => {
    expect(kit.access({ provider: name, own: own() }).token).toMatch(shape);
  });

  it("is the same for the same holder and provider until each use was released, and another one for anybody else", () => {
    const first = kit.access({ own: own() });
    const again = kit.access({ own: own() });
    const others = [
      kit.access({ holder: { sessionId: "s2" }, own: own() }),
      kit.access({ provider: "openai", own: own() }),
      kit.access({ holder: { server: "s1" }, own: own() }),
    ];
    expect(again.token).toBe(first.token);
    expect(new Set([first, ...others].map(({ token }) => token)).size).toBe(4);
    first.release();
    first.release();
    expect(kit.access({ own: own() }).token).toBe(first.token);
  });

  it("is dead after its release", async () => {
    const { baseUrl, token, release } = kit.access({ own: own() });
    expect((await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token }, pieces })).status).toBe(200);
    release();
    const answer = await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token }, pieces });
    expect([answer.status, errorOf(answer.body)]).toEqual([
      401,
      { type: "authentication_error", message: expect.stringContaining("opens nothing here") },
    ]);
    expect(provider.seen).toHaveLength(1);
  });

  it("keeps working with the new key of its session", async () => {
    const { baseUrl, token } = kit.access({ own: own() });
    kit.access({ own: { baseUrl: other.url, token: "sk-second" } });
    await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token }, pieces });
    expect([provider.seen.length, other.seen[0]?.headers["x-api-key"]]).toEqual([0, "sk-second"]);
  });

  it("names its session whatever the headers say", async () => {
    kit.sessions.nativeIds.set("claude native-2", "s2");
    const { baseUrl, token } = kit.access({ own: own() });
    const headers = {
      "x-api-key": token,
      "x-claude-code-session-id": "native-2",
      "x-claude-code-agent-id": "explorer",
    };
    await ask(`${baseUrl}/v1/messages`, { headers, pieces });
    expect(kit.sessions.of("began")).toMatchObject([{ sessionId: "s1", value: { subAgent: "explorer" } }]);
  });

  it("of one session opens nothing for an agent that names another, and the log is told once a minute", async () => {
    kit.sessions.nativeIds.set("claude native-1", "s1");
    kit.sessions.nativeIds.set("claude native-2", "s2");
    kit.sessions.nativeIds.set("codex native-3", "s2");
    const { baseUrl, token } = kit.access({ own: own() });
    const askAs = (nativeId: string) => {
      const headers = { "x-api-key": token, "x-claude-code-session-id": nativeId };
      return ask(`${baseUrl}/v1/messages?note=${token}`, { headers, pieces });
    };
    for (const nativeId of ["native-2", "native-2"]) {
      const { status, body } = await askAs(nativeId);
      expect([status, errorOf(body)]).toEqual([
        401,
        { type: "authentication_error", message: "This key is of another session than s2, which the request names" },
      ]);
    }
    expect([provider.seen, kit.sessions.told]).toEqual([[], []]);
    expect(kit.logged).toEqual([
      'warn a request to the gateway was refused: This key is of another session than s2, which the request names {"path":"/v1/messages"}',
    ]);
    // Its own, one that nobody has said yet, and one of another agent.
    for (const nativeId of ["native-1", "native-new", "native-3"]) expect((await askAs(nativeId)).status).toBe(200);
    expect(kit.sessions.of("began").map(({ sessionId }) => sessionId)).toEqual(["s1", "s1", "s1"]);
  });

  it("identity is of upstream, key and route, and never of the placeholder", () => {
    const base = { own: own() };
    const one = kit.access({ ...base, holder: { sessionId: "s1" } }).identity;
    expect(kit.access({ ...base, holder: { sessionId: "s2" } }).identity).toBe(one);
    expect(kit.access({ own: { ...own(), token: "sk-other" } }).identity).not.toBe(one);
    expect(kit.access({ own: { ...own(), baseUrl: other.url } }).identity).not.toBe(one);
    expect(one).not.toContain(real);
  });
});

describe("Misuse is refused with words and reaches no provider:", () => {
  type Misuse = [what: string, ask: (token: string) => Parameters<typeof ask>, status: number, words: string];
  const url = () => kit.gateway.url;
  it.each<Misuse>([
    [
      "a made-up key",
      () => [`${url()}/v1/messages`, { headers: { "x-api-key": "sk-ant-msk-made-up" }, pieces }],
      401,
      "opens nothing",
    ],
    ["no key at all", () => [`${url()}/v1/messages`, { pieces }], 401, "no key"],
    ["the real key", () => [`${url()}/v1/messages`, { headers: { "x-api-key": real }, pieces }], 401, "opens nothing"],
    [
      "a path that is not listed",
      (token) => [`${url()}/v1/files`, { headers: { "x-api-key": token }, pieces }],
      404,
      "/v1/files",
    ],
    [
      "another method",
      (token) => [`${url()}/v1/messages`, { method: "DELETE", headers: { "x-api-key": token } }],
      404,
      "DELETE",
    ],
    [
      "a path above",
      (token) => [`${url()}/v1/messages/../files`, { headers: { "x-api-key": token }, pieces }],
      404,
      "forward",
    ],
    [
      "another provider's path",
      (token) => [`${url()}/v1/responses`, { headers: { authorization: `Bearer ${token}` }, pieces }],
      404,
      "anthropic",
    ],
    [
      "the key in another header",
      (token) => [`${url()}/v1/messages`, { headers: { "x-goog-api-key": token }, pieces }],
      401,
      "no key",
    ],
    ["the key in the query", (token) => [`${url()}/v1/messages?key=${token}`, { pieces }], 401, "no key"],
    [
      "the key in the path of a login",
      (token) => [`${url()}/login/${token}/v1/messages`, { pieces }],
      401,
      "opens nothing",
    ],
    [
      "another host",
      (token) => [`${url()}/v1/messages`, { headers: { host: "evil.example", "x-api-key": token }, pieces }],
      403,
      "loopback",
    ],
    [
      "an absolute address",
      (token) => [`${url()}/http://evil.example/v1/messages`, { headers: { "x-api-key": token }, pieces }],
      404,
      "forward",
    ],
  ])("%s", async (_, asked, status, words) => {
    const { token } = kit.access({ own: own() });
    const answer = await ask(...asked(token));
    expect([answer.status, String(answer.body)]).toEqual([status, expect.stringContaining(words)]);
    expect(String(answer.body)).not.toContain(token);
    expect([provider.seen, other.seen, kit.sessions.told]).toEqual([[], [], []]);
  });

  it("a session that is deleted", async () => {
    const { baseUrl, token } = kit.access({ own: own() });
    kit.sessions.accounts.delete("s1");
    const answer = await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token }, pieces });
    expect([answer.status, errorOf(answer.body).message]).toEqual([401, "The session s1 of this key is gone"]);
    expect(provider.seen).toEqual([]);
  });
});

it("A placeholder in the body, the query or another header is never replaced", async () => {
  const { baseUrl, token } = kit.access({ own: own() });
  const body = { ...protocols.messages.body, metadata: { key: token } };
  const headers = { "x-api-key": token, "x-note": token };
  await ask(`${baseUrl}/v1/messages?note=${token}`, { headers, pieces: jsonPieces(body) });
  const [seen] = provider.seen;
  expect(seen?.headers).toMatchObject({ "x-api-key": real, "x-note": token });
  expect([seen?.url, String(seen?.body)]).toEqual([`/v1/messages?note=${token}`, JSON.stringify(body)]);
});

it("Two keys in one request: the placeholder's header gets the real one, the other is dropped", async () => {
  const { baseUrl, token } = kit.access({ own: own() });
  await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token, authorization: "Bearer sk-stray" }, pieces });
  expect(provider.seen[0]?.headers["x-api-key"]).toBe(real);
  expect(provider.seen[0]?.headers.authorization).toBeUndefined();
});

it("With a session's own address a key that was found is never sent", async () => {
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url }, found: { token: "sk-found-secret" } });
  await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token }, pieces });
  expect(JSON.stringify(provider.seen[0]?.headers)).not.toMatch(/sk-found-secret|msk/);
});

it("A login of the agent passes in its own header, metered for its session", async () => {
  kit.sessions.add("s1");
  const access = kit.access({ own: {}, found: { isAgentsLogin: true, baseUrl: provider.url } });
  expect([access.keys, access.baseUrl]).toEqual(["agent", `${kit.gateway.url}/login/${access.token}`]);
  const headers = { authorization: "Bearer sk-ant-oat01-login" };
  const answer = await ask(`${access.baseUrl}/v1/messages?beta=true`, { headers, pieces });
  expect(answer.status).toBe(200);
  expect(provider.seen[0]).toMatchObject({ url: "/v1/messages?beta=true", headers });
  expect(kit.sessions.settlements()).toMatchObject([{ spent: { inputTokens: 1000 } }]);
});

describe("A placeholder that is shared by a server", () => {
  const shared = () => kit.access({ agent: "opencode", holder: { server: "srv" }, own: own() });
  const sent = async (headers: Record<string, string>) => {
    const { baseUrl, token } = shared();
    return ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token, ...headers }, pieces });
  };
  beforeEach(() => {
    kit.sessions.nativeIds.set("opencode ses_1", "s1");
    kit.sessions.nativeIds.set("opencode ses_2", "s2");
    kit.sessions.nativeIds.set("codex ses_9", "s2");
  });

  it.each([
    ["x-claude-code-session-id", "ses_1", "s1"],
    ["session-id", "ses_2", "s2"],
    ["x-session-id", "ses_1", "s1"],
  ])("is told apart by %s", async (header, nativeId, sessionId) => {
    expect((await sent({ [header]: nativeId })).status).toBe(200);
    expect(kit.sessions.of("began")).toMatchObject([{ sessionId }]);
  });

  it("finds the session of a child by its parent, and of a grandchild by what it has seen", async () => {
    await sent({ "x-session-id": "ses_child", "x-parent-session-id": "ses_2" });
    await sent({ "x-session-id": "ses_grandchild", "x-parent-session-id": "ses_child" });
    await sent({ "x-session-id": "ses_grandchild" });
    expect(kit.sessions.of("began")).toMatchObject([
      { sessionId: "s2", value: { subAgent: "ses_child" } },
      { sessionId: "s2", value: { subAgent: "ses_grandchild" } },
      { sessionId: "s2" },
    ]);
  });

  it.each([
    ["no header", {}],
    ["a session nobody knows", { "x-session-id": "ses_x" }],
    ["a session of another agent", { "x-session-id": "ses_9" }],
    ["a child of nobody", { "x-session-id": "ses_x", "x-parent-session-id": "ses_y" }],
    ["a child of itself", { "x-session-id": "ses_x", "x-parent-session-id": "ses_x" }],
  ])("is refused with words for %s", async (_, headers) => {
    const answer = await sent(headers as Record<string, string>);
    expect([answer.status, errorOf(answer.body).message]).toEqual([400, expect.stringContaining("names a session")]);
    expect(provider.seen).toEqual([]);
  });

  it("is not asked for ever by two who are each other's parents", async () => {
    await sent({ "x-session-id": "a", "x-parent-session-id": "b" });
    expect((await sent({ "x-session-id": "b", "x-parent-session-id": "a" })).status).toBe(400);
  });
});
