import { type Answered, Conversation } from "@muster/conformance";
import { type Problem, problems } from "@muster/schema";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { rawRequest } from "../raw-http.ts";

const json = { "content-type": "application/json" };
let home: DaemonHome;
let daemon: DaemonProcess;
let talk: Conversation;

beforeAll(async () => {
  home = await DaemonHome.make({ args: ["--token", "right-token", "--cors-origin", "https://good.example"] });
  daemon = await home.start();
  daemon.useToken("right-token");
  talk = await Conversation.open(daemon.api);
  await talk.say("echo hello");
});
afterAll(async () => {
  await home.remove();
});

/** Everything a wrong request could have changed. */
let before: unknown;
const everything = async () => [
  await daemon.api.get("/sessions"),
  await daemon.api.log(talk.sessionId),
  await daemon.api.get(`${talk.path}/requests`),
];
beforeEach(async () => {
  before = await everything();
});

async function isProblem(answer: Answered<Problem>, status: number, code: keyof typeof problems): Promise<void> {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.body).toMatchObject({
    type: expect.stringContaining(code),
    title: problems[code][1],
    status,
    detail: expect.stringMatching(/\S/),
  });
  expect(await everything()).toEqual(before);
}

/** A request with a body as it is. */
async function send(method: string, path: string, body: string, headers: Record<string, string> = json) {
  const response = await fetch(`${daemon.api.baseUrl}${path}`, {
    method,
    body,
    headers: { authorization: "Bearer right-token", ...headers },
  });
  const answer: Answered<Problem> = {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Problem,
  };
  return answer;
}

describe("a body that is wrong", () => {
  let attempt = 0;
  it.each([
    ["malformed JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["a string", '"agent"'],
    ["a number", "7"],
    ["no agent", "{}"],
    ["a wrong type", '{"agent":7}'],
    ["an unknown field", '{"agent":"mock","colour":"red"}'],
    ["an unknown field of a field", '{"agent":"mock","limits":{"turnIdelMs":5}}'],
    ["a limit below zero", '{"agent":"mock","limits":{"turnIdleMs":-1}}'],
    ["a limit that is no number", '{"agent":"mock","limits":{"turnIdleMs":"1"}}'],
    ["a limit beyond everything", '{"agent":"mock","limits":{"turnMs":1e300}}'],
    ["an unknown permission mode", '{"agent":"mock","permissionMode":"yolo"}'],
    ["a variable that is none", '{"agent":"mock","env":{"1=2":"x"}}'],
    ["a directory that does not exist", '{"agent":"mock","directory":"/does/not/exist"}'],
    ["a relative directory", '{"agent":"mock","directory":"src"}'],
    ["a base URL that is none", '{"agent":"mock","baseUrl":"file:///etc/passwd"}'],
    ["a key of the prototype", '{"agent":"mock","__proto__":{"polluted":true}}'],
    ["deep JSON", `{"agent":"mock","agentOptions":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`],
    ["very deep JSON", "[".repeat(100_000)],
  ])("create with %s is invalid_request", async (_, body) => {
    const path = `/sessions/never-${++attempt}`;
    await isProblem(await send("POST", path, body), 400, "invalid_request");
    expect((await daemon.api.request("GET", path)).status).toBe(404);
  });

  it.each([
    ["no message", "{}"],
    ["an empty message", '{"message":""}'],
    ["a message that is a number", '{"message":1}'],
    ["an unknown delivery", '{"message":"x","delivery":"pigeon"}'],
    ["a wrong id", '{"message":"x","messageId":"../../etc"}'],
    ["an id that is too long", `{"message":"x","messageId":"${"m".repeat(200)}"}`],
    ["attachments that are no array", '{"message":"x","attachments":{}}'],
    ["an attachment that is no base64", '{"message":"x","attachments":[{"mime":"a/b","data":"%%%"}]}'],
    ["a message longer than an event", JSON.stringify({ message: "x".repeat(950 * 1024) })],
  ])("a message with %s is invalid_request", async (_, body) => {
    await isProblem(await send("POST", `${talk.path}/messages`, body), 400, "invalid_request");
  });

  it("an Idempotency-Key that cannot be a message id is invalid_request", async () => {
    for (const key of ["not a plain id!", "../../outside", "m".repeat(200)]) {
      const headers = { ...json, "idempotency-key": key };
      const answer = await send("POST", `${talk.path}/messages`, '{"message":"x"}', headers);
      await isProblem(answer, 400, "invalid_request");
    }
  });

  it.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["nothing", { "content-type": "" }],
  ])("a content type of %s is unsupported_media_type", async (_, headers) => {
    const answer = await send("POST", "/sessions/never", '{"agent":"mock"}', headers as Record<string, string>);
    await isProblem(answer, 415, "unsupported_media_type");
  });

  it("a body above the limit is body_too_large, with its length or without", async () => {
    const large = "x".repeat(33 * 1024 * 1024);
    const head = `POST /sessions/never HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer right-token\r\ncontent-type: application/json\r\n`;
    const known = await rawRequest(daemon.api.baseUrl, `${head}content-length: ${large.length}\r\n\r\n${large}`);
    expect(known.status).toBe(413);
    expect(JSON.parse(known.body)).toMatchObject({ code: "body_too_large", status: 413 });
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const unknown = await rawRequest(daemon.api.baseUrl, `${head}transfer-encoding: chunked\r\n\r\n${chunk}`);
    expect(unknown.status).toBe(413);
    expect(JSON.parse(unknown.body)).toMatchObject({ code: "body_too_large", status: 413 });
    expect(await everything()).toEqual(before);
  });
});

