import { runOwnProgram as runAgentProgram } from "@muster/adapters";

/** Called with `__agent <name> …` on the command line: the programs of agents, and the one that reaches files for their user. */
export async function runOwnProgram(argv: string[]): Promise<void> {
  if (argv[3] !== "files") return await runAgentProgram(argv);
  const { runFilesProgram } = await import("@muster/sandbox");
  await runFilesProgram();
}
