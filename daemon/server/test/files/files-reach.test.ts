import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
afterEach(() => home.remove());

async function start(args: string[]) {
  home = await DaemonHome.make({ args: ["--no-token", ...args] });
  for (const name of ["one", "two", "three"]) {
    mkdirSync(join(home.path, name));
    writeFileSync(join(home.path, name, "file"), name);
  }
  const daemon = await home.start();
  for (const name of ["one", "two"]) {
    await daemon.api.post(`/sessions/${name}`, { agent: "mock", directory: join(home.path, name) });
  }
  return {
    daemon,
    read: async (query: string) => {
      const response = await fetch(`${daemon.api.baseUrl}/files/content?${query}`);
      return response.ok ? await response.text() : ((await response.json()) as { code: string }).code;
    },
  };
}

it("without roots the directories of all sessions are reached, and with a session its own alone", async () => {
  const { read, daemon } = await start([]);
  const at = (name: string) => `path=${encodeURIComponent(join(home.path, name, "file"))}`;
  expect(await read(at("one"))).toBe("one");
  expect(await read(at("two"))).toBe("two");
  expect(await read(at("three"))).toBe("path_outside_roots");
  expect(await read(`session=one&${at("one")}`)).toBe("one");
  expect(await read(`session=one&${at("two")}`)).toBe("path_outside_roots");
  expect(await read("path=file")).toBe("invalid_request");
  expect(await read("session=nobody&path=file")).toBe("session_not_found");

  // Attachments are read where their messages name them, and not written.
  const attachments = [{ data: Buffer.from("a note").toString("base64"), mime: "text/plain", filename: "note.txt" }];
  await daemon.api.post("/sessions/one/messages", { message: "echo seen", attachments });
  const { events } = await daemon.api.get<{ events: { data: { attachments?: { path: string }[] } }[] }>(
    "/sessions/one/events?limit=1000",
  );
  const path = encodeURIComponent(events.flatMap(({ data }) => data.attachments ?? [])[0]?.path ?? "");
  expect(await read(`session=one&path=${path}`)).toBe("a note");
  expect(await read(`session=two&path=${path}`)).toBe("path_outside_roots");
  const written = await fetch(`${daemon.api.baseUrl}/files/content?session=one&path=${path}`, {
    method: "PUT",
    body: "x",
  });
  expect(written.status).toBe(403);

  // The directory of a session is where it was, whatever takes its place.
  renameSync(join(home.path, "one"), join(home.path, "moved"));
  symlinkSync(join(home.path, "three"), join(home.path, "one"));
  expect(await read("session=one&path=file")).toBe("path_outside_roots");
});

it("files that are turned off are refused, each operation with its reason", async () => {
  const { read, daemon } = await start(["--no-files"]);
  expect(await read("session=one&path=file")).toBe("files_off");
  const response = await fetch(`${daemon.api.baseUrl}/files?session=one`, { method: "DELETE" });
  expect(await response.json()).toMatchObject({ status: 403, code: "files_off" });
});
