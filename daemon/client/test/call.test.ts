import { Failure, type Session } from "@muster/schema";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { type Client, ConnectionFailure, createClient, type UniversalEvent } from "../src/index.ts";
import { json, problem, startScriptedServer } from "./scripted-server.ts";

let server: Awaited<ReturnType<typeof startScriptedServer>>;
afterEach(() => server?.close());

describe("call", () => {
  it("puts params into the path, query behind it, the body as JSON and the token into the header", async () => {
    server = await startScriptedServer(
      json(200, { events: [], hasMore: false }),
      json(202, { messageId: "m", sequence: 1 }),
    );
    const client = createClient({ endpoint: `${server.endpoint}/v1/`, token: "secret" });

    const page = await client.call("sessions.getEvents", {
      params: { sessionId: "s1" },
      query: { offset: 3, deltas: false },
    });
    expect(page).toEqual({ events: [], hasMore: false });
    const sent = await client.call("sessions.sendMessage", { params: { sessionId: "a/b ü" }, body: { message: "hi" } });
    expect(sent).toEqual({ messageId: "m", sequence: 1 });

    const [get, post] = server.requests;
    expect(get).toMatchObject({ method: "GET", url: "/v1/sessions/s1/events?offset=3&deltas=false", body: "" });
    expect(get?.headers).toMatchObject({ authorization: "Bearer secret", accept: "application/json" });
    expect(get?.headers["content-type"]).toBeUndefined();
    expect(post).toMatchObject({
      method: "POST",
      url: "/v1/sessions/a%2Fb%20%C3%BC/messages",
      body: '{"message":"hi"}',
    });
    expect(post?.headers).toMatchObject({ "content-type": "application/json" });
  });

  it("resolves with text for a text answer and with nothing for an empty one", async () => {
    server = await startScriptedServer(
      (response) => void response.end("up 1\n"),
      (response) => void response.writeHead(204).end(),
    );
    const client = createClient({ endpoint: server.endpoint });
    expect(await client.call("metrics")).toBe("up 1\n");
    expect(await client.call("sessions.terminate", { params: { sessionId: "s1" } })).toBeUndefined();
    expect(server.requests[1]?.body).toBe("{}");
  });

  it("has every operation as a method that takes its fields side by side", async () => {
    server = await startScriptedServer(
      json(200, { status: "ok" }),
      json(201, {}),
      json(200, { sessions: [], hasMore: false }),
    );
    const client = createClient({ endpoint: server.endpoint });
    expect(await client.health()).toEqual({ status: "ok" });
    await client.sessions.create({ sessionId: "s1", agent: "mock", title: "T" });
    await client.sessions.list({ limit: 2 });
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/health", ""],
      ["POST", "/sessions/s1", '{"agent":"mock","title":"T"}'],
      ["GET", "/sessions?limit=2", ""],
    ]);
  });

  it("knows the types of the table", () => {
    expectTypeOf<Client["sessions"]["create"]>().parameter(0).toExtend<{ sessionId?: string; agent: string }>();
    expectTypeOf<Client["sessions"]["list"]>().parameter(0).toExtend<{ limit?: number | undefined } | undefined>();
    expectTypeOf<Client["sessions"]["get"]>().returns.resolves.toEqualTypeOf<Session>();
    expectTypeOf<Client["metrics"]>().returns.resolves.toEqualTypeOf<string>();
    expectTypeOf<Client["sessions"]["delete"]>().returns.resolves.toEqualTypeOf<undefined>();
    expectTypeOf<Client["events"]["stream"]>().returns.toEqualTypeOf<AsyncIterable<UniversalEvent>>();
    // @ts-expect-error a stream cannot be called
    expectTypeOf<Client["call"]>().toBeCallableWith("events.stream");
    // @ts-expect-error the session id is required
    void ((client: Client) => client.call("sessions.get"));
    void ((client: Client) => client.call("sessions.get", { params: { sessionId: "s1" } }));
  });

  it("turns a problem document into a Failure with code, status and fields", async () => {
    server = await startScriptedServer(problem(410, "session_deleted", "s1 was deleted", { sessionId: "s1" }));
    const failure = await createClient(server)
      .call("sessions.get", { params: { sessionId: "s1" } })
      .catch((e) => e);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      code: "session_deleted",
      status: 410,
      message: "s1 was deleted",
      fields: { sessionId: "s1" },
    });
  });

  it("keeps the code of a problem that only a newer daemon knows", async () => {
    server = await startScriptedServer(problem(418, "teapot", "short and stout", { spout: 1 }));
    const failure = await createClient(server)
      .call("info")
      .catch((e) => e);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.toProblem()).toEqual({
      type: "x:teapot",
      title: "T",
      status: 418,
      detail: "short and stout",
      code: "teapot",
      spout: 1,
    });
  });

  it("is a ConnectionFailure when something other than the daemon answers", async () => {
    server = await startScriptedServer(
      (response) => void response.writeHead(502).end("<html>bad gateway</html>"),
      (response) => void response.writeHead(200).end("<html>hello</html>"),
    );
    const client = createClient(server);
    await expect(client.call("info")).rejects.toThrow(/answered 502 without a problem document/);
    await expect(client.call("info")).rejects.toThrow(ConnectionFailure);
  });

  it("is a ConnectionFailure that names the endpoint and the reason when nothing listens", async () => {
    server = await startScriptedServer(json(200, {}));
    await server.close();
    const failure = await createClient(server)
      .call("health")
      .catch((e) => e);
    expect(failure).toBeInstanceOf(ConnectionFailure);
    expect(failure.message).toContain(server.endpoint);
    expect(failure.message).toContain("ECONNREFUSED");
  });

  it("rejects with the caller's reason when it is aborted", async () => {
    server = await startScriptedServer(() => {});
    const controller = new AbortController();
    const calling = createClient(server).call("info", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(calling).rejects.toThrow("enough");
  });

  it("refuses an endpoint or a path parameter that would reach something else, before any request", async () => {
    server = await startScriptedServer(json(200, {}));
    for (const endpoint of ["localhost:2468", "ftp://x", "http://u:p@x/", "http://x/?a", ""]) {
      expect(() => createClient({ endpoint }), endpoint).toThrow(TypeError);
    }
    for (const agent of ["", ".", ".."]) {
      await expect(createClient(server).call("agents.get", { params: { agent } })).rejects.toThrow(TypeError);
    }
    expect(server.requests).toEqual([]);
  });
});
