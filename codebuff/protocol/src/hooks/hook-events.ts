/** What a hook of an event may do beside being told. */
type HookPower = "block" | "context" | "input" | "permission";

interface HookEvent {
  readonly when: string;
  /** What `matcher` is compared with; events without one run all their hooks. */
  readonly matches?: string;
  readonly may: readonly HookPower[];
}

/** The moments of a run at which hooks run, with the names that Claude Code gave them. */
export const hookEvents = {
  SessionStart: {
    when: "before the first prompt of a session in this process",
    matches: "`startup`, `resume` or `clear`",
    may: ["context"],
  },
  UserPromptSubmit: { when: "a prompt was sent, before the model reads it", may: ["block", "context"] },
  PreToolUse: {
    when: "before a tool is called",
    matches: "the name of the tool",
    may: ["block", "context", "input", "permission"],
  },
  PermissionRequest: {
    when: "before the person is asked for a permission",
    matches: "the name of the tool",
    may: ["permission"],
  },
  PostToolUse: {
    when: "after a tool has succeeded",
    matches: "the name of the tool",
    may: ["block", "context"],
  },
  PostToolUseFailure: {
    when: "after a tool has failed",
    matches: "the name of the tool",
    may: ["context"],
  },
  Notification: {
    when: "the person is wanted: a permission or a question waits",
    matches: "`permission_prompt` or `elicitation_dialog`",
    may: [],
  },
  SubagentStart: { when: "a helper begins", matches: "the id of the agent", may: ["context"] },
  SubagentStop: { when: "a helper wants to end", matches: "the id of the agent", may: ["block"] },
  PreCompact: { when: "the history is about to be shortened", matches: "`auto` or `manual`", may: [] },
  Stop: { when: "the agent wants to end its turn", may: ["block"] },
  SessionEnd: {
    when: "the session is left",
    matches: "`clear` or `other`",
    may: [],
  },
} as const satisfies Record<string, HookEvent>;

export type HookEventName = keyof typeof hookEvents;

export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name);
}
