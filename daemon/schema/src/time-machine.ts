import { z } from "zod";
import { SessionId } from "./ids.ts";
import { AgentName, CreatedSession } from "./session.ts";

const TurnNumber = z.int().nonnegative();

export const ChangeAuthor = z
  .object({
    session: z.string().optional().describe("The session that made it; absent for a person"),
    turn: z.int().nonnegative().optional().describe("In which of its turns"),
    call: z.string().optional().describe("By which call of a tool, where that is known"),
    how: z
      .enum(["edit", "command", "hook", "rewind", "person"])
      .describe("By an edit tool, a command, a hook, a rewind, or by a person"),
  })
  .describe("Who changed a file, and how");
export type ChangeAuthor = z.infer<typeof ChangeAuthor>;

export const RewoundChange = z
  .object({
    path: z.string().describe("The file, from the session's directory"),
    change: z
      .enum(["restored", "removed", "added"])
      .describe("restored: as it was; removed: it was not there then; added: it was there and is gone now"),
    by: z.array(ChangeAuthor).describe("Whose changes go with it"),
  })
  .describe("What a rewind does to one file");

export const RewindConflict = z
  .object({
    path: z.string().describe("The file, from the session's directory"),
    by: z.array(ChangeAuthor).describe("Who else changed it"),
    reason: z
      .enum(["changed_since", "in_the_way", "unknown"])
      .describe(
        "changed_since: somebody else changed it; in_the_way: something else lies there; unknown: nobody knows",
      ),
  })
  .describe("A file that is left alone because somebody else changed it");

export const Rewind = z
  .object({
    to: TurnNumber.describe("The turn after which the session goes on; turns count from 1, 0 is the beginning"),
    files: z.boolean().optional().describe("Rewinds the files; both, when neither files nor chat is named"),
    chat: z.boolean().optional().describe("Rewinds the conversation; both, when neither files nor chat is named"),
    preview: z.boolean().optional().describe("Tells what would change, and changes nothing"),
    interrupt: z.boolean().optional().describe("Ends the open turn, its requests and the queue first"),
    force: z.array(z.string()).optional().describe("Files that are rewound although somebody else changed them"),
  })
  .describe("To where a session is rewound, and what of it");
export type Rewind = z.infer<typeof Rewind>;

export const Rewound = z
  .object({
    changes: z.array(RewoundChange).describe("What was done, or with preview would be done, to each file"),
    conflicts: z.array(RewindConflict).describe("Files that keep a rewind from being done; force names them"),
    turns: z.array(z.string()).describe("The turns that the conversation goes without from now on"),
    undo: z.string().optional().describe("With which the rewind is taken back; absent when nothing was done"),
    filesSkipped: z.string().optional().describe("Why the files were left as they are, where they were"),
  })
  .describe("What a rewind has done");
export type Rewound = z.infer<typeof Rewound>;

export const UndoRewind = z
  .object({
    undo: z.string().optional().describe("Which rewind; by default the last one"),
    force: z.array(z.string()).optional().describe("Files that are brought back although somebody else changed them"),
  })
  .describe("Which rewind is taken back");
export type UndoRewind = z.infer<typeof UndoRewind>;

export const ForkSession = z
  .object({
    at: TurnNumber.optional().describe("After which turn it begins; by default the last one that is over"),
    sessionId: SessionId.optional().describe("Its id; with times the further ones are numbered: -2, -3 …"),
    directory: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Where it works: a directory that does not exist yet, made as the session's was; by default the same one",
      ),
    worktree: z.boolean().optional().describe("Makes the directory as a git worktree instead of a copy"),
    times: z.int().min(1).max(16).optional().describe("How many of them; with directory those are numbered: -2, -3 …"),
  })
  .describe("Where a session is forked, and how often");
export type ForkSession = z.infer<typeof ForkSession>;

export const ForkedSessions = z
  .object({ sessions: z.array(CreatedSession).describe("The new sessions") })
  .describe("Sessions that go on from a turn of another one");
export type ForkedSessions = z.infer<typeof ForkedSessions>;

export const HandOver = z
  .object({
    agent: AgentName.describe("Who goes on"),
    model: z.string().min(1).optional().describe("With which model; by default the agent's own"),
    foreignCalls: z
      .enum(["calls", "text"])
      .optional()
      .describe("How the other agent's tool calls are told: as calls (default), or as text"),
    token: z.string().min(1).optional().describe("The new agent's API key for this session; kept in memory only"),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The new agent's model endpoint; by default the one it has without a session"),
  })
  .describe("To whom a session is handed over");
export type HandOver = z.infer<typeof HandOver>;

export const HandOverHow = z
  .enum(["imported", "digest"])
  .describe(
    "imported: its conversation has the earlier turns as its own; digest: it is told of them with the next message",
  );

export const HandedOver = z
  .object({ how: HandOverHow, notCarried: z.array(z.string()).describe("What the new agent does not know of") })
  .describe("How a session went over to another agent");
export type HandedOver = z.infer<typeof HandedOver>;

export const ChangedFile = z
  .object({
    path: z.string().describe("The file, from the session's directory"),
    change: z.enum(["added", "changed", "deleted"]).describe("What became of it"),
    diff: z.string().describe("The difference as a unified diff; empty for what is no text"),
    by: z.array(ChangeAuthor).describe("Who changed it"),
  })
  .describe("How one file differs between two turns");

export const SessionChanges = z
  .object({
    files: z.array(ChangedFile).describe("The files that differ"),
    truncated: z.boolean().optional().describe("true: there are more than are told"),
    skipped: z.string().optional().describe("Why nothing is known of the files"),
  })
  .describe("How a session's directory differs between the ends of two turns");
export type SessionChanges = z.infer<typeof SessionChanges>;
