import { type Client, createClient } from "@muster/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
let client: Client;
beforeEach(async () => {
  home = await DaemonHome.make();
  await start();
});
afterEach(() => home.remove());

async function start(): Promise<void> {
  const daemon = await home.start();
  client = createClient({ endpoint: daemon.api.baseUrl });
}
const create = (sessionId: string, more: object = {}) => client.sessions.create({ sessionId, agent: "mock", ...more });
async function say(sessionId: string, message: string): Promise<void> {
  for await (const _ of client.sessions.streamMessage({ sessionId, message }));
}
const found = async (search: string, more: object = {}) =>
  (await client.sessions.list({ search, ...more })).sessions.map(({ sessionId }) => sessionId);

it("a search finds sessions by title, first message, id and directory, awake and at rest", async () => {
  await create("alpha", { title: "Round the Prices" });
  await create("beta");
  await say("beta", "echo mend the login form");
  await say("beta", "echo something else");
  await create("gamma", { directory: home.path });
  const isFound = async () => {
    expect(await found("prices")).toEqual(["alpha"]);
    expect(await found("LOGIN mend")).toEqual(["beta"]);
    expect(await found("something else")).toEqual([]);
    expect(await found("gam")).toEqual(["gamma"]);
    expect(await found(home.path)).toContain("gamma");
    expect(await found("login prices")).toEqual([]);
    expect(await found("a", { limit: 1, order: "used" })).toHaveLength(1);
    expect(await found("prices", { agent: "claude" })).toEqual([]);
  };
  await isFound();
  await home.kill();
  await start();
  await isFound();
});

it("a search by a token for one session finds no other, and one without words is refused", async () => {
  const locked = await DaemonHome.make({ args: [] });
  try {
    const { api, token } = await locked.start();
    const owner = createClient({ endpoint: api.baseUrl, token });
    for (const sessionId of ["mine", "yours"]) {
      await owner.sessions.create({ sessionId, agent: "mock", title: "the secret plan" });
    }
    const made = await owner.tokens.create({ scope: "read", sessions: ["mine"] });
    const limited = createClient({ endpoint: api.baseUrl, token: made.token });
    const { sessions } = await limited.sessions.list({ search: "secret" });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["mine"]);
    await expect(owner.sessions.list({ search: "  " })).rejects.toMatchObject({ code: "invalid_request" });
  } finally {
    await locked.remove();
  }
});
