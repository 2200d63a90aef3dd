import type { HookEventName } from "@muster/codebuff-protocol";
import type { CommandVerdict, Permissions } from "@muster/codebuff-workspace";
import { type HookOutcome, joinOutcomes, readOutcome } from "./hook-outcome.ts";
import type { Hook } from "./read-hooks.ts";
import { runHook } from "./run-hook.ts";

export interface HooksOptions {
  readonly hooks: readonly Hook[];
  readonly root: string;
  readonly sessionId: string;
  /** The file the session is kept in, where it is kept. */
  readonly transcript: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** What the run is allowed now. */
  readonly mode: () => { writes: "allowed" | "denied"; permissions: Permissions };
  /** How a command that the project brings is run under the policy that holds. */
  readonly confine: (command: string) => Promise<CommandVerdict>;
  readonly warn: (message: string) => void;
  /** A hook wants the whole run to end. */
  readonly stop: (reason: string) => void;
}

/** Nobody who leaves waits longer than this for what is tied to the end. */
const lastMs = 5_000;

const modeNames: Partial<Record<Permissions, string>> = {
  "accept-edits": "acceptEdits",
  allow: "bypassPermissions",
  unattended: "bypassPermissions",
};

/** Runs what people have tied to the moments of a run. All that fit an event run side by side. */
export class Hooks {
  readonly #options: HooksOptions;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  has(event: HookEventName): boolean {
    return this.#options.hooks.some((hook) => hook.event === event);
  }

  /** `subjects` are the names that a matcher is compared with: one that fits is enough. */
  async fire(event: HookEventName, fields: object, subjects: readonly string[] = []): Promise<HookOutcome> {
    const { hooks, root, sessionId, transcript, env, warn, stop, mode } = this.#options;
    const isLast = event === "SessionEnd";
    // The run that brought these hooks is over by then.
    const signal = isLast ? new AbortController().signal : this.#options.signal;
    const fitting = hooks.filter(
      ({ event: its, matcher }) =>
        its === event && (matcher === undefined || subjects.some((subject) => matcher.test(subject))),
    );
    // The same command in two files is one hook.
    const once = [...new Map(fitting.map((hook) => [hook.command, hook])).values()];
    if (once.length === 0) return { context: [], messages: [] };
    const { writes, permissions } = mode();
    const input = {
      session_id: sessionId,
      transcript_path: transcript ?? "",
      cwd: root,
      permission_mode: writes === "denied" ? "plan" : (modeNames[permissions] ?? "default"),
      hook_event_name: event,
      ...fields,
    };
    const places = { CLAUDE_PROJECT_DIR: root, CODEBUFF_PROJECT_DIR: root };
    const outcome = joinOutcomes(
      await Promise.all(
        once.map(async ({ command, timeoutMs, isOwn }) => {
          const verdict = isOwn ? { ok: true as const, run: command } : await this.#options.confine(command);
          if (!verdict.ok)
            return { context: [], messages: [`The ${event} hook ${command} did not run: ${verdict.message}`] };
          const limitMs = isLast ? Math.min(timeoutMs, lastMs) : timeoutMs;
          const run = {
            command,
            runAs: verdict.run,
            input,
            cwd: root,
            env: { ...env, ...places },
            timeoutMs: limitMs,
            signal,
          };
          return readOutcome(event, await runHook(run));
        }),
      ),
    );
    for (const message of outcome.messages) warn(message);
    if (outcome.stop !== undefined) stop(outcome.stop);
    return outcome;
  }

  /** Nobody waits for what these say; the run waits for them at its end. */
  tell(event: HookEventName, fields: object, subjects: readonly string[] = []): void {
    const running = this.fire(event, fields, subjects);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
