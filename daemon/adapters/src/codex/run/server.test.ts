import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeHost } from "../../../test/host.ts";
import { startCodexServer } from "./server.ts";

const silent = fileURLToPath(new URL("../../../test/silent-app-server.mjs", import.meta.url));

function processOf(host: ReturnType<typeof makeHost>, ...args: string[]) {
  return { agent: "codex", command: process.execPath, args, directory: host.home, env: {} };
}

test("a server that does not answer is ended, so that its sessions find another one", async () => {
  const host = makeHost();
  const server = await startCodexServer(host, processOf(host, silent));
  onTestFinished(() => server.end({ graceMs: 0 }));
  await expect(server.request("model/list", {}, 200)).rejects.toThrow("No answer to model/list");
  await server.exited;
  await expect(server.request("model/list", {}, 60_000)).rejects.toThrow("has ended");
});

test("what the server asks for itself is refused and stays in its log", async () => {
  const host = makeHost();
  const server = await startCodexServer(host, processOf(host, silent));
  await expect(server.request("ask/me", {}, 500)).rejects.toThrow("No answer");
  await server.exited;
  expect(readFileSync(join(host.dataDirectory, "servers", "codex.log"), "utf8")).toContain("currentTime/read");
});

test("a program that is no Codex is told as that, and nothing of it is left", async () => {
  const host = makeHost();
  const started = startCodexServer(host, processOf(host, "-e", "console.error('I am another program')"));
  await expect(started).rejects.toMatchObject({
    type: "process_exited",
    details: { stderr: expect.stringContaining("another program") },
  });
});
