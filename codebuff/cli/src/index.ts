export { runCommandLine } from "./command-line.ts";
export type { Io } from "./io.ts";
