import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SharedHandles } from "./shared-handles.ts";

test("one open file serves all its users and is closed with the last", async () => {
  const directory = await mkdtemp(join(tmpdir(), "shared-handles-"));
  const path = join(directory, "file");
  await writeFile(path, "text");
  const handles = new SharedHandles();
  const [one, other] = await Promise.all([handles.acquire(path), handles.acquire(path)]);
  expect(one).toBe(other);
  await handles.release(path);
  expect((await one.stat()).size).toBe(4);
  await handles.release(path);
  expect(one.fd).toBe(-1);
  const again = await handles.acquire(path);
  expect(again).not.toBe(one);
  await handles.release(path);
  await rm(directory, { recursive: true });
});

test("a file that cannot be opened is tried again by the next user", async () => {
  const directory = await mkdtemp(join(tmpdir(), "shared-handles-"));
  const path = join(directory, "file");
  const handles = new SharedHandles();
  const failing = [handles.acquire(path), handles.acquire(path)];
  for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe("rejected");
  await writeFile(path, "text");
  await handles.acquire(path);
  await handles.release(path);
  await rm(directory, { recursive: true });
});
