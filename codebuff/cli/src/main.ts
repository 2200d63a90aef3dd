import { homedir } from "node:os";

// No await at the top: the bundle is CommonJS.
void main();

async function main(): Promise<void> {
  const [{ runCommandLine }, { listenToSignals }] = await Promise.all([
    import("./command-line.ts"),
    import("./signals.ts"),
  ]);
  const { stdin, stdout, stderr, env } = process;
  // A reader that leaves (`… | head`) is no reason to crash; what writes notices it and ends the run.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});

  const code = await runCommandLine({
    args: process.argv.slice(2),
    env,
    home: env.HOME ?? homedir(),
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    ...listenToSignals(),
  });

  // Kept-alive connections would hold the process for seconds, so it is ended as soon as all is written.
  stdout.write("", () => stderr.write("", () => process.exit(code)));
}
