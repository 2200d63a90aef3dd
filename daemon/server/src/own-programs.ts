import { runOwnProgram as runAgentProgram } from "@muster/adapters";

/** Called with `__agent <name> …` on the command line, as a single executable starts a program of ours. */
export async function runOwnProgram(argv: string[]): Promise<void> {
  if (argv[3] === "files") return (await import("@muster/sandbox")).runFilesProgram();
  if (argv[3] !== "process-keeper") return runAgentProgram(argv);
  argv.splice(2, 2);
  await (await import("@muster/sandbox")).runKeeper(argv);
}
