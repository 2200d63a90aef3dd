/** The program as built, also when these sources run unbuilt: a child process needs JavaScript. */
export const filesProgramFile = new URL("../../../dist/files/as-user/program.js", import.meta.url);

/** Runs it in this process: a single executable has no file of it. */
export async function runFilesProgram(): Promise<void> {
  await import("./program.ts");
}
