import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newerNode } from "../newer-node.ts";
import { toolsOfRegistry } from "../registry-tools.ts";

const run = promisify(execFile);
const document = fileURLToPath(new URL("../../daemon/schema/generated/openapi.json", import.meta.url));

/** A generator of the npm registry, how it is called, and a program for what it makes. */
export interface Generator {
  packages: readonly string[];
  /** Its program in node_modules, and the words of its command line; it writes into `api/` or `api.ts`. */
  command(document: string): readonly [program: string, ...args: string[]];
  /** Creates the session of its argument, prints the session's agent, how many are listed, and what a problem is called. */
  program: string;
}

/** Makes a client, compiles it strictly with a program, and runs that on a daemon. Resolves with what it printed. */
export async function runGeneratedClient(
  generator: Generator,
  daemon: { endpoint: string; token: string },
): Promise<string> {
  const modules = await toolsOfRegistry(...generator.packages, "typescript@5.9.3", "@types/node@22");
  const node = await newerNode();
  const folder = await mkdtemp(join(tmpdir(), "muster-generated-"));
  try {
    await symlink(modules, join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
    await mkdir(join(folder, "api"));
    const [program, ...args] = generator.command(document);
    await told(run(node, [join(modules, program), ...args], { cwd: folder, env: { ...process.env, CI: "1" } }));
    await writeFile(join(folder, "main.ts"), generator.program);
    const compilerOptions = {
      strict: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2023", "dom", "dom.iterable"],
      types: ["node"],
      skipLibCheck: true,
      rewriteRelativeImportExtensions: true,
      outDir: "out",
      rootDir: ".",
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    await told(run(node, [join(modules, "typescript/bin/tsc"), "-p", folder]));
    // Generated files import each other without endings, which only bundlers understand.
    const loader = `data:text/javascript,${encodeURIComponent(endings)}`;
    const env = { ...process.env, ENDPOINT: daemon.endpoint, TOKEN: daemon.token };
    return (await told(run(node, ["--import", loader, join(folder, "out/main.js")], { cwd: folder, env }))).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tries what was asked for, with `.js` and as a folder. */
const endings = `import { registerHooks } from "node:module";
registerHooks({ resolve(specifier, context, next) {
  if (!specifier.startsWith(".")) return next(specifier, context);
  for (const ending of ["", ".js", "/index.js"]) { try { return next(specifier + ending, context); } catch {} }
  return next(specifier, context);
} });`;

/** What the tools say is the message of a failure. */
function told<T>(running: Promise<T>): Promise<T> {
  return running.catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.stdout ?? ""}\n${error.stderr ?? error}`);
  });
}
