import { runCommandLine } from "./cli/command-line.ts";

const { stdout, stderr, env } = process;
for (const stream of [stdout, stderr]) stream.on("error", () => {});
const code = await runCommandLine({ args: process.argv.slice(2), env, stdout, stderr });
stdout.write("", () => stderr.write("", () => process.exit(code)));
