import { parseJson } from "@muster/core";
import { z } from "zod";

/** How a command of a hook ended. */
export interface HookEnd {
  readonly command: string;
  /** Undefined: it could not be run, or took too long. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly failure?: string;
}

/** What the hooks of one event have decided together. */
export interface HookOutcome {
  /** Why what was about to happen must not. */
  readonly block?: string;
  readonly permission?: "allow" | "ask" | "deny";
  readonly permissionReason?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** For the model. */
  readonly context: readonly string[];
  /** For the person. */
  readonly messages: readonly string[];
  /** Why the whole run ends here. */
  readonly stop?: string;
}

const text = z.string().optional();
const record = z.record(z.string(), z.unknown()).optional();
const Specific = z.looseObject({
  permissionDecision: z.enum(["allow", "deny", "ask"]).optional(),
  permissionDecisionReason: text,
  updatedInput: record,
  additionalContext: text,
  decision: z.looseObject({ behavior: z.enum(["allow", "deny"]), message: text, updatedInput: record }).optional(),
});
const Answer = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: text,
  systemMessage: text,
  decision: z.enum(["approve", "block"]).optional(),
  reason: text,
  hookSpecificOutput: Specific.optional(),
});

/** Where what a hook prints is told to the model as it is. */
const printsContext: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit"]);

/** The strictest of them counts, and what each says goes with it. */
export function joinOutcomes(outcomes: readonly HookOutcome[]): HookOutcome {
  const rank = { deny: 0, ask: 1, allow: 2 };
  const decided = outcomes
    .filter(({ permission }) => permission !== undefined)
    .sort((one, other) => rank[one.permission ?? "allow"] - rank[other.permission ?? "allow"])[0];
  const blocks = outcomes.flatMap(({ block }) => block ?? []);
  return {
    ...(blocks.length > 0 && { block: blocks.join("\n") }),
    ...(decided && { permission: decided.permission, permissionReason: decided.permissionReason }),
    updatedInput: outcomes.findLast(({ updatedInput }) => updatedInput !== undefined)?.updatedInput,
    context: outcomes.flatMap(({ context }) => context),
    messages: outcomes.flatMap(({ messages }) => messages),
    stop: outcomes.find(({ stop }) => stop !== undefined)?.stop,
  };
}

/** Exit code 0 with JSON or text, 2 to block with what stands on standard error, anything else is a failure of the hook. */
export function readOutcome(event: string, { command, exitCode, stdout, stderr, failure }: HookEnd): HookOutcome {
  const nothing = { context: [], messages: [] };
  const said = stderr.trim();
  if (exitCode === 2) return { ...nothing, block: said || `The hook ${command} blocks it`, permission: "deny" };
  if (exitCode !== 0) {
    const why = failure ?? `ended with code ${exitCode}${said === "" ? "" : `: ${said.split("\n")[0]}`}`;
    return { ...nothing, messages: [`The ${event} hook ${command} ${why}`] };
  }
  const printed = stdout.trim();
  if (!printed.startsWith("{"))
    return { ...nothing, context: printed !== "" && printsContext.has(event) ? [printed] : [] };
  const answer = Answer.safeParse(parseJson(printed));
  if (!answer.success) return { ...nothing, messages: [`The ${event} hook ${command} printed JSON of another form`] };
  return outcomeOf(answer.data);
}

function outcomeOf({ decision, reason, hookSpecificOutput: own = {}, ...answer }: z.infer<typeof Answer>): HookOutcome {
  const request = own.decision;
  const permission = request?.behavior ?? own.permissionDecision ?? (decision === "approve" ? "allow" : undefined);
  const why = request?.message ?? own.permissionDecisionReason ?? reason;
  const isBlock = decision === "block" || permission === "deny";
  return {
    ...(isBlock && { block: why ?? "A hook blocks it" }),
    ...((permission ?? (isBlock && "deny")) && { permission: permission ?? "deny", permissionReason: why }),
    updatedInput: request?.updatedInput ?? own.updatedInput,
    context: own.additionalContext === undefined ? [] : [own.additionalContext],
    messages: answer.systemMessage === undefined ? [] : [answer.systemMessage],
    ...(answer.continue === false && { stop: answer.stopReason ?? "A hook stopped the run" }),
  };
}
