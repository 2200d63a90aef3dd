import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { Session } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
beforeEach(async () => {
  home = await DaemonHome.make();
});
afterEach(() => home.remove());

it("pipes, folders and devices in place of files hold up nobody and harm only the session they belong to", async () => {
  const first = await home.start();
  const odd = ["file-pipe", "file-folder", "file-device", "log-pipe", "log-folder", "head-pipe", "raw-pipe"];
  for (const sessionId of [...odd, "whole"]) {
    await first.api.post(`/sessions/${sessionId}`, { agent: "mock" });
    const talk = new Conversation(first.api, sessionId);
    await talk.say("echo before");
    await talk.leave();
  }
  await first.kill("SIGTERM");

  await pipe(await fileOf("file-pipe", "session.json"));
  await folder(await fileOf("file-folder", "session.json"));
  await device(await fileOf("file-device", "session.json"));
  await pipe(await fileOf("log-pipe", "events-"));
  await folder(await fileOf("log-folder", "events-"));
  await pipe(await fileOf("head-pipe", "head"));
  await pipe(await fileOf("raw-pipe", "raw-"));
  for (const name of ["sessions.jsonl", "lock", "endpoint", `lives/${"a".repeat(32)}.json`, "active/odd.json"]) {
    await pipe(join(home.dataDirectory, name));
  }

  const { api, stderr } = await home.start();
  const states = async () => {
    const { sessions } = await api.get<{ sessions: Session[] }>("/sessions");
    return Object.fromEntries(sessions.map(({ sessionId, state }) => [sessionId, state]));
  };
  const damaged = Object.fromEntries(odd.slice(0, 5).map((sessionId) => [sessionId, "unreadable"]));
  expect(await states()).toEqual({ ...damaged, "head-pipe": "asleep", "raw-pipe": "asleep", whole: "asleep" });
  for (const sessionId of ["head-pipe", "raw-pipe", "whole"]) {
    const talk = new Conversation(api, sessionId);
    expect((await talk.say("echo after")).text).toBe("after");
    await talk.leave();
    expect((await api.request("GET", `/sessions/${sessionId}/events?raw=true`)).status).toBe(200);
  }
  for (const sessionId of odd.slice(0, 5)) {
    const sent = await api.request<{ code: string }>("POST", `/sessions/${sessionId}/messages`, { message: "echo" });
    expect(sent.body.code).toBe("session_unreadable");
  }
  expect(stderr).not.toMatch(/Unhandled|uncaught/i);
});

it("a pipe in place of the token or of the writer's number is said so at the start", async () => {
  const epoch = join(home.dataDirectory, "writer", "epoch");
  await mkdir(join(home.dataDirectory, "writer"), { recursive: true });
  await pipe(epoch);
  await expect(home.start()).rejects.toThrow(`${epoch} is not a file`);
  await rm(epoch);
  const guarded = await DaemonHome.make({ args: [], dataDirectory: home.dataDirectory });
  try {
    await pipe(join(home.dataDirectory, "token"));
    await expect(guarded.start()).rejects.toThrow("The token file cannot be read");
  } finally {
    await guarded.remove();
  }
});

async function fileOf(sessionId: string, start: string): Promise<string> {
  const path = join(home.dataDirectory, "sessions", sessionId);
  const name = (await readdir(path)).find((entry) => entry.startsWith(start));
  return join(path, name ?? start);
}

async function pipe(path: string): Promise<void> {
  await rm(path, { force: true });
  execFileSync("mkfifo", [path]);
}

async function folder(path: string): Promise<void> {
  await rm(path, { force: true });
  await mkdir(path);
  await writeFile(join(path, "odd"), "");
}

async function device(path: string): Promise<void> {
  await rm(path, { force: true });
  await symlink("/dev/zero", path);
}
