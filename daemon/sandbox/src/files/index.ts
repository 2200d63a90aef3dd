export { AllowedRoots, type Reach, type Root } from "../access/roots.ts";
export type { UserProgram } from "./as-user/files-of-user.ts";
export { filesProgramFile, runFilesProgram } from "./as-user/program-file.ts";
export type { Bytes, FileAnswer, FileCall, FileFields, FileHeaders, FileOperation } from "./file-call.ts";
export { FilesDoor, type FilesDoorOptions } from "./files-door.ts";
