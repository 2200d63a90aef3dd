export { AllowedRoots, type Reach, type Root } from "./access/roots.ts";
export type { UserProgram } from "./files/as-user/files-of-user.ts";
export { filesProgramFile, runFilesProgram } from "./files/as-user/program-file.ts";
export type { Bytes, FileAnswer, FileCall, FileFields, FileHeaders, FileOperation } from "./files/file-call.ts";
export { FilesDoor, type FilesDoorOptions } from "./files/files-door.ts";
