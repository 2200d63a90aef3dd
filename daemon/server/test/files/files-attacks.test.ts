import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { isLong } from "@muster/chaos";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { type Grounds, hostilePaths, pathOperations } from "./path-attacks.ts";

/** Every operation with a path × every path that leads out: nothing outside is told or changed. */
const treasure = "treasure-that-lies-outside";
let home: DaemonHome;
let daemon: DaemonProcess;
let grounds: Grounds;
let token = "";
/** The daemon's own token, which lies in the data directory. */
let owner = "";
let before = "";
beforeAll(async () => {
  home = await DaemonHome.make({ args: [] });
  daemon = await home.start();
  owner = daemon.token ?? "";
  const [root, outside] = [join(home.path, "root"), join(home.path, "outside")];
  grounds = { root, outside, dataDirectory: home.dataDirectory };
  for (const folder of [root, join(root, "sub"), outside, `${root}-evil`]) mkdirSync(folder);
  for (const folder of [outside, `${root}-evil`]) writeFileSync(join(folder, "secret"), treasure);
  writeFileSync(join(root, "mine"), "mine");
  const links = {
    "link-out": outside,
    "link-up": "..",
    "link-relative": "../outside",
    "link-chain": "link-relative",
    "link-proc": "/proc/self",
    "link-data": home.dataDirectory,
    "sub/link-out": "../../outside",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  await post("/sessions/own", { agent: "mock", directory: root }, owner);
  const made = await post("/tokens", { scope: "work", sessions: ["own"] }, owner);
  token = (JSON.parse(made) as { token: string }).token;
  before = pictureOutside();
});
afterAll(() => home.remove());

async function post(path: string, body: unknown, as: string): Promise<string> {
  const headers = { authorization: `Bearer ${as}`, "content-type": "application/json" };
  const response = await fetch(`${daemon.api.baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return await response.text();
}

/** Everything that is not below the root, but for what the daemon itself writes. */
function pictureOutside(): string {
  const hash = createHash("sha256");
  for (const folder of ["outside", "root-evil"]) {
    for (const name of readdirSync(join(home.path, folder)).sort()) {
      hash.update(`${folder}/${name} ${readFileSync(join(home.path, folder, name), "utf8")}`);
    }
  }
  return `${hash.digest("hex")} ${readdirSync(home.path).sort()} ${readdirSync("/").sort()}`;
}

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly type: string;
}

/** What an operation is asked with, where one of its fields is a hostile path. */
function requestFor(
  { operation, fields }: (typeof pathOperations)[number],
  field: string,
  path: string,
  session: boolean,
): Sent {
  const harmless: Record<string, string> = { from: "mine", to: "new", query: "treasure", path: "mine" };
  const values: Record<string, string> = session ? { session: "own" } : {};
  if (!fields.includes("from") && field !== "pathBytes") values.path = harmless.path ?? "";
  for (const name of ["from", "to"]) if (fields.includes(name)) values[name] = harmless[name] ?? "";
  if ("query" in (operation.query?.shape ?? {})) values.query = "treasure";
  values[field] = field === "pathBytes" ? Buffer.from(path).toString("base64") : path;
  for (const flag of ["recursive", "parents"]) if (flag in (operation.query?.shape ?? {})) values[flag] = "true";
  const isJson = operation.body !== undefined;
  const target = isJson ? operation.path : `${operation.path}?${new URLSearchParams(values)}`;
  const content = isJson ? JSON.stringify(values) : operation.takesBytes ? "planted" : "";
  return {
    method: operation.method,
    target,
    body: Buffer.from(content),
    type: isJson ? "application/json" : "application/octet-stream",
  };
}

/** The status and the first bytes of the answer; a stream is left at once. */
function ask({ method, target, body, type }: Sent): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(daemon.api.baseUrl);
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": type, "content-length": body.length };
    const sent = request({ hostname, port, method, path: target, headers }, (response) => {
      let text = "";
      const done = () => resolve({ status: response.statusCode ?? 0, text });
      response.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
        if (response.headers["content-type"]?.startsWith("text/event-stream")) sent.destroy();
      });
      response.on("close", done);
    });
    sent.on("error", (error) => (sent.destroyed ? undefined : reject(error)));
    sent.end(body);
  });
}

describe("a path that leads out tells and changes nothing", () => {
  let asked = 0;
  it.each(pathOperations.map((one) => [one.id, one] as const))("%s", { timeout: 600_000 }, async (_, one) => {
    const offset = pathOperations.indexOf(one);
    for (const [index, path] of hostilePaths(grounds).entries()) {
      // Each path with every third operation, and with all of them in the long form.
      if (!isLong && (index + offset) % 3 !== 0) continue;
      for (const field of one.fields) {
        for (const session of [true, false]) {
          const sent = requestFor(one, field, path, session);
          const { status, text } = await ask(sent);
          asked++;
          const what = `${sent.method} ${sent.target} ${sent.body} → ${status} ${text.slice(0, 300)}`;
          expect(text, what).not.toMatch(/treasure-that|root:x:/);
          expect(text, what).not.toContain(owner);
          expect(status, what).not.toBe(500);
        }
      }
      // What is harmless as a name may be made below the root; the next attack begins as the first did.
      if (one.operation.method !== "GET") writeFileSync(join(grounds.root, "mine"), "mine");
    }
    expect(pictureOutside()).toBe(before);
  });

  it("there were at least 2,000", () => {
    expect(asked).toBeGreaterThanOrEqual(2_000);
  });
});

it("a link that is swapped while calls walk through it leads nowhere outside", {
  timeout: isLong ? 1_200_000 : 120_000,
}, async () => {
  mkdirSync(join(grounds.root, "swapped"));
  writeFileSync(join(grounds.root, "swapped", "secret"), "inside");
  const swapping = new Worker(
    `const { workerData: { root, outside } } = require("node:worker_threads");
     const { renameSync, symlinkSync } = require("node:fs");
     symlinkSync(outside, root + "/other");
     for (;;) {
       for (const [from, to] of [["swapped", "kept"], ["other", "swapped"], ["swapped", "other"], ["kept", "swapped"]]) {
         try { renameSync(root + "/" + from, root + "/" + to); } catch {}
       }
     }`,
    { eval: true, workerData: grounds },
  );
  try {
    const rounds = isLong ? 2_000 : 20;
    let [inside, refused] = [0, 0];
    // Those that leave the two names to the one who swaps them.
    const walking = pathOperations.filter(({ id }) => /list|stat|read|write|append|search|download/.test(id));
    const isSeen = () => inside > 0 && refused > 0;
    for (let round = 0; round < rounds || (!isSeen() && round < 100 * rounds); round++) {
      const calls = walking.flatMap((one) => [
        requestFor(one, "path", "swapped/secret", true),
        requestFor(one, "path", one.operation.takesBytes ? "swapped/made" : "swapped", true),
      ]);
      for (const { status, text } of await Promise.all(calls.map(ask))) {
        expect(text).not.toContain(treasure);
        if (/^(inside|planted)/.test(text)) inside++;
        if (status === 403) refused++;
      }
    }
    expect(inside, "some calls came to the file inside").toBeGreaterThan(0);
    expect(refused, "some calls met the link").toBeGreaterThan(0);
    expect(pictureOutside()).toBe(before);
  } finally {
    await swapping.terminate();
  }
});
