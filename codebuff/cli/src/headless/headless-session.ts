import type {
  AgentOutput,
  FinishStatus,
  ImagePart,
  ModeName,
  PrintModeEvent,
  TextPart,
} from "@muster/codebuff-protocol";
import { type AskPerson, CodebuffClient, type PlannedRun, type Session, type Steering } from "@muster/codebuff-sdk";
import { Terminal } from "@muster/codebuff-workspace";
import type { Io } from "../io.ts";
import { checkRun } from "../run/check-run.ts";
import { openSession } from "../run/open-session.ts";
import type { Stop, Stopper } from "../run/stopper.ts";
import type { RunOptions, Settings } from "../run-options.ts";
import { dollarsOfRun } from "../text/run-cost.ts";
import { logUsage } from "../usage-log.ts";
import { readAgentTask } from "./agent-command.ts";

/** What a person wants done. */
export interface Turn {
  readonly prompt: string;
  readonly content?: readonly (TextPart | ImagePart)[];
  readonly messageId?: string;
  readonly mode?: ModeName;
}

export interface TurnEnd {
  readonly status: FinishStatus;
  readonly output: AgentOutput;
  readonly stop: Stop | undefined;
  /** False when the run was refused before it began: there was no `start` and there is no `finish`. */
  readonly hasRun: boolean;
}

/** One conversation of this process: its file, its terminal and its client, run after run. */
export class HeadlessSession {
  settings: Settings;
  /** `--continue` named a session that is not there, and a new one was begun. */
  readonly contextLost: boolean;
  /** The agent and the model of the first run. */
  readonly planned: PlannedRun;
  readonly #options: RunOptions;
  readonly #io: Io;
  readonly #client: CodebuffClient;
  readonly #session: Session;
  readonly #terminal: Terminal;
  readonly #granted = new Set<string>();
  /** By every run of this process: `--budget` limits the sum. */
  #spentUsd = 0;

  static async open(options: RunOptions, io: Io, ask: AskPerson | undefined): Promise<HeadlessSession> {
    const { cwd, baseUrl, provider } = options;
    const client = new CodebuffClient({ cwd, baseUrl, provider, home: io.home, processEnv: { ...io.env }, ask });
    const planned = await checkRun(client, options);
    const { session, contextLost } = await openSession(client, options);
    return new HeadlessSession({ options, io, client, session, contextLost, planned });
  }

  private constructor(parts: {
    options: RunOptions;
    io: Io;
    client: CodebuffClient;
    session: Session;
    contextLost: boolean;
    planned: PlannedRun;
  }) {
    const { mode, model, variant, permissions, cwd } = parts.options;
    this.settings = { mode, model, variant, permissions };
    this.contextLost = parts.contextLost;
    this.planned = parts.planned;
    this.#options = parts.options;
    this.#io = parts.io;
    this.#client = parts.client;
    this.#session = parts.session;
    this.#terminal = new Terminal({ root: cwd });
  }

  get id(): string {
    return this.#session.id;
  }

  get historyLength(): number {
    return this.#session.state.messageHistory?.length ?? 0;
  }

  /** Runs one prompt. Events come in order; the next one is read only when the last has been taken. */
  async run(
    turn: Turn,
    run: { stopper: Stopper; steering?: Steering; onEvent: (event: PrintModeEvent) => Promise<void> },
  ): Promise<TurnEnd> {
    const { stopper, steering, onEvent } = run;
    const { agent, params, appendSystemPrompt, maxSteps, mcpServers, outputSchema } = this.#options;
    const { permissions, variant, model } = this.settings;
    const mode = turn.mode ?? this.settings.mode;
    const task = readAgentTask(turn.prompt);
    if (task !== undefined) await this.#logAgentMode();
    const events = this.#client.stream({
      prompt: task ?? turn.prompt,
      agentMode: task === undefined ? undefined : { local: this.#options.agentLocal },
      content: turn.content,
      messageId: turn.messageId,
      mode: permissions === "plan" ? "PLAN" : mode,
      permissions: permissions === "plan" ? undefined : permissions,
      agent,
      model,
      variant,
      params: params === undefined ? undefined : { ...params },
      appendSystemPrompt,
      maxAgentSteps: maxSteps,
      mcpServers,
      outputSchema,
      budgetUsd: this.#budgetLeft(),
      session: this.#session,
      terminal: this.#terminal,
      granted: this.#granted,
      steering,
      signal: stopper.signal,
    });
    let status: FinishStatus | undefined;
    for (;;) {
      const next = await events.next();
      if (next.done) {
        const { output } = next.value;
        return { status: status ?? "failed", output, stop: stopper.reason, hasRun: status !== undefined };
      }
      const { seq: _, ...event } = next.value;
      for (const told of tellTimeout(event, stopper.reason)) {
        if (told.type === "finish") {
          status = told.status ?? "completed";
          this.#spentUsd += dollarsOfRun(told);
        }
        await onEvent(told);
      }
    }
  }

  #budgetLeft(): number | undefined {
    const { budgetUsd } = this.#options;
    return budgetUsd === undefined ? undefined : Math.max(0, budgetUsd - this.#spentUsd);
  }

  async #logAgentMode(): Promise<void> {
    const { home, stderr } = this.#io;
    await logUsage(home, { event: "agent_mode", sessionId: this.id }).catch((error: unknown) => {
      stderr.write(`codebuff: the usage log cannot be written: ${String(error)}\n`);
    });
  }

  async close(): Promise<void> {
    await this.#session.close();
    await Promise.all([this.#terminal.close(), this.#client.close()]);
  }
}

/** A run that ran out of time was aborted like any other; its last two lines say why. */
function tellTimeout(event: PrintModeEvent, stop: Stop | undefined): PrintModeEvent[] {
  if (event.type !== "finish" || stop !== "timeout" || event.status === "completed") return [event];
  const error: PrintModeEvent = {
    type: "error",
    code: "timeout",
    message: "The run took longer than --timeout allows",
    fatal: true,
  };
  return [error, { ...event, status: "timeout" }];
}
