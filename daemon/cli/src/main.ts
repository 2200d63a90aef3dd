import { homedir } from "node:os";

// No await at the top: the bundle is CommonJS. The first is not for people: in a single executable there is no file of
// ours that Node could run, so that it starts itself again.
void (process.argv[2] === "__agent" ? runProgram() : main());

async function runProgram(): Promise<void> {
  const { runOwnProgram } = await import("@muster/server");
  await runOwnProgram(process.argv);
}

async function main(): Promise<void> {
  const { runCommandLine } = await import("./command-line.ts").catch(endIfFilesAreFew);
  const { userDirectory } = await import("./default-places.ts");
  const { stdin, stdout, stderr, env } = process;
  // A reader that leaves (`… | head`) is no reason to crash; commands that stream notice it themselves and end.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  const args = process.argv.slice(2);
  const directory = userDirectory(env, process.cwd());
  const code = await runCommandLine({ args, env, home: homedir(), directory, stdin, stdout, stderr });

  // Idle keep-alive connections would hold the process for seconds, so it is ended as soon as all is written.
  stdout.write("", () => stderr.write("", () => process.exit(code)));
}

/** Loading our own files is the first thing that fails where a process may open only a handful. */
function endIfFilesAreFew(error: NodeJS.ErrnoException): never {
  if (error.code !== "EMFILE" && error.code !== "ENFILE") throw error;
  process.stderr.write("error: this process may open too few files; raise the limit, for example: ulimit -n 4096\n");
  process.exit(1);
}
