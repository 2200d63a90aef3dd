import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const compiler = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

/** A member of an enum is in JSON the text or the number that it stands for. */
const plain = `type Plain<T> = unknown extends T ? T
  : T extends string ? (string extends T ? string : \`\${T}\`)
  : T extends number ? number
  : T extends readonly (infer U)[] ? Plain<U>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> }
  : T;`;

/** What the compiler says of a value that is to be of a type of somebody's declarations: other fields, other values. */
export async function typeFaults(value: unknown, declarations: string, type: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "muster-typed-"));
  try {
    const file = join(folder, "value.ts");
    const imported = `import type { ${type} } from ${JSON.stringify(declarations.replace(/\.d\.ts$/, ".js"))};`;
    const typed = `export const value: Plain<${type}> = ${JSON.stringify(value, null, 1)};`;
    await writeFile(file, [imported, plain, typed].join("\n"));
    const options = ["--ignoreConfig", "--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--types", ""];
    const { stdout } = await execute(process.execPath, [compiler, ...options, file]).catch((error) => error);
    return String(stdout)
      .split("\n")
      .filter((line) => line.includes("error TS"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
