import type { Client } from "@muster/client";
import type { Paint } from "@muster/core";
import type { Output } from "@muster/node";
import {
  Failure,
  type PendingRequests,
  type PermissionRequested,
  type Question,
  type QuestionRequested,
  type UniversalEvent,
} from "@muster/schema";
import { printable } from "../text/printable.ts";
import { oneQuestion, permissionText } from "../text/request-text.ts";
import { permissionReply, questionAnswer } from "./answers.ts";
import type { Person } from "./person.ts";

interface Asking {
  id: string;
  stop: AbortController;
  /** Resolves when the person, or somebody else, has answered. */
  done: Promise<void>;
}

export interface RequestsOptions {
  client: Client;
  sessionId: string;
  person: Person;
  output: Pick<Output, "write">;
  paint: Paint;
  /** A plan that stands above already is not shown again. */
  hasShown(text: string): boolean;
}

/** The questions and permissions of a turn, asked one after the other where the conversation is shown. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #waiting: (() => Asking)[] = [];
  readonly #resolved = new Set<string>();
  #asking: Asking | undefined;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Resolves when what is being asked has been answered; undefined when nothing is. */
  get asking(): Promise<void> | undefined {
    return this.#asking?.done;
  }

  /** Asks the next one, if any waits. */
  next(): void {
    this.#asking = this.#waiting.shift()?.();
  }

  /** Takes note of what was asked before anybody looked. */
  seeOpen({ questions, permissions }: PendingRequests): void {
    for (const one of permissions) this.#add(one.permissionId, (signal) => this.#permission(one, signal));
    for (const one of questions) this.#add(one.questionId, (signal) => this.#question(one, signal));
  }

  /** Takes note of what is asked, and of what has been answered elsewhere. */
  see(event: UniversalEvent): void {
    if (event.type === "permission.requested")
      this.#add(event.data.permissionId, (s) => this.#permission(event.data, s));
    if (event.type === "question.requested") this.#add(event.data.questionId, (s) => this.#question(event.data, s));
    if (event.type === "permission.resolved") this.#resolve(event.data.permissionId);
    if (event.type === "question.resolved") this.#resolve(event.data.questionId);
  }

  #add(id: string, ask: (signal: AbortSignal) => Promise<void>): void {
    this.#waiting.push(() => {
      const stop = new AbortController();
      if (this.#resolved.has(id)) stop.abort();
      return { id, stop, done: this.#askIfOpen(id, ask, stop.signal) };
    });
    if (this.#asking === undefined) this.next();
  }

  /** A rule of the session may have answered already: its event is on the way, and nobody is to be asked. */
  async #askIfOpen(id: string, ask: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { client, sessionId } = this.#options;
    const { questions, permissions } = await client.sessions.listRequests({ sessionId });
    const isOpen = questions.some((one) => one.questionId === id) || permissions.some((one) => one.permissionId === id);
    if (isOpen && !signal.aborted) await ask(signal);
  }

  #resolve(id: string): void {
    this.#resolved.add(id);
    if (this.#asking?.id === id) this.#asking.stop.abort();
  }

  async #permission(request: PermissionRequested, signal: AbortSignal): Promise<void> {
    const { client, sessionId, person, output, paint } = this.#options;
    const { permissionId } = request;
    await output.write(permissionText(request, paint));
    for (;;) {
      const line = await person.ask(`  ${paint.bold("[y]es, [a]lways, [n]o (and why)")} › `, signal);
      if (signal.aborted) return;
      const reply = line === undefined ? nobody : permissionReply(line);
      if (reply === undefined) continue;
      if (line === undefined) await output.write(`  ${nobodyHint}\n`);
      await this.#tell(client.sessions.replyPermission({ sessionId, permissionId, ...reply }));
      return;
    }
  }

  async #question(request: QuestionRequested, signal: AbortSignal): Promise<void> {
    const { client, sessionId, person, output, paint } = this.#options;
    const { questionId, questions, kind } = request;
    for (;;) {
      const answers: string[][] = [];
      for (const question of questions) {
        const isKnown = question.body !== undefined && this.#options.hasShown(question.body);
        await output.write(oneQuestion(isKnown ? { ...question, body: undefined } : question, paint));
        const hint = hintOf(question, kind);
        let answer: string[] | undefined;
        while (answer === undefined) {
          const line = await person.ask(`  ${paint.bold(hint)} › `, signal);
          if (signal.aborted) return;
          if (line === undefined) {
            await output.write(`  ${nobodyAnswers}\n`);
            await this.#tell(client.sessions.rejectQuestion({ sessionId, questionId, message: nobody.message }));
            return;
          }
          answer = questionAnswer(line, question);
          if (answer === undefined) await output.write(`  ${paint.yellow(wrongAnswer(question))}\n`);
        }
        answers.push(answer);
      }
      if (await this.#tell(client.sessions.replyQuestion({ sessionId, questionId, answers }))) return;
    }
  }

  /** Whether the answer was taken, or is no longer needed; what is wrong with it is shown. */
  async #tell(call: Promise<unknown>): Promise<boolean> {
    try {
      await call;
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === "already_resolved" || error.code === "request_not_found") return true;
      const { output, paint } = this.#options;
      await output.write(`  ${paint.red(printable(error.message))}\n`);
      return error.code !== "invalid_request";
    }
  }
}

/** What may be typed. */
function hintOf({ options, multiSelect, allowCustom }: Question, kind: QuestionRequested["kind"]): string {
  if (options.length === 0) return "your answer";
  if (kind === "plan_approval") return "a number, or what to change";
  const numbers = multiSelect ? "numbers, with commas between them" : "a number";
  return allowCustom ? `${numbers} or your own words` : numbers;
}

function wrongAnswer({ options, allowCustom }: Question): string {
  const range = options.length === 1 ? "1 is the only number" : `the numbers go from 1 to ${options.length}`;
  return `that is none of the answers: ${range}${allowCustom ? "; anything else is your own words" : ""}`;
}

const nobody = { reply: "reject", message: "Nobody is there who could be asked", automatic: true } as const;
const nobodyHint =
  "nobody can be asked here: rejected. --permission-mode acceptEdits or bypass asks less; a terminal asks you";
const nobodyAnswers =
  "nobody can be asked here: left unanswered. --stdin answers reads the answers from a pipe; a terminal asks you";
