export { type CommandEnvironment, runCommandLine } from "./command-line.ts";
