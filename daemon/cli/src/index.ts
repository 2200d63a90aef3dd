export { runCommandLine, type Surroundings } from "./command-line.ts";
