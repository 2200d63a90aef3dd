import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newerNode } from "../newer-node.ts";
import { ifReachable } from "../registry-package.ts";
import { toolsOfRegistry } from "../registry-tools.ts";
import { packCommand, packLibrary } from "./pack-library.ts";

const run = promisify(execFile);
const tools = await ifReachable("publint and attw", toolsOfRegistry("publint@0.3.25", "@arethetypeswrong/cli@0.18.5"));
const node = (await ifReachable("Node 24", newerNode())) ?? "";
const libraries = ["daemon/client", "codebuff/sdk", "integrations/ai-sdk"];
const commands = ["sandbox-daemon", "scripted-llm", "muster-eval", "codebuff", "codebuff-server"];

describe.runIf(tools !== undefined && node !== "")(
  "the tarballs under the tools that others check packages with",
  { timeout: 300_000 },
  () => {
    let top: string;
    beforeAll(async () => {
      top = await realpath(await mkdtemp(join(tmpdir(), "muster-lint-")));
    });
    afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

    it.each([...libraries, ...commands])("publint finds nothing in %s", async (name) => {
      const { file } = await (libraries.includes(name) ? packLibrary(name, top) : packCommand(name, top));
      const program = join(tools ?? "", "publint/src/cli.js");
      const { stdout } = await run(node, [program, "run", file, "--strict"]).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toContain("All good!");
    });

    it.each(libraries)("attw finds the types of %s for every module resolution that has exports", async (name) => {
      const { file } = await packLibrary(name, top);
      const program = join(tools ?? "", "@arethetypeswrong/cli/dist/index.js");
      const args = [file, "--format", "json"];
      const { stdout } = await run(node, [program, ...args], { maxBuffer: 1 << 26 }).catch(
        (error: { stdout: string }) => error,
      );
      const { analysis, problems } = JSON.parse(stdout);
      expect(analysis.types).toEqual({ kind: "included" });
      expect(Object.keys(analysis.entrypoints)).toContain(".");
      // ESM only: Node 20.19 can `require` it, and TypeScript's node10 knows no exports.
      const told = Object.values(problems as Record<string, { resolutionKind?: string }[]>).flat();
      expect(told.filter(({ resolutionKind = "" }) => !["node10", "node16-cjs"].includes(resolutionKind))).toEqual([]);
    });
  },
);
