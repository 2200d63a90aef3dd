/**
 * How a conversation is held. Each row is one difference between a person at a terminal and a program; everything else is
 * the same for all. That whoever reads slowly holds the run up is no row: it is so for every reader, and the screen takes
 * what comes at once.
 */
export interface Manner {
  /** When its session is opened and what would refuse its first run found out. */
  readonly opens: "at once" | "with its first prompt";
  /** What becomes of `--continue` with a session that is not there. */
  readonly lostContext: "refused" | "begun anew";
  /** What becomes of a prompt when `--budget`, which counts what this process has spent, is used up. */
  readonly spentBudget: "not sent" | "told by the run";
  /** What happens without `--permissions`: the policy `default`, or everything but what destroys. */
  readonly unasked: "default" | undefined;
  /** A snapshot of the work tree before each prompt, for undo. */
  readonly snapshots: boolean;
  /** What the history does not tell is noted in the session file, with what the session has cost: the screen shows it again. */
  readonly notes: boolean;
  /** Whether somebody can be asked to accept the project's own agents, servers and commands. */
  readonly trust: boolean;
  /** The agent's terminals are recorded on disk, so that a later process finds what a crash left running. */
  readonly keepsTerminals: boolean;
  /** Whether the end of a run waits for its last entry in the session file, and names it. */
  readonly namesEntry: boolean;
  /** A use of agent mode that cannot be logged. */
  readonly failedUsageLog: "refuses the prompt" | "is told";
}

const program = {
  opens: "at once",
  lostContext: "refused",
  spentBudget: "told by the run",
  unasked: undefined,
  snapshots: false,
  notes: false,
  trust: false,
  keepsTerminals: false,
  namesEntry: false,
  failedUsageLog: "is told",
} as const satisfies Manner;

export const manners = {
  /** The screen, and `--plain`. */
  chat: {
    opens: "with its first prompt",
    lostContext: "refused",
    spentBudget: "not sent",
    unasked: "default",
    snapshots: true,
    notes: true,
    trust: true,
    keepsTerminals: true,
    namesEntry: false,
    failedUsageLog: "refuses the prompt",
  },
  oneShot: program,
  keptOpen: { ...program, lostContext: "begun anew", namesEntry: true },
} as const satisfies Record<string, Manner>;
