import type { PolicyAction, PolicyRule } from "@muster/codebuff-protocol";
import type { CommandPart } from "./judge-command.ts";

/** What a person is asked before something happens. `action` is the word the daemon's permissions use too. */
export interface PermissionRequest {
  readonly toolCallId: string;
  readonly runId: string;
  readonly agentId: string;
  readonly tool: string;
  readonly action: PolicyAction;
  /** One line for a person: `Run npm publish`, `Edit src/a.ts`. */
  readonly title: string;
  /** Why it is asked at all. */
  readonly reason: string;
  readonly command?: string;
  /** The commands of the line that need the yes; `always` holds for their keys, not for the exact line. */
  readonly parts?: readonly CommandPart[];
  readonly paths?: readonly string[];
  /** Of everything the call would change, with file headers. */
  readonly diff?: string;
  readonly url?: string;
  /** What an `always` for this project or everywhere would write down; empty: it can only last a session. */
  readonly rules?: readonly PolicyRule[];
  /** Aborted when the call ends without the answer; the question should disappear. */
  readonly signal: AbortSignal;
}

/** The message goes to the model: it says what to do instead. */
export interface PermissionAnswer {
  readonly decision: "once" | "always" | "deny";
  /** How long an `always` lasts; left out: this session. */
  readonly scope?: "session" | RuleScope;
  readonly message?: string;
}

/** Where rules are written down: with the project, or for every project of the person. */
export type RuleScope = "project" | "everywhere";
export type RememberRules = (rules: readonly PolicyRule[], scope: RuleScope) => Promise<void>;

/** May reject: then nobody could be asked, and the answer is no. */
export type AskPermission = (request: PermissionRequest) => Promise<PermissionAnswer>;

/** The call a question belongs to. */
export type AskingCall = Pick<PermissionRequest, "toolCallId" | "runId" | "agentId" | "signal">;
