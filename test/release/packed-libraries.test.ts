import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PackedPackage } from "./loopback-registry.ts";
import { packLibrary } from "./pack-library.ts";

const run = promisify(execFile);

/** The libraries as they are released; the other package managers are in package-managers.release.test.ts. */
describe("a packed library", () => {
  let top: string;
  let client: PackedPackage;
  let sdk: PackedPackage;
  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), "muster-libraries-")));
    client = await packLibrary("daemon/client", top);
    sdk = await packLibrary("codebuff/sdk", top);
  }, 60_000);
  afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));
  const folderOf = (name: string) => join(top, name, "package");

  it("the client is installed by npm without a registry, brings nothing else, and runs an agent", {
    timeout: 60_000,
  }, async () => {
    const project = join(top, "project");
    await mkdir(join(project, "data"), { recursive: true });
    await writeFile(join(project, "package.json"), '{ "type": "module", "private": true }');
    const none = [
      "--registry",
      "http://127.0.0.1:9/",
      "--fetch-retries=0",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    ];
    await run("npm", ["install", ...none, client.file], { cwd: project });
    expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@muster"]);
    await writeFile(
      join(project, "main.js"),
      `import { inline } from "@muster/client/inline";
import { Session } from "@muster/client/schemas";
const daemon = await inline({ dataDirectory: "data", env: { PATH: process.env.PATH, HOME: process.cwd() } });
const session = daemon.session({ agent: "mock" });
console.log(await session.ask("echo hello"));
console.log(Session.parse(await daemon.client.sessions.get({ sessionId: session.id })).agent);
await daemon.close();
`,
    );
    expect((await run(process.execPath, ["main.js"], { cwd: project })).stdout).toBe("hello\nmock\n");
  });

  it.each(["daemon-client", "codebuff-sdk"])("%s names nothing that is not published, in no file", (name) => {
    const { manifest } = name === "daemon-client" ? client : sdk;
    const ours = filesIn(folderOf(name)).filter((file) => /\.(js|d\.ts)$/.test(file));
    const named = ours.filter((file) =>
      /(from|import\(|import|require\() ?"@muster\//.test(
        readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ""),
      ),
    );
    expect(named).toEqual([]);
    expect(Object.keys({ ...(manifest.dependencies as object) }).filter((one) => one.startsWith("@muster/"))).toEqual(
      [],
    );
    expect(manifest).not.toHaveProperty("bundleDependencies");
    expect(manifest).not.toHaveProperty("private");
  });

  it.each(["daemon-client", "codebuff-sdk"])(
    "%s says where it comes from, what is new and whose code is inside",
    (name) => {
      const { manifest } = name === "daemon-client" ? client : sdk;
      for (const field of [
        "repository",
        "homepage",
        "bugs",
        "keywords",
        "author",
        "license",
        "type",
        "sideEffects",
        "engines",
      ]) {
        expect(manifest).toHaveProperty(field);
      }
      expect(manifest.exports).toHaveProperty(["./package.json"]);
      for (const file of ["LICENSE", "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt"])
        expect(existsSync(join(folderOf(name), file))).toBe(true);
      const readme = readFileSync(join(folderOf(name), "README.md"), "utf8");
      expect([...readme.matchAll(/\]\((?!https:\/\/|#)([^)]*)\)/g)].map(([, target]) => target)).toEqual([]);
    },
  );

  it("the client's notices are those of the packages in its code", () => {
    const notices = readFileSync(join(folderOf("daemon-client"), "THIRD-PARTY-NOTICES.txt"), "utf8");
    expect(notices).toMatch(/^zod \d\S+ \(MIT\)$/m);
    expect(notices).toMatch(/^@opentelemetry\/\S+ \S+ \(Apache-2\.0\)$/m);
    expect(notices).toContain("Permission is hereby granted");
    expect(notices).not.toContain("@muster/");
  });
});

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
