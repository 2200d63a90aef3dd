export { endOfJsonString } from "./end-of-json-string.ts";
export { makeDirectories, makeDirectoriesNow, makeDurableDirectories, syncDirectory } from "./files/directories.ts";
export { type GuardedTextOptions, readGuardedText } from "./files/guarded-text.ts";
export { isInside } from "./files/is-inside.ts";
export { openRegular, openRegularSync, readRegular } from "./files/regular-file.ts";
export { type ReplaceFileOptions, removeDurably, replaceFile } from "./files/replace-file.ts";
export {
  BorrowedRepository,
  findExcludesFile,
  findRepository,
  type RepositoryPlace,
} from "./git/borrowed-repository.ts";
export { type GitCall, GitFailure, runGit, withoutUserSettings } from "./git/run-git.ts";
export { BodyFailure, type BodyLimits, readBody } from "./http-body.ts";
export { linesBackward, linesForward, type PlacedLine } from "./lines/file-lines.ts";
export { type BrokenLine, type Line, type LineOptions, LineSplitter } from "./lines/line-splitter.ts";
export { readLines } from "./lines/read-lines.ts";
export { type PidLock, takePidLock } from "./locks/pid-lock.ts";
export { isProxyExempt, parseProxy, proxyEndpoint, proxyHeaders } from "./network/proxy.ts";
export { Output } from "./output.ts";
export { bootId } from "./processes/boot-id.ts";
export { eraseVariables } from "./processes/erase-variables.ts";
export {
  isProcessAlive,
  type ProcessEntry,
  type ProcessIdentity,
  type ProcessTable,
  readProcessTable,
  readProcessTableNow,
  startTimeOf,
} from "./processes/process-table.ts";
export { sendSignal, signalGroup } from "./processes/send-signal.ts";
export { SerialQueue, SerialQueues } from "./serial-queue.ts";
export { dataOf, FrameCutter, FrameTooLong, framesOf, mostFrameBytes } from "./sse/frame-cutter.ts";
