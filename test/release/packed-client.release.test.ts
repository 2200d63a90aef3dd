import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ifReachable } from "../registry-package.ts";
import { toolsOfRegistry } from "../registry-tools.ts";
import { packLibrary } from "./pack-library.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");

/** The packages as they are released, in empty projects; what is not ours comes from the registry. */
describe("the TypeScript client as tarballs", { timeout: 300_000 }, () => {
  let top: string;
  const tarballs: Record<string, string> = {};
  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), "muster-packed-client-")));
    tarballs["@muster/client"] = (await packLibrary("daemon/client", top)).file;
  }, 300_000);
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  async function project(packages: readonly string[], options: object, files: Record<string, string>): Promise<string> {
    const folder = await mkdtemp(join(top, "project-"));
    const strict = { strict: true, exactOptionalPropertyTypes: true };
    const compilerOptions = { ...strict, target: "es2022", module: "nodenext", ...options };
    await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const wanted = packages.map((name) => tarballs[name] ?? name);
    const args = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", ...wanted];
    await run("npm", args, { cwd: folder });
    await run(process.execPath, [tsc, "-p", folder]).catch(({ stdout }) => expect(stdout).toBe(""));
    return folder;
  }

  it("a project for browsers compiles strictly, libraries too, and has no server", async () => {
    const options = { skipLibCheck: false, noEmit: true, lib: ["es2023", "dom", "dom.iterable"], types: [] };
    const folder = await project(["@muster/client"], options, {
      "main.ts": `import { Failure, SandboxDaemon } from "@muster/client";
import { UniversalEvent } from "@muster/client/schemas";

declare const token: string | undefined;
const daemon = SandboxDaemon.connect({ endpoint: "http://127.0.0.1:2468", token });
const session = daemon.session("s1", { agent: "claude", directory: "/work" });
session.onPermission(({ title }) => (title.startsWith("rm") ? "reject" : "once"));
for await (const event of session.prompt("Say hello")) {
  if (event.type === "item.delta") console.log(event.data.delta.toUpperCase());
}
const text: string = await session.ask("Say hello").catch((error: unknown) => {
  if (error instanceof Failure && error.code === "session_busy") return "busy";
  throw error;
});
const { sessions } = await daemon.client.sessions.list({ limit: 1 });
console.log(text, sessions[0]?.costUsd.toFixed(2), UniversalEvent["~standard"].vendor);
`,
      "api.ts": examplesOfThePages(),
    });
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@muster"]);
    expect(readdirSync(join(folder, "node_modules/@muster"))).toEqual(["client"]);
    for (const version of ["5.2.2", "5.9.3"]) {
      const modules = await ifReachable(`TypeScript ${version}`, toolsOfRegistry(`typescript@${version}`));
      if (modules === undefined) continue;
      const compiler = join(modules, "typescript/bin/tsc");
      await run(process.execPath, [compiler, "-p", folder]).catch(({ stdout }) =>
        expect([version, stdout]).toEqual([version, ""]),
      );
    }
  });

  it("the same commit gives the same bytes", async () => {
    const again = join(top, "again");
    await mkdir(again);
    expect(
      readFileSync((await packLibrary("daemon/client", again)).file).equals(
        readFileSync(tarballs["@muster/client"] ?? ""),
      ),
    ).toBe(true);
  });

  it("a project for Node compiles strictly and runs an agent in its own process, with the client alone", async () => {
    const folder = await project(
      ["@muster/client", "@types/node@20"],
      { skipLibCheck: false, types: ["node"] },
      {
        "main.ts": `import { Failure } from "@muster/client";
import { inline } from "@muster/client/inline";
import { spawn, SpawnFailure } from "@muster/client/node";

const daemon = await inline({ dataDirectory: "data", env: { PATH: process.env.PATH, HOME: process.cwd() } });
const session = daemon.session("s1", { agent: "mock" });
session.onQuestion(({ questions }) => ({ answers: questions.map(({ options }) => [options[0]?.label ?? ""]) }));
console.log(await session.ask("question"));
const unknown = await daemon.session("none").ask("hello").catch((error: unknown) => error);
console.log(unknown instanceof Failure && unknown.code);
await daemon.close();
const none = await spawn({ command: ["no-such-program"] }).catch((error: unknown) => error);
console.log(none instanceof SpawnFailure);
`,
      },
    );
    await mkdir(join(folder, "data"));
    const { stdout } = await run(process.execPath, ["main.js"], { cwd: folder });
    expect(stdout).toBe("You answered: Red.\nsession_not_found\ntrue\n");
    expect(readdirSync(join(folder, "node_modules/@muster"))).toEqual(["client"]);
    // What Amp asks before it uses a tool; without its daemon nothing is allowed.
    const server = join(folder, "node_modules/@muster/client/inside/server");
    const asking = run(process.execPath, [join(server, "daemon/adapters/dist/amp/run/permission-main.js")]);
    asking.child.stdin?.end();
    await expect(asking).rejects.toMatchObject({ code: 2, stderr: "" });
  });
});

/** What docs/api shows of TypeScript, each in a block of its own. */
function examplesOfThePages(): string {
  const folder = join(root, "docs/api");
  const blocks = readdirSync(folder)
    .filter((name) => !["README.md", "types.md"].includes(name))
    .map((name) => /```ts\n([\s\S]*?)\n```/.exec(readFileSync(join(folder, name), "utf8"))?.[1]);
  return `import type { SandboxDaemon } from "@muster/client";
declare const daemon: SandboxDaemon;
${blocks.map((block) => `{\n${block}\n}`).join("\n")}
export {};
`;
}