describe("something that does not exist", () => {
  const api = () => daemon.api;
  it.each([
    ["GET", "/sessions/nobody", undefined, 404, "session_not_found"],
    ["PATCH", "/sessions/nobody", { title: "x" }, 404, "session_not_found"],
    ["DELETE", "/sessions/nobody", undefined, 404, "session_not_found"],
    ["POST", "/sessions/nobody/messages", { message: "x" }, 404, "session_not_found"],
    ["POST", "/sessions/nobody/messages/stream", { message: "x" }, 404, "session_not_found"],
    ["GET", "/sessions/nobody/messages", undefined, 404, "session_not_found"],
    ["GET", "/sessions/nobody/events", undefined, 404, "session_not_found"],
    ["GET", "/sessions/nobody/events/sse", undefined, 404, "session_not_found"],
    ["GET", "/sessions/nobody/requests", undefined, 404, "session_not_found"],
    ["POST", "/sessions/nobody/interrupt", {}, 404, "session_not_found"],
    ["POST", "/sessions/nobody/terminate", {}, 404, "session_not_found"],
    ["GET", "/sessions/constructor", undefined, 404, "session_not_found"],
    ["POST", "/sessions/x", { agent: "nobody" }, 400, "unsupported_agent"],
    ["POST", "/sessions/x", { agent: "constructor" }, 400, "unsupported_agent"],
    ["POST", "/sessions/x", { agent: "mock", model: "gpt-0" }, 400, "unsupported_option"],
    ["POST", "/sessions/x", { agent: "mock", agentOptions: { wings: 2 } }, 400, "unsupported_option"],
    ["POST", "/sessions/x", { agent: "mock", agentVersion: "0.0.0-none" }, 400, "unsupported_option"],
    ["GET", "/agents/nobody", undefined, 400, "unsupported_agent"],
    ["GET", "/agents/toString", undefined, 400, "unsupported_agent"],
    ["GET", "/agents/nobody/models", undefined, 400, "unsupported_agent"],
    ["POST", "/agents/nobody/install", {}, 400, "unsupported_agent"],
    ["POST", "/agents/mock/install", { version: "99.0.0" }, 422, "unsupported_agent_version"],
    ["GET", "/nowhere", undefined, 404, "not_found"],
    ["GET", "/v1/nowhere", undefined, 404, "not_found"],
    ["GET", "/v2/health", undefined, 404, "not_found"],
    ["GET", "/sessions/a/b/c/d", undefined, 404, "not_found"],
    ["POST", "/health", {}, 405, "method_not_allowed"],
    ["PUT", "/sessions/x", {}, 405, "method_not_allowed"],
    ["DELETE", "/sessions", undefined, 405, "method_not_allowed"],
    ["PATCH", "/v1/agents", {}, 405, "method_not_allowed"],
    ["GET", "/tickets", undefined, 405, "method_not_allowed"],
  ] as const)("%s %s %j is %i %s", async (method, path, body, status, code) => {
    await isProblem(await api().request(method, path, body), status, code);
  });

  it.each([
    ["POST", "questions/toString/reply", { answers: [] }, 404, "request_not_found"],
    ["POST", "questions/question_0/reply", { answers: [] }, 404, "request_not_found"],
    ["POST", "permissions/permission_1/reply", { reply: "once" }, 404, "request_not_found"],
    ["POST", "permissions/constructor/reply", { reply: "once" }, 404, "request_not_found"],
    ["DELETE", "messages/valueOf", undefined, 404, "message_not_found"],
  ] as const)("%s <session>/%s is %i %s", async (method, path, body, status, code) => {
    await isProblem(await api().request(method, `${talk.path}/${path}`, body), status, code);
  });

  it("405 says what is allowed", async () => {
    const { headers } = await api().request("PUT", "/sessions/x");
    expect(headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "PATCH", "POST"]);
  });

  it("a session that exists with other settings is session_exists, which says what differs", async () => {
    const body = { agent: "mock", title: "other", dangerouslySkipPermissions: true, token: "a-token-of-its-own" };
    const answer = await api().request("POST", talk.path, body);
    await isProblem(answer, 409, "session_exists");
    expect(answer.body).toMatchObject({
      detail: expect.stringMatching(/exists with other settings: .*permissionMode/),
      differing: expect.arrayContaining(["title", "permissionMode", "secrets"]),
    });
  });

  it.each(["-x", ".x", "_x", "a b", "a/../b", "ä", "a%00b", "x".repeat(129), "%E0%A4%A", "..", "a:b"])(
    "the session id %s is refused",
    async (id) => {
      const path = `/sessions/${id.includes("%") ? id : encodeURIComponent(id)}`;
      const answer = await rawRequest(
        daemon.api.baseUrl,
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer right-token\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{"agent":"mock"}`,
      );
      // ".." is taken away by the URL before there is an id.
      expect([400, 404, 405]).toContain(answer.status);
      expect(answer.head).toContain("application/problem+json");
      expect(await everything()).toEqual(before);
    },
  );
});

describe("someone who may not ask", () => {
  const ask = async (headers: Record<string, string>, path = "/agents", method = "GET") => {
    const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await rawRequest(daemon.api.baseUrl, `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    return { status: answer.status, head: answer.head, problem: answer.body === "" ? {} : JSON.parse(answer.body) };
  };
  const right = { authorization: "Bearer right-token" };

  it.each([
    ["no token", {}, 401, "unauthorized"],
    ["a wrong token", { authorization: "Bearer wrong-token" }, 401, "unauthorized"],
    ["an empty token", { authorization: "Bearer " }, 401, "unauthorized"],
    ["another scheme", { authorization: "Basic right-token" }, 401, "unauthorized"],
    ["a foreign host", { ...right, host: "evil.example" }, 403, "forbidden_host"],
    ["a foreign host with our port", { ...right, host: "evil.example:2468" }, 403, "forbidden_host"],
    ["a host that begins like ours", { ...right, host: "localhost.evil.example" }, 403, "forbidden_host"],
    ["a foreign origin", { ...right, origin: "https://evil.example" }, 403, "forbidden_origin"],
    ["the origin null", { ...right, origin: "null" }, 403, "forbidden_origin"],
    [
      "an origin that begins like ours",
      { ...right, origin: "https://good.example.evil.example" },
      403,
      "forbidden_origin",
    ],
    ["a foreign origin without a token", { origin: "https://evil.example" }, 403, "forbidden_origin"],
  ])("%s is refused", async (_, headers, status, code) => {
    expect(await ask(headers)).toMatchObject({ status, problem: { code, status } });
    expect(await ask(headers, "/sessions/s9", "DELETE")).toMatchObject({ status, problem: { code } });
    if (status === 401) return;
    expect(await ask(headers, "/health")).toMatchObject({ status, problem: { code } });
  });

  it("a token in the URL is not taken", async () => {
    expect((await ask({}, "/agents?token=right-token")).status).toBe(401);
  });

  it("health is open, everything else is not, also what does not exist", async () => {
    expect((await ask({}, "/health")).status).toBe(200);
    for (const path of ["/", "/v1", "/openapi.json", "/metrics", "/sessions", "/events/sse", "/nowhere", "/health/x"]) {
      expect([path, (await ask({}, path)).status]).toEqual([path, 401]);
    }
  });

  it("the right token passes, in any case of the scheme and host; a listed origin is told so", async () => {
    expect((await ask({ authorization: "bearer right-token", host: "LOCALHOST:1" })).status).toBe(200);
    const listed = await ask({ ...right, origin: "https://good.example" });
    expect(listed.status).toBe(200);
    expect(listed.head).toContain("access-control-allow-origin: https://good.example");
    const preflight = await ask({ origin: "https://good.example" }, "/agents", "OPTIONS");
    expect(preflight.status).toBe(204);
    expect((await ask({ origin: "https://evil.example" }, "/agents", "OPTIONS")).status).toBe(403);
  });
});

describe("something that is not HTTP", () => {
  it.each([
    ["a wrong method", "BREW /agents HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["no HTTP at all", "hello\r\n\r\n"],
    ["two lengths", "POST /tickets HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx"],
    [
      "length and chunks",
      "POST /tickets HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx",
    ],
    ["a header with a line break in its name", "GET /agents HTTP/1.1\r\nho st: localhost\r\n\r\n"],
    ["headers without end", `GET /agents HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(100_000)}\r\n\r\n`],
  ])("%s gets a problem document", async (_, bytes) => {
    const answer = await rawRequest(daemon.api.baseUrl, bytes);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.head).toContain("application/problem+json");
    expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid_request", type: expect.any(String) });
    expect(await everything()).toEqual(before);
  });
});

it("after all of that the session still works and nothing was logged as our fault", async () => {
  expect((await talk.say("echo fine")).text).toBe("fine");
  await talk.finish();
  expect(daemon.stderr).not.toContain('"level":"error"');
});
