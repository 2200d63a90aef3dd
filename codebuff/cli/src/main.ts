import { homedir } from "node:os";

// No await at the top: the bundle is CommonJS.
void main();

async function main(): Promise<void> {
  const { runCommandLine } = await import("./command-line.ts");
  const { stdin, stdout, stderr, env } = process;
  // A reader that leaves (`… | head`) is no reason to crash; what writes notices it and ends the run.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});

  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(signal === "SIGINT" ? 130 : 143);
      interrupted.abort(signal);
    });
  }
  const code = await runCommandLine({
    args: process.argv.slice(2),
    env,
    home: env.HOME ?? homedir(),
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    interrupted: interrupted.signal,
  });

  // Kept-alive connections would hold the process for seconds, so it is ended as soon as all is written.
  stdout.write("", () => stderr.write("", () => process.exit(code)));
}
