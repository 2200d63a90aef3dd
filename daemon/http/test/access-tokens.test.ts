import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AccessTokens, everything } from "../src/index.ts";

let folder: string;
let path: string;
const told: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-tokens-"));
  path = join(folder, "access-tokens.json");
  told.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const open = (root = "the daemon's own token") =>
  AccessTokens.open({ path, given: [[root, everything]], log: (_, message) => void told.push(message) });
const soon = () => new Date(Date.now() + 3_600_000).toISOString();

test("a token lets in to what it was made for, also after a restart; nobody can read it from the file", async () => {
  const tokens = await open();
  const made = await tokens.create({ scope: "answer", sessions: ["a", "b"], agents: ["claude"], name: "phone" });
  const { token, ...told } = made;
  const grant = {
    tokenId: made.tokenId,
    scope: "answer",
    sessions: new Set(["a", "b"]),
    agents: new Set(["claude"]),
  };
  expect(tokens.grantOf(token)).toEqual(grant);
  expect(tokens.grantOf("the daemon's own token")).toBe(everything);
  expect(tokens.list()).toEqual([{ ...told, lastUsedAt: expect.any(String) }]);
  await tokens.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).not.toContain(token.slice(17));

  const again = await open();
  expect(again.grantOf(token)).toEqual(grant);
  expect(again.list()).toEqual([{ ...told, lastUsedAt: expect.any(String) }]);
});

test("what is not a token, nearly one, revoked or too old lets nobody in", async () => {
  const tokens = await open();
  const { token, tokenId } = await tokens.create({ scope: "admin" });
  const other = await tokens.create({ scope: "read" });
  const swapped = `mst_${tokenId}_${other.token.slice(17)}`;
  for (const wrong of ["", "mst_", token.slice(0, -1), `${token}A`, swapped, token.toUpperCase()]) {
    expect(tokens.grantOf(wrong), wrong).toBeUndefined();
  }
  await tokens.revoke(tokenId);
  expect(tokens.grantOf(token)).toBeUndefined();
  expect((await open()).grantOf(token)).toBeUndefined();
  expect((await open()).grantOf(other.token)).toMatchObject({ scope: "read" });
  await expect(tokens.revoke(tokenId)).rejects.toMatchObject({ code: "token_not_found" });
  await expect(tokens.create({ scope: "read", expiresAt: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("who holds a stream is told once when the token is revoked or runs out", async () => {
  const tokens = await open();
  const [short, long, kept] = await Promise.all([
    tokens.create({ scope: "read", expiresAt: new Date(Date.now() + 500).toISOString() }),
    tokens.create({ scope: "read", expiresAt: "2120-01-01T00:00:00Z" }),
    tokens.create({ scope: "read", expiresAt: soon() }),
  ]);
  const ended: string[] = [];
  const runOut = new Promise<void>((done) => {
    tokens.onEnd(short.tokenId, () => {
      ended.push("short");
      done();
    });
  });
  tokens.onEnd(long.tokenId, () => ended.push("long"));
  const forget = tokens.onEnd(long.tokenId, () => ended.push("forgotten"));
  const forgetKept = tokens.onEnd(kept.tokenId, () => ended.push("kept"));
  forget();
  await tokens.revoke(long.tokenId);
  expect(ended).toEqual(["long"]);
  await runOut;
  expect(ended).toEqual(["long", "short"]);
  expect(tokens.grantOf(short.token)).toBeUndefined();
  expect(tokens.list().map(({ tokenId }) => tokenId)).toEqual([kept.tokenId]);
  forgetKept();
});

test("a token of a page ends with the daemon's own, and the oldest page gives way", async () => {
  const tokens = await open();
  const made = await tokens.create({ scope: "read" });
  const first = await tokens.createForPage();
  const later = [];
  for (let n = 0; n < 100; n++) later.push(await tokens.createForPage());
  expect(tokens.grantOf(first.token)).toBeUndefined();
  expect(later.every(({ token }) => tokens.grantOf(token)?.scope === "work")).toBe(true);

  const other = await open("another token of the daemon");
  expect(later.some(({ token }) => other.grantOf(token) !== undefined)).toBe(false);
  expect(other.grantOf(made.token)).toMatchObject({ scope: "read" });
  await tokens.close();
});

test("what cannot be written was not made, and what cannot be unwritten still stands", async () => {
  const tokens = await open();
  const { token, tokenId } = await tokens.create({ scope: "work" });
  await rm(folder, { recursive: true });
  await expect(tokens.create({ scope: "read" })).rejects.toMatchObject({ code: "ENOENT" });
  await expect(tokens.revoke(tokenId)).rejects.toMatchObject({ code: "ENOENT" });
  expect(tokens.list().map((one) => one.tokenId)).toEqual([tokenId]);
  expect(tokens.grantOf(token)).toMatchObject({ scope: "work" });
  await tokens.close();
  expect(told).toEqual(["when access tokens were last used could not be written"]);
  folder = await mkdtemp(join(tmpdir(), "muster-tokens-"));
});
