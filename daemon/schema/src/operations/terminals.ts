import { z } from "zod";
import { ProcessId, TerminalScreen } from "../processes.ts";
import type { Operation } from "./operation.ts";
import { json } from "./row-parts.ts";

const process = z.object({ processId: ProcessId });
const inTerminal = ["process_not_found", "processes_disabled", "no_terminal"] as const;

export const terminalOperations = {
  "terminals.screen": {
    method: "GET",
    path: "/processes/{processId}/screen",
    summary: "What is on the terminal of a process, as text with styles",
    description:
      "Also after its end. For a person who wants to look and type there is the WebSocket at /processes/{processId}/attach.",
    params: process,
    ...json,
    response: TerminalScreen,
    cli: ["terminals", "screen"],
    scope: "read",
    problems: [...inTerminal],
  },
  "terminals.recording": {
    method: "GET",
    path: "/processes/{processId}/recording",
    summary: "What was written to the terminal, as an asciicast for players of recordings",
    description: "Version 2 of that format. 64 MiB of output at most; give the offset for what follows.",
    params: process,
    query: z.object({
      offset: z.coerce.number().int().nonnegative().optional().describe("How many bytes of output to leave out"),
    }),
    answer: "text",
    status: 200,
    contentType: "application/x-asciicast",
    cli: ["terminals", "recording"],
    scope: "read",
    problems: [...inTerminal, "cursor_ahead"],
  },
} as const satisfies Record<string, Operation>;
