export type { Channel, OpenChannel, TerminalSize } from "./channel/channel.ts";
export { loadTerminal } from "./channel/load-terminal.ts";
export { openPipes } from "./channel/pipe-channel.ts";
export { loadPty } from "./channel/pty-channel.ts";
export { boundedText, tailText } from "./output/bounded-text.ts";
export { cleanOutput, unfinishedEnd } from "./output/clean-output.ts";
export { OutputBuffer, type Unread } from "./output/output-buffer.ts";
export { allowedVariables, moreVariables, secretValues } from "./processes/allowed-variables.ts";
export { childEnd } from "./processes/child-end.ts";
export { type DetachedCommand, type DetachedOptions, startDetached } from "./processes/detached-command.ts";
export { type Environment, loginEnvironment, terminalEnvironment } from "./processes/environment.ts";
export {
  createOwnerDirectory,
  endOrphans,
  type OwnerDirectory,
  removeOwnerDirectory,
} from "./processes/owner-directory.ts";
export { endTree, type Owner, ownedProcesses } from "./processes/process-tree.ts";
export { RunningCommand, type WaitOutcome } from "./shell/running-command.ts";
export { Shell } from "./shell/shell.ts";
