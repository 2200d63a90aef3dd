import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Terminal } from "../../src/terminal/index.ts";
import { openTerminal, temporaryPlace } from "./terminal-fixture.ts";

test("a killed session frees its place: more of them can be killed than may be open", async () => {
  const terminal = openTerminal({ channel: "pipes" });
  for (let index = 0; index < 70; index++) {
    expect(await terminal.run({ command: "true", session_id: `s${index}` })).toMatchObject({ exitCode: 0 });
    expect(await terminal.kill(`s${index}`)).toBe(true);
  }
  expect(await terminal.run({ command: "echo still here", session_id: "s69" })).toMatchObject({
    stdout: "still here\n",
  });
});

test("a terminal begins in a given directory and tells what is gone; a lost directory is told too", async () => {
  const place = temporaryPlace();
  mkdirSync(join(place.root, "deep/er"), { recursive: true });
  const options = { root: place.root, stateDirectory: place.state, environment: { PATH: process.env.PATH ?? "" } };
  const note = "Environment and programs of the terminal before this one are gone.";
  const terminal = new Terminal({ ...options, startIn: "deep/er", note });
  onTestFinished(() => terminal.close());
  const first = await terminal.run({ command: "pwd" });
  expect(first).toMatchObject({ stdout: `${place.root}/deep/er\n`, message: expect.stringContaining(note) });
  expect((await terminal.run({ command: "pwd" })).message).toBeUndefined();
  const lost = new Terminal({ ...options, startIn: join(place.root, "gone") });
  onTestFinished(() => lost.close());
  expect(await lost.run({ command: "pwd" })).toMatchObject({
    stdout: `${place.root}\n`,
    message: expect.stringContaining("no longer exists"),
  });
});
