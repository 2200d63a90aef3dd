import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AccessTokens, everything, Tickets } from "../src/index.ts";

test("a token that makes tickets without end pushes out its own oldest and nobody else's", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-tickets-"));
  const tokens = await AccessTokens.open({
    path: join(folder, "t.json"),
    given: [["root", everything]],
    log: () => {},
  });
  try {
    const tickets = new Tickets(tokens);
    const grantOf = async () => {
      const { token } = await tokens.create({ scope: "read" });
      return tokens.grantOf(token) ?? everything;
    };
    const [greedy, modest] = [await grantOf(), await grantOf()];
    const ofModest = tickets.create("request", modest).ticket;
    const ofDaemon = tickets.create("page").ticket;
    const made = Array.from({ length: 1_005 }, () => tickets.create("request", greedy).ticket);
    expect(made.map((ticket) => tickets.redeem(ticket) !== undefined)).toEqual(made.map((_, place) => place >= 5));
    expect(tickets.redeem(ofModest)).toBe(modest);
    expect(await tickets.keyFor(ofDaemon)).toMatchObject({ key: expect.any(String) });
  } finally {
    await tokens.close();
    await rm(folder, { recursive: true });
  }
});
