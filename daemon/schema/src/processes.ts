import { z } from "zod";
import { SessionId, Time } from "./ids.ts";

/** The name of a folder as well: small letters alone, because some disks know no others. */
export const processIdForm = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export const ProcessId = z
  .string()
  .regex(processIdForm, `must match ${processIdForm.source}`)
  .describe("The process's id: your own, or one the daemon made");
export type ProcessId = z.infer<typeof ProcessId>;

export const TerminalSize = z
  .object({
    columns: z.int().min(2).max(1000).describe("Characters in a row"),
    rows: z.int().min(1).max(1000).describe("Rows on the screen"),
  })
  .describe("The size of a terminal");
export type TerminalSize = z.infer<typeof TerminalSize>;

export const ProcessLimits = z
  .object({
    timeoutMs: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe("It is ended after so many milliseconds; by default a process may run for ever, and a run one minute"),
    outputBytes: z
      .int()
      .min(1)
      .max(1024 ** 4)
      .optional()
      .describe("It is ended when it has written so much; 1 GiB by default"),
    memoryBytes: z
      .int()
      .min(1024 * 1024)
      .optional()
      .describe(
        "What it and all it starts may use together; refused where the kernel lets us make no group of processes",
      ),
  })
  .describe("What a process may use; behind a limit it is ended, with all it has started");
export type ProcessLimits = z.infer<typeof ProcessLimits>;

const given = {
  command: z
    .string()
    .min(1)
    .max(100_000)
    .describe("The program, by its path or its name on PATH; no shell reads it: for one, start sh with -c"),
  args: z.array(z.string().max(1_000_000)).max(10_000).optional().describe("Its arguments"),
  directory: z.string().min(1).optional().describe("Where it runs; the directory of its session, or the daemon's"),
  env: z
    .record(z.string().regex(/^[^=\0]+$/), z.string())
    .optional()
    .describe("Added to the variables that agents get too; they are kept nowhere"),
  owner: SessionId.optional().describe("The session it belongs to: it ends with that; without one it is the daemon's"),
};

export const StartProcess = z
  .object({
    ...given,
    pty: TerminalSize.optional().describe("It gets a terminal of this size in place of pipes"),
    limits: ProcessLimits.optional(),
  })
  .describe("A process to start");
export type StartProcess = z.infer<typeof StartProcess>;

export const RunProcess = z
  .object({
    ...given,
    input: z
      .string()
      .max(16 * 1024 * 1024)
      .optional()
      .describe("Written to it, followed by the end of input"),
    maxOutput: z
      .int()
      .min(0)
      .max(8 * 1024 * 1024)
      .optional()
      .describe("How many bytes of each output are in the answer; 1 MiB by default, the rest is in its log"),
    limits: ProcessLimits.optional(),
  })
  .describe("A process to run to its end");
export type RunProcess = z.infer<typeof RunProcess>;

export const ProcessEnd = z
  .object({
    reason: z
      .enum(["exited", "time_limit", "output_limit", "ended", "lost"])
      .describe(
        "exited by itself or by a signal; ended by the daemon, for a limit or because somebody asked; lost: the machine or what held it went away, and it with it",
      ),
    exitCode: z.int().nullable().describe("null when a signal ended it, or nobody knows"),
    signal: z.string().nullable().describe("The signal that ended it"),
    outputBytes: z.int().nonnegative().describe("How much it has written in all"),
    endedAt: Time.describe("When its end was seen"),
  })
  .describe("How a process ended");
export type ProcessEnd = z.infer<typeof ProcessEnd>;

export const Process = z
  .object({
    processId: z.string().describe("Its id"),
    command: z.string().describe("The program"),
    args: z.array(z.string()).describe("Its arguments"),
    directory: z.string().describe("Where it runs"),
    owner: z.string().optional().describe("The session it belongs to; none: the daemon's own"),
    pty: TerminalSize.optional().describe("It has a terminal of this size"),
    limits: ProcessLimits,
    state: z.enum(["running", "ended"]).describe("ended: it and all it started are gone"),
    pid: z.int().optional().describe("Its number in the system"),
    createdAt: Time.describe("When it was started"),
    outputBytes: z.int().nonnegative().describe("How much it has written so far"),
    adopted: z.int().nonnegative().describe("How often a daemon that started anew has taken it over"),
    end: ProcessEnd.optional(),
  })
  .describe("A process that the daemon runs");
