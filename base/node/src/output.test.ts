import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { Output } from "./output.ts";

it("a write waits until the reader has taken what came before", async () => {
  const taken: (() => void)[] = [];
  const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void taken.push(done) });
  const output = new Output(slow);
  let written = false;
  const writing = output.write("a line\n").then(() => {
    written = true;
  });
  await new Promise(setImmediate);
  expect(written).toBe(false);
  taken.shift()?.();
  await writing;
});

it("a write ends when the reader leaves, and later ones are nothing", async () => {
  const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  const closing = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => setImmediate(done, broken) });
  const output = new Output(closing);
  await output.write("a line\n");
  await output.write("another\n");
  expect(output.closed.reason).toBe(broken);
});
