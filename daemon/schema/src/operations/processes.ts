import { z } from "zod";
import { SessionId } from "../ids.ts";
import {
  Process,
  ProcessChunk,
  ProcessEnd,
  ProcessId,
  ProcessPort,
  RunProcess,
  StartProcess,
  TerminalSize,
} from "../processes.ts";
import type { Operation } from "./operation.ts";
import { empty, Flag, json, none, sse } from "./row-parts.ts";

const process = z.object({ processId: ProcessId });
const newProcess = z.object({ processId: ProcessId.optional() });
const inProcess = ["process_not_found", "processes_disabled"] as const;
const toStart = [
  "processes_disabled",
  "process_not_started",
  "memory_limit_unavailable",
  "session_not_found",
  "session_deleted",
  "session_unreadable",
  "storage_full",
] as const;

const Offset = z.coerce.number().int().nonnegative();
const asText = Flag.optional().describe("Gives text in place of data wherever the bytes are whole characters");

export const processOperations = {
  "processes.run": {
    method: "POST",
    path: "/processes/run",
    summary: "Runs a program to its end and answers with its exit code and its outputs",
    description:
      "Beyond maxOutput the outputs in the answer are cut; all of it is in the log of the process, which is kept under its id. A limit that is reached ends the program, and the answer says so.",
    params: none,
    body: RunProcess,
    ...json,
    response: z.object({
      processId: z.string().describe("Under which its log is kept"),
      end: ProcessEnd,
      stdout: z.string().describe("Its output as text; what is no text is shown as replacement characters"),
      stderr: z.string().describe("The same of its errors"),
      truncated: z.boolean().describe("There is more in the log than here"),
      durationMs: z.int().nonnegative().describe("From its start to its end"),
    }),
    cli: ["processes", "run"],
    scope: "work",
    problems: [...toStart],
  },
  "processes.start": {
    method: "POST",
    path: "/processes/{processId}",
    madeParam: "processId",
    summary: "Starts a process; without an id one is made",
    description:
      "It runs until it ends, is ended, or its owner ends. All it writes is numbered and kept, and can be read while it runs and afterwards. When the daemon is killed it lives on, and the next daemon takes it over.",
    params: newProcess,
    body: StartProcess,
    answer: "json",
    status: 201,
    response: Process,
    cli: ["processes", "start"],
    scope: "work",
    problems: [...toStart, "process_exists", "terminal_unavailable"],
  },
  "processes.list": {
    method: "GET",
    path: "/processes",
    summary: "Processes in the order they were started",
    description: "Those that run, and those that have ended and are kept.",
    params: none,
    query: z.object({
      owner: SessionId.optional().describe("Only those of this session"),
      state: z.enum(["running", "ended"]).optional().describe("Only those in this state"),
    }),
    ...json,
    response: z.object({ processes: z.array(Process).describe("Oldest first") }),
    cli: ["processes", "list"],
    scope: "read",
    problems: ["processes_disabled"],
  },
  "processes.get": {
    method: "GET",
    path: "/processes/{processId}",
    summary: "One process",
    description: "Whether it runs, how much it has written, and how it ended.",
    params: process,
    ...json,
    response: Process,
    cli: ["processes", "get"],
    scope: "read",
    problems: [...inProcess],
  },
  "processes.wait": {
    method: "GET",
    path: "/processes/{processId}/wait",
    summary: "Answers when the process has ended, or the time is over",
    description: "The state in the answer tells which of the two it was. The process itself goes on.",
    params: process,
    query: z.object({
      timeoutMs: z.coerce.number().int().min(0).max(3_600_000).optional().describe("60,000 by default"),
    }),
    ...json,
    response: Process,
    cli: ["processes", "wait"],
    scope: "read",
    problems: [...inProcess],
  },
  "processes.getLogs": {
    method: "GET",
    path: "/processes/{processId}/logs",
    summary: "A page of what a process has written, from any byte on",
    description:
      "offset counts the bytes of all its output together. The page ends at a piece of output; next is the offset for the page after it.",
    params: process,
    query: z.object({
      offset: Offset.optional().describe("How many bytes to leave out; 0 is the beginning"),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(8 * 1024 * 1024)
        .optional()
        .describe("About how many bytes of output; 1 MiB by default"),
      text: asText,
    }),
    ...json,
    response: z.object({
      chunks: z.array(ProcessChunk).describe("Oldest first"),
      next: z.int().nonnegative().describe("The offset of the next page"),
      hasMore: z.boolean().describe("Whether there is more now"),
    }),
    cli: ["processes", "get-logs"],
    scope: "read",
    problems: [...inProcess, "cursor_ahead"],
  },
  "processes.streamLogs": {
    method: "GET",
    path: "/processes/{processId}/logs/sse",
    summary: "What a process writes, from any byte on, then live; ends with the process",
    description:
      "Server-sent events; the id of each is the offset behind it. Connect again with Last-Event-ID or offset and no byte is lost or told twice, also when the daemon was started anew in between.",
    params: process,
    query: z.object({
      offset: Offset.optional().describe("How many bytes to leave out; 0 is the beginning"),
      text: asText,
    }),
    ...sse,
    response: ProcessChunk,
    cli: ["processes", "stream-logs"],
    scope: "read",
    problems: [...inProcess, "cursor_ahead"],
  },
  "processes.input": {
    method: "POST",
    path: "/processes/{processId}/input",
    summary: "Writes to the input of a process, or to its terminal",
    description: "Answers when what holds the process has it. A process that reads nothing is given 1 MiB at most.",
    params: process,
    body: z.object({
      text: z
        .string()
        .max(1024 * 1024)
        .optional()
        .describe("What to write"),
      data: z
        .base64()
        .max(1024 * 1024)
        .optional()
        .describe("The same as bytes in base64"),
      end: z.boolean().optional().describe("Ends its input afterwards; in a terminal this presses Ctrl-D"),
    }),
    ...empty,
    cli: ["processes", "input"],
    scope: "work",
    problems: [...inProcess, "process_ended", "input_refused"],
  },
  "processes.signal": {
    method: "POST",
    path: "/processes/{processId}/signal",
    summary: "Sends a signal to a process and its group",
    description: "What becomes of it is told by its end. To be sure that it and all it started are gone, delete it.",
    params: process,
    body: z.object({
      signal: z
        .enum([
          "SIGTERM",
          "SIGINT",
          "SIGHUP",
          "SIGQUIT",
          "SIGKILL",
          "SIGUSR1",
          "SIGUSR2",
          "SIGSTOP",
          "SIGCONT",
          "SIGWINCH",
        ])
        .optional()
        .describe("SIGTERM by default"),
    }),
    ...empty,
    cli: ["processes", "signal"],
    scope: "work",
    problems: [...inProcess, "process_ended"],
  },
  "processes.resize": {
    method: "POST",
    path: "/processes/{processId}/resize",
    summary: "Gives the terminal of a process another size",
    description: "For all who look at it.",
    params: process,
    body: z.object(TerminalSize.shape),
    ...empty,
    cli: ["processes", "resize"],
    scope: "work",
    problems: [...inProcess, "process_ended", "no_terminal"],
  },
  "processes.end": {
    method: "POST",
    path: "/processes/{processId}/end",
    summary: "Ends a process and all it has started; its log stays",
    description: "Asks first, and kills what is left when the time is over. Answers when all are verified dead.",
    params: process,
    body: z.object({
      graceMs: z
        .int()
        .min(0)
        .max(60_000)
        .optional()
        .describe("How long it may take to end by itself; 2,000 by default"),
    }),
    ...json,
    response: Process,
    cli: ["processes", "end"],
    scope: "work",
    problems: [...inProcess],
  },
  "processes.delete": {
    method: "DELETE",
    path: "/processes/{processId}",
    summary: "Ends a process with all it has started, and removes its log",
    description: "For good. Readers of its log end.",
    params: process,
    ...empty,
    cli: ["processes", "delete"],
    scope: "work",
    problems: [...inProcess],
  },
  "processes.ports": {
    method: "GET",
    path: "/processes/{processId}/ports",
    summary: "The ports a process and all it has started listen on",
    description: "Found in /proc: the sockets that these processes have open.",
    params: process,
    ...json,
    response: z.object({ ports: z.array(ProcessPort).describe("By their numbers; none where there is no /proc") }),
    cli: ["processes", "ports"],
    scope: "read",
    problems: [...inProcess],
  },
} as const satisfies Record<string, Operation>;
