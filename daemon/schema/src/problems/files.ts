import type { ProblemRows } from "./problem-row.ts";

/** Files and what may be done with them. */
export const fileProblems = {
  files_off: [403, "The daemon gives no files"],
  path_outside_roots: [403, "The path leads out of what may be reached"],
  file_denied: [403, "The system does not allow it"],
  file_not_found: [404, "No such file"],
  file_exists: [409, "There is a file of that name"],
  not_a_directory: [409, "It is no directory"],
  not_a_file: [409, "It is no file"],
  directory_not_empty: [409, "The directory is not empty"],
  precondition_failed: [412, "The file is not as the request expects"],
  archive_refused: [400, "The archive cannot be taken"],
  range_not_satisfiable: [416, "The file has no such range"],
  files_unavailable: [501, "This system cannot give it"],
  disk_full: [507, "The disk takes no more"],
} as const satisfies ProblemRows;
