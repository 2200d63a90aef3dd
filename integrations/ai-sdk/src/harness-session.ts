import { randomUUID } from "node:crypto";
import {
  HarnessCapabilityUnsupportedError,
  HarnessError,
  type HarnessV1ContinueTurnOptions,
  type HarnessV1ContinueTurnState,
  type HarnessV1PromptControl,
  type HarnessV1PromptTurnOptions,
  type HarnessV1ResumeSessionState,
  type HarnessV1Session,
  type HarnessV1StartOptions,
} from "@ai-sdk/harness";
import type { Client, CreateSession, SessionInfo } from "@muster/client";
import { HumanAnswers } from "./human-answers.ts";
import { PlaceState, type TurnPlace } from "./place.ts";
import { readPrompt } from "./prompt.ts";
import { TurnReader } from "./turn-reader.ts";
import { reportWarnings, warningsOf } from "./warnings.ts";

export interface HarnessSessionOptions {
  client: Client;
  harnessId: string;
  settings: CreateSession;
  start: Omit<HarnessV1StartOptions, "permissionMode" | "sessionWorkDir">;
}

/** A session of the daemon as the framework knows one: its turns are prompted, paused, gone on with, and left. */
export class HarnessSession implements HarnessV1Session {
  readonly sessionId: string;
  readonly isResume: boolean;
  readonly #options: HarnessSessionOptions;
  #model: string | undefined;
  #sequence: number;
  #turn: TurnPlace | undefined;
  #reader: TurnReader | undefined;

  /** A new session, or one that exists: the same id and settings give the same session again. */
  static async open(options: HarnessSessionOptions): Promise<HarnessSession> {
    const { resumeFrom, continueFrom } = options.start;
    const state = continueFrom ?? resumeFrom;
    const session = state === undefined ? await create(options) : await reopen(options);
    return new HarnessSession(options, session, state === undefined ? undefined : PlaceState.parse(state.data));
  }

  private constructor(options: HarnessSessionOptions, session: SessionInfo, place: PlaceState | undefined) {
    this.#options = options;
    this.#model = session.model;
    this.sessionId = session.sessionId;
    this.isResume = place !== undefined;
    this.#sequence = place?.sequence ?? session.lastSequence;
    this.#turn = place?.turn;
  }

  async doPromptTurn(options: HarnessV1PromptTurnOptions): Promise<HarnessV1PromptControl> {
    const { sessionId } = this;
    const { client } = this.#options;
    this.#refuseJson(options.responseFormat?.type);
    const message = readPrompt(options.prompt, this.#options.harnessId);
    await this.#setModel(options.model);
    const messageId = `msg_${randomUUID()}`;
    const sent = await client.sessions.sendMessage({ sessionId, messageId, ...message }, signalOf(options));
    this.#turn = { messageId, after: sent.sequence - 1 };
    this.#sequence = this.#turn.after;
    return this.#read(this.#turn, options);
  }

  async doContinueTurn(options: HarnessV1ContinueTurnOptions): Promise<HarnessV1PromptControl> {
    if (this.#turn === undefined) throw new HarnessError({ message: "There is no unfinished turn to continue" });
    await this.#reader?.stop();
    return this.#read(this.#turn, options);
  }

  async doSuspendTurn(): Promise<HarnessV1ContinueTurnState> {
    await this.#reader?.stop();
    return { ...this.#state(), type: "continue-turn" };
  }

  async doDetach(): Promise<HarnessV1ResumeSessionState> {
    await this.#reader?.stop();
    return { ...this.#state(), type: "resume-session" };
  }

  /** The agent's process ends; the next message starts another one that goes on with the conversation. */
  async doStop(): Promise<HarnessV1ResumeSessionState> {
    const state = await this.doDetach();
    await this.#options.client.sessions.terminate({ sessionId: this.sessionId });
    return state;
  }

  /** What was said stays in the daemon's log, for whoever knows the id: only `sessions.delete` removes it. */
  async doDestroy(): Promise<void> {
    await this.doStop();
  }

  async doCompact(): Promise<void> {
    const { harnessId } = this.#options;
    throw new HarnessCapabilityUnsupportedError({ message: "Agents compact their context by themselves", harnessId });
  }

  #read(turn: TurnPlace, options: HarnessV1ContinueTurnOptions): HarnessV1PromptControl {
    const { client, harnessId, start } = this.#options;
    const { sessionId } = this;
    const answers = new HumanAnswers(client, sessionId);
    const warnings = warningsOf(options, start);
    reportWarnings(warnings, start.observability?.report);
    const reader = new TurnReader({
      client,
      sessionId,
      turn,
      answers,
      toldTo: this.#sequence,
      startPart: { type: "stream-start", warnings, ...(this.#model !== undefined && { modelId: this.#model }) },
      emit: options.emit,
      abortSignal: options.abortSignal,
      onTold: (sequence) => {
        this.#sequence = sequence;
      },
      onOver: () => {
        this.#turn = undefined;
      },
    });
    this.#reader = reader;
    return {
      done: reader.run(),
      submitToolApproval: ({ approvalId, approved, reason }) => answers.decide(approvalId, approved, reason),
      submitToolResult: ({ toolCallId, output, isError }) =>
        answers.answer(toolCallId, isError === true ? undefined : output),
      submitUserMessage: async (message) => {
        const steered = { sessionId, messageId: `msg_${randomUUID()}`, message, delivery: "steer" as const };
        await client.sessions.sendMessage(steered).catch((error: unknown) => {
          if (!hasCode(error, "unsupported_option")) throw error;
          throw new HarnessCapabilityUnsupportedError({ message: error.message, harnessId, cause: error });
        });
      },
    };
  }

  async #setModel(model: string | undefined): Promise<void> {
    if (model === undefined || model === this.#model) return;
    await this.#options.client.sessions.update({ sessionId: this.sessionId, model });
    this.#model = model;
  }

  #refuseJson(format: string | undefined): void {
    const { harnessId } = this.#options;
    if (format !== "json") return;
    const message = "A session answers in text; structured output is a setting of the agent (agentOptions)";
    throw new HarnessCapabilityUnsupportedError({ message, harnessId });
  }

  #state() {
    const { harnessId } = this.#options;
    const data: PlaceState = { sequence: this.#sequence, ...(this.#turn !== undefined && { turn: this.#turn }) };
    return { harnessId, specificationVersion: "harness-v1" as const, data };
  }
}

async function create({ client, settings, start }: HarnessSessionOptions): Promise<SessionInfo> {
  const { healthy, error, session } = await client.sessions.create(
    { ...settings, sessionId: start.sessionId } as Parameters<Client["sessions"]["create"]>[0],
    signalOf(start),
  );
  if (healthy) return session;
  throw new HarnessError({ message: error?.message ?? "The agent could not be started" });
}

async function reopen({ client, settings, start }: HarnessSessionOptions): Promise<SessionInfo> {
  const { sessionId } = start;
  const session = await client.sessions.get({ sessionId }, signalOf(start));
  if (session.agent !== settings.agent) {
    throw new HarnessError({ message: `The session ${sessionId} is one of ${session.agent}` });
  }
  const { permissionMode } = settings;
  if (permissionMode === session.permissionMode) return session;
  return await client.sessions.update({ sessionId, permissionMode }, signalOf(start));
}

function signalOf({ abortSignal }: { abortSignal?: AbortSignal }): { signal?: AbortSignal } {
  return abortSignal === undefined ? {} : { signal: abortSignal };
}

function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}
