import { execFileSync, spawnSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { Session } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
let disk: string;
let isMounted = false;
beforeEach(async () => {
  disk = await mkdtemp(join(tmpdir(), "muster-storage-"));
  home = await DaemonHome.make({ dataDirectory: join(disk, "data") });
});
afterEach(async () => {
  await home.remove();
  if (isMounted) execFileSync("umount", ["-l", disk]);
  isMounted = false;
  await rm(disk, { recursive: true, force: true });
});

it("after a full disk the session goes on: what was cut short has ended, and no more is claimed than the log holds", async (context) => {
  if (!mount("12m")) return context.skip("mounting a small disk needs root");
  const { api } = await home.start();
  const talk = await Conversation.open(api);
  const send = (message: string) => api.request("POST", `${talk.path}/messages`, { message });
  await talk.say("echo before");
  await appendFile(join(disk, "filler"), Buffer.alloc(8 * 1024 * 1024));
  await talk.send("burst 200000 50", { messageId: "cut" });
  await talk.send("echo waits", { messageId: "waits" });
  await expect.poll(async () => (await send("echo more")).status, { timeout: 30_000 }).toBe(507);
  // The second to meet it is told the same as the first.
  expect((await send("echo more")).body).toMatchObject({ code: "storage_full", reason: "ENOSPC" });
  await expect
    .poll(async () => (await talk.view()).lastSequence - ((await api.log(talk.sessionId)).at(-1)?.sequence ?? 0))
    .toBe(0);
  await rm(join(disk, "filler"));
  expect((await send("echo after")).status).toBe(202);
  await expect.poll(async () => (await talk.view()).queued, { timeout: 15_000 }).toBe(0);
  await expect.poll(async () => (await talk.view()).state, { timeout: 15_000 }).toBe("idle");
  const events = await api.log(talk.sessionId);
  expect(checkInvariants(events)).toEqual([]);
  const [first, cut, ...rest] = events.flatMap((event) => (event.type === "turn.ended" ? [event.data] : []));
  expect(first).toMatchObject({ status: "completed" });
  expect(cut).toMatchObject({ status: "interrupted", cause: "storage_full" });
  // What waited, what came after, and what the polling above sent while there was still room.
  expect(rest.length).toBeGreaterThanOrEqual(2);
  for (const { status } of rest) expect(status).toBe("completed");
  expect((await talk.view()).lastSequence).toBe(events.length);
  expect(home.agents().length).toBe(1);
});

it("a disk that turns read-only under the daemon: 507 for what has to be written, the past is read, a whole disk goes on", async (context) => {
  const image = `${disk}.ext4`;
  try {
    execFileSync("truncate", ["-s", "32M", image], { stdio: "pipe" });
    execFileSync("mkfs.ext4", ["-q", image], { stdio: "pipe" });
    execFileSync("mount", ["-o", "loop", image, disk], { stdio: "pipe" });
    isMounted = true;
  } catch {
    await rm(image, { force: true });
    return context.skip("mounting a disk image needs root and a loop device");
  }
  try {
    const first = await home.start();
    const talk = await Conversation.open(first.api);
    await talk.say("echo before");
    const known = await first.api.log(talk.sessionId);
    // As the kernel does it after an error of the device; a remount is refused while files are open.
    execFileSync("mount", ["-o", "remount,abort", disk], { stdio: "pipe" });
    // A sync of what was written before may be the first to be refused, and calls it EIO.
    const reason = expect.stringMatching(/^E(ROFS|IO)$/);
    const readOnly = { status: 507, body: { code: "storage_full", reason } };
    const message = { message: "echo lost" };
    expect(await first.api.request("POST", `${talk.path}/messages`, message)).toMatchObject(readOnly);
    expect(await first.api.request("POST", "/sessions/new", { agent: "mock" })).toMatchObject(readOnly);
    expect((await first.api.request("GET", "/health")).status).toBe(200);
    expect((await first.api.log(talk.sessionId)).slice(0, known.length)).toEqual(known);
    await first.kill("SIGTERM");
    execFileSync("umount", [disk]);
    isMounted = false;
    // Its exit code tells what it mended.
    spawnSync("e2fsck", ["-fy", image], { stdio: "ignore" });
    execFileSync("mount", ["-o", "loop", image, disk], { stdio: "pipe" });
    isMounted = true;
    const { api } = await home.start();
    const again = new Conversation(api, talk.sessionId);
    expect((await again.say("echo after")).text).toBe("after");
    expect(checkInvariants(await api.log(talk.sessionId))).toEqual([]);
    await again.finish();
  } finally {
    await home.kill();
    if (isMounted) execFileSync("umount", ["-l", disk]);
    isMounted = false;
    await rm(image, { force: true });
  }
});

for (const [what, harm] of [
  ["missing", (path: string) => rm(path)],
  ["broken", (path: string) => writeFile(path, '{"sess')],
] as const) {
  it(`a ${what} active file does not hide an open turn`, async () => {
    const first = await home.start();
    const talk = await Conversation.open(first.api);
    await talk.send("slow 60000", { messageId: "open" });
    await talk.send("echo later", { messageId: "later" });
    await talk.until("turn.started");
    await first.kill("SIGKILL");
    const active = join(home.dataDirectory, "active");
    for (const name of await readdir(active)) await harm(join(active, name));
    const { api } = await home.start();
    expect(await api.get<Session>(talk.path)).not.toMatchObject({ turnId: "turn_1" });
    const again = new Conversation(api, talk.sessionId);
    expect((await again.turnOf("open")).end).toMatchObject({ cause: "daemon_restarted" });
    expect((await again.turnOf("later")).end).toMatchObject({ status: "completed" });
    expect(checkInvariants(await api.log(talk.sessionId))).toEqual([]);
    await again.leave();
  });
}

it("files that are no use harm the session they belong to, and nothing else", async () => {
  const first = await home.start();
  const good = await Conversation.open(first.api);
  await good.say("echo one");
  for (const id of ["Torn", "other", "odd"]) await first.api.post(`/sessions/${id}`, { agent: "mock" });
  await good.leave();
  await first.kill("SIGTERM");
  const { dataDirectory } = home;
  await writeFile(join(dataDirectory, "sessions", "=torn", "session.json"), '{"format":1,"sess');
  await writeFile(
    join(dataDirectory, "sessions", "other", "session.json"),
    '{"format":1,"sessionId":"good","settings":[]}',
  );
  const odd = join(dataDirectory, "sessions", "odd", "session.json");
  await writeFile(
    odd,
    (await readFile(odd, "utf8")).replace('"checkpoint":{', '"checkpoint":{"queue":7,"was":{').concat("}"),
  );
  await appendFile(
    join(dataDirectory, "sessions.jsonl"),
    '{}\nnull\n{"sessionId":5}\n[1]\n{"sessionId":"good","createdAt":7}\n\u0000\n',
  );
  await mkdir(join(dataDirectory, "lives", `${"a".repeat(32)}.json`), { recursive: true });
  await writeFile(join(dataDirectory, "lives", "note.txt"), "odd");
  await writeFile(join(dataDirectory, "active", "nobody.json"), "odd");
  await mkdir(join(dataDirectory, "sessions", "empty"));
  await writeFile(join(dataDirectory, "lock"), "nonsense");
  const second = await home.start();
  const { sessions } = await second.api.get<{ sessions: Session[] }>("/sessions");
  const states = Object.fromEntries(sessions.map(({ sessionId, state }) => [sessionId, state]));
  expect(states).toEqual({ [good.sessionId]: "asleep", Torn: "unreadable", other: "unreadable", odd: "asleep" });
  expect(second.stderr).toContain(join("=torn", "session.json"));
  expect(await second.api.get(`/sessions/Torn`)).toMatchObject({ state: "unreadable", healthy: false });
  const refused = await second.api.request("POST", "/sessions/Torn/messages", { message: "echo" });
  expect(refused).toMatchObject({ status: 500, body: { code: "session_unreadable", sessionId: "Torn" } });
  expect((await second.api.request("POST", "/sessions/other", { agent: "mock" })).status).toBe(500);
  expect((await second.api.request("DELETE", "/sessions/Torn")).status).toBe(204);
  const again = new Conversation(second.api, good.sessionId);
  expect((await again.say("echo two")).text).toBe("two");
  await again.leave();
});

it("a token file with no token in it is said so", async () => {
  const withToken = await DaemonHome.make({ args: [] });
  try {
    await mkdir(withToken.dataDirectory, { recursive: true });
    for (const content of ["short\n", "no-ascii-tökentökentökentöken\n"]) {
      await writeFile(join(withToken.dataDirectory, "token"), content);
      await expect(withToken.start()).rejects.toThrow(/token file .* holds no token/);
    }
  } finally {
    await withToken.remove();
  }
});

/** A disk of this size under the data directory; false where this user may not mount one. */
function mount(size: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk], { stdio: "pipe" });
    isMounted = true;
  } catch {
    isMounted = false;
  }
  return isMounted;
}
