import { runCommandLine } from "./cli/command-line.ts";

// No await at the top: the bundle is CommonJS.
void main();

async function main(): Promise<void> {
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  const code = await runCommandLine({ args: process.argv.slice(2), env, stdout, stderr });
  stdout.write("", () => stderr.write("", () => process.exit(code)));
}
