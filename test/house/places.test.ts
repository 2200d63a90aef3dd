import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A single executable has no files beside its sources: who looks there, and why it does no harm. */
const reasons: Readonly<Record<string, string>> = {
  "codebuff/runtime/src/isolate/isolated-steps.ts": "the server starts no steps, only the SDK does",
  "daemon/adapters/src/amp/run/permission-program.ts": "an executable starts itself again instead (own-program.ts)",
  "daemon/adapters/src/install/installed/workspace-command.ts": "looks for a clone around it, and finds none",
  "daemon/adapters/src/mock/release.ts": "an executable starts itself again instead (own-program.ts)",
  "daemon/sandbox/src/files/as-user/program-file.ts": "an executable starts itself again instead (own-programs.ts)",
  "daemon/server/src/page/page-folder.ts": "an executable has the page inside (embedded-page.mjs)",
  "daemon/server/src/engine/running-processes.ts": "an executable starts itself again instead (own-program.ts)",
  "daemon/cli/src/default-places.ts": "looks for a clone around it, and finds none",
};

it("nothing of which an executable is made reads a file beside its source, but for those named here", () => {
  const files = execFileSync(
    "git",
    [
      ...["ls-files", "base/*/src/*.ts", "daemon/*/src/*.ts", "models/*/src/*.ts", "testing/scripted-llm/src/*.ts"],
      ...["server", "runtime", "agents", "protocol"].map((room) => `codebuff/${room}/src/*.ts`),
    ],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const looking = files
    .trim()
    .split("\n")
    .filter((file) => !/\.test\.ts$|\/test\//.test(file))
    .filter((file) =>
      /import\.meta\.(url|dirname|filename|resolve)|__dirname|__filename/.test(readFileSync(join(root, file), "utf8")),
    );
  expect(looking.sort()).toEqual(Object.keys(reasons).sort());
});
