import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { xmlCall } from "./agent-world.ts";

const source = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");
/** What the loop of agent mode and its tests need of the repository. */
const parts = [
  ...["package.json", "tsconfig.base.json", "vitest.config.ts", "docs/house.md", "scripts"],
  ...["test/prepare-machine.ts", "test/start-nothing.ts"],
];
const rooms = [
  "base/core",
  "codebuff/protocol",
  "codebuff/runtime",
  "codebuff/workspace/src/terminal",
  "codebuff/cli/src",
];

/** A test the agent writes into its own source. */
export const selfTest = "codebuff/runtime/src/agent-mode/self-change.test.ts";

const text = [
  'import { expect, test } from "vitest";',
  'import { closingTag } from "../xml/call-reader.ts";',
  'test("the agent\'s own change", () => expect(closingTag("changed")).toBe("&lt;/changed&gt;"));',
].join("\n");

export const selfChange = xmlCall("write_file", { path: selfTest, instructions: "test", content: `${text}\n` });

/** A copy of the repository with the packages of this one. */
export async function copySource(target: string): Promise<void> {
  await mkdir(join(target, "docs"));
  for (const path of [...parts, ...rooms]) {
    const filter = (from: string) => !/\/(dist|node_modules)(\/|$)/.test(from.slice(source.length));
    await cp(join(source, path), join(target, path), { recursive: true, filter });
  }
  await symlink(join(source, "node_modules"), join(target, "node_modules"));
}