export type Process = z.infer<typeof Process>;

const place = {
  sequence: z.int().positive().describe("Its number in the log"),
  time: Time.describe("When the daemon had it"),
};

const offset = z.int().nonnegative().describe("How many bytes of output were before it");

export const OutputChunk = z
  .object({
    ...place,
    type: z.literal("output").describe("It wrote something"),
    offset,
    end: z.int().nonnegative().describe("The offset behind it: where to go on"),
    stream: z.enum(["stdout", "stderr", "pty"]).describe("Where it was written"),
    data: z.string().optional().describe("The bytes in base64"),
    text: z.string().optional().describe("In place of data, with text, where the bytes are whole characters"),
  })
  .describe("What a process wrote");

export const ResizedChunk = z
  .object({
    ...place,
    type: z.literal("resized").describe("Its terminal got another size"),
    offset,
    columns: z.int().describe("Characters in a row from here on"),
    rows: z.int().describe("Rows from here on"),
  })
  .describe("Its terminal got another size");

export const AdoptedChunk = z
  .object({ ...place, type: z.literal("adopted").describe("Another daemon took it over"), offset })
  .describe("A daemon that started anew took it over; of its output nothing is missing");

export const EndedChunk = z
  .object({ ...place, type: z.literal("ended").describe("It has ended"), offset, ...ProcessEnd.shape })
  .describe("It has ended; nothing follows");

export const DamagedChunk = z
  .object({
    ...place,
    type: z.literal("damaged").describe("Lines were lost"),
    from: z.int().describe("The first line that cannot be read any more"),
    bytes: z.int().describe("How many bytes of the file they were"),
  })
  .describe("Lines that the disk has lost; the offsets around it tell how much of the output that is");

/** One line of the log of a process. */
export const ProcessChunk = z
  .discriminatedUnion("type", [OutputChunk, ResizedChunk, AdoptedChunk, EndedChunk, DamagedChunk])
  .describe(
    "A piece of the log of a process: output, a new size of its terminal, a daemon that took it over, its end, or lines that a disk has lost",
  );
export type ProcessChunk = z.infer<typeof ProcessChunk>;

export const ProcessPort = z
  .object({
    port: z.int().describe("Its number"),
    address: z.string().describe("The address it listens on"),
    pid: z.int().describe("Which of the processes listens"),
  })
  .describe("A port on which a process or one it started listens");
export type ProcessPort = z.infer<typeof ProcessPort>;

export const ScreenRun = z
  .object({
    text: z.string().describe("Characters of one style"),
    style: z
      .string()
      .optional()
      .describe("Their style as parameters of an SGR sequence, such as 1;38;5;2; none: plain"),
  })
  .describe("Characters of one style");
export type ScreenRun = z.infer<typeof ScreenRun>;

export const TerminalScreen = z
  .object({
    offset: z.int().nonnegative().describe("All output up to here is on the screen"),
    columns: z.int().describe("Characters in a row"),
    rows: z.int().describe("Rows"),
    cursor: z
      .object({
        row: z.int().describe("From 0"),
        column: z.int().describe("From 0; the number of columns when the next character wraps"),
        visible: z.boolean().describe("Whether the program shows it"),
      })
      .describe("Where the cursor is"),
    alternate: z.boolean().describe("Whether a program has the whole screen"),
    title: z.string().describe("The title the program gave its window"),
    lines: z
      .array(
        z.object({
          text: z.string().describe("Without blanks at its end"),
          runs: z.array(ScreenRun).describe("By style"),
        }),
      )
      .describe("Top to bottom"),
  })
  .describe("What is on a terminal");
export type TerminalScreen = z.infer<typeof TerminalScreen>;
