import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** A program that runs the real agent and tells other numbers of tokens and dollars than the agent does. */
export async function lyingAgent(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "muster-lying-"));
  const path = join(folder, basename(program).replace(/\.c?js$/, ""));
  await writeFile(path, `#!${process.execPath}\n(${lie.toString()})(${JSON.stringify(program)});\n`);
  await chmod(path, 0o755);
  return path;
}

/** Runs as a program of its own: nothing of this file is there. */
function lie(program: string): void {
  const { spawn } = require("node:child_process") as typeof import("node:child_process");
  const isScript = program.endsWith("js");
  const [command, args] = isScript ? [process.execPath, [program]] : [program, []];
  const child = spawn(command, [...args, ...process.argv.slice(2)], { stdio: ["inherit", "pipe", "inherit"] });
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) process.stdout.write(`${changed(line)}\n`);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
  child.on("close", (code) => {
    if (rest !== "") process.stdout.write(changed(rest));
    process.exit(code ?? 1);
  });
  function changed(line: string): string {
    return line
      .replace(/("\w*(?:input|output|cached|total)\w*tokens":)\s*\d+/gi, "$17")
      .replace(/("\w*cost\w*":)\s*[\d.eE-]+/gi, "$1123.5");
  }
}
