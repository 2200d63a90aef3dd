import type { ProblemRows } from "./problem-row.ts";

export const processProblems = {
  process_not_found: [404, "No such process"],
  process_exists: [409, "The process id is taken"],
  process_ended: [409, "The process has ended"],
  process_not_started: [422, "The process could not be started"],
  input_refused: [409, "The process does not take its input"],
  no_terminal: [409, "The process has no terminal"],
  memory_limit_unavailable: [501, "No limit of memory can be set here"],
  terminal_unavailable: [501, "No terminal can be opened here"],
  processes_disabled: [403, "This daemon runs no processes for its clients"],
} as const satisfies ProblemRows;
