import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canSetDeathSignal, withDeathSignal } from "./death-signal.ts";

test("a setpriv of a session's own PATH is not run", async (context) => {
  if (!(await canSetDeathSignal())) return context.skip("setpriv is not here");
  const folder = await mkdtemp(join(tmpdir(), "muster-path-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ["setpriv", "agent"]) {
    await writeFile(join(folder, name), "#!/bin/sh\n");
    await chmod(join(folder, name), 0o755);
  }
  const { command, args } = await withDeathSignal({ command: "agent", args: [] }, { path: folder, confined: true });
  expect(command).toMatch(/^\/.*\/setpriv$/);
  expect(command).not.toContain(folder);
  expect(args.slice(-2)).toEqual(["--", "agent"]);
});
