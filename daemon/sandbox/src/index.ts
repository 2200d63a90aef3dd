export {
  bytesOf,
  type ChunkReader,
  listeningPorts,
  Processes,
  type ProcessFilter,
  type ProcessHost,
  runKeeper,
  runProcess,
  type SandboxProcess,
  type StartOptions,
} from "./processes/index.ts";
export { asciicastOf, Terminals, type ViewerSocket } from "./terminals/index.ts";
