import { type CallUnderWay, owedOf } from "@muster/forwarding";
import type { Usage } from "@muster/metering";
import type { Spending } from "@muster/schema";
import { type Amount, subtract } from "../amount.ts";
import type { Budgets } from "../budget/budgets.ts";
import type { Ledger } from "../budget/ledger.ts";
import { nothingTold, type Told } from "../meter/answer-events.ts";
import type { AnswerMeter } from "../meter/answer-meter.ts";
import type { InputEstimates } from "../meter/input-estimates.ts";
import { amountOf, noSpending, type Prices, spendingOf, usageOf, usageSoFar } from "../meter/spending.ts";
import type { GatewaySessions, WireSettlement } from "../ports.ts";
import type { OpenRequest, OpenRequests } from "./open-requests.ts";

export interface MeteredParts {
  readonly sessions: Pick<GatewaySessions, "settled">;
  readonly budgets: Budgets;
  readonly ledger: Ledger;
  readonly estimates: InputEstimates;
  readonly open: OpenRequests;
  /** Prices as they are now: they may change while a request is open. */
  prices(): Prices;
  now(): number;
}

export interface MeteredOptions {
  readonly requestId: string;
  readonly sessionId: string;
  readonly model: string;
  readonly conversation: string;
  readonly estimatedTokens: number;
  readonly input: Amount;
}

/** One request from the moment its money is held until it is settled, once, whatever becomes of it. */
export class MeteredRequest implements OpenRequest {
  readonly #options: MeteredOptions;
  readonly #parts: MeteredParts;
  readonly #began: number;
  #underWay: CallUnderWay | undefined;
  #meter: AnswerMeter | undefined;
  #told: Told = nothingTold;
  #firstByteMs: number | undefined;
  #status = 0;
  #words: string | undefined;
  #isStopped = false;
  #settlement: WireSettlement | undefined;

  constructor(options: MeteredOptions, parts: MeteredParts) {
    this.#options = options;
    this.#parts = parts;
    this.#began = parts.now();
    parts.open.add(this);
  }

  get requestId(): string {
    return this.#options.requestId;
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  /** Why it was cut, for the client. */
  get cutWords(): string | undefined {
    return this.#words;
  }

  get isWanted(): boolean {
    return this.#words === undefined && !this.#isStopped;
  }

  get settlement(): WireSettlement | undefined {
    return this.#settlement;
  }

  send(underWay: CallUnderWay): void {
    this.#underWay = underWay;
  }

  answer(status: number, meter: AnswerMeter): void {
    this.#status = status;
    this.#firstByteMs = this.#parts.now() - this.#began;
    this.#meter = meter;
    if (!this.isWanted) this.#underWay?.stop("used up");
  }

  refuse(status: number): void {
    this.#status = status;
  }

  /** More is known of the answer. Its last word settles it before the client has read it. */
  tell(told: Told): void {
    this.#told = told;
    if (told.isFinal && told.isOver) {
      this.#underWay?.note("told");
      this.#underWay?.note("completed");
      return this.settle();
    }
    const { budgets, open } = this.#parts;
    const usage = usageSoFar(told, this.#options.estimatedTokens);
    const whole = amountOf(this.#spending(usage));
    const input =
      told.usage === undefined ? this.#options.input : amountOf(this.#spending({ ...usage, outputTokens: 0 }));
    open.apply(budgets.draw(this.requestId, { input, output: subtract(whole, input) }), this.sessionId);
  }

  cut(words: string): void {
    if (!this.isWanted) return;
    this.#words = words;
    const stop = () => this.#underWay?.stop("used up");
    if (this.#meter === undefined) stop();
    else this.#meter.cut(stop);
  }

  stop(): void {
    this.#isStopped = true;
    this.#underWay?.stop("shut down");
  }

  /** Closes it with what is owed. A second time changes nothing. */
  settle(): void {
    if (this.#settlement !== undefined) return;
    const { sessions, budgets, ledger, estimates, open, now } = this.#parts;
    const { spent, isEstimated } = this.#owed();
    this.#settlement = {
      requestId: this.requestId,
      spent,
      isEstimated,
      status: this.#status,
      ...(this.#firstByteMs !== undefined && { firstByteMs: this.#firstByteMs }),
      durationMs: now() - this.#began,
      answered: this.#answered(),
    };
    open.remove(this.requestId);
    ledger.settle(this.requestId, amountOf(spent));
    const { usage, isFinal } = this.#told;
    if (usage !== undefined && isFinal) {
      estimates.learn(this.#options.conversation, this.#options.estimatedTokens, usage);
    }
    sessions.settled(this.sessionId, this.#settlement);
    open.apply(budgets.settle(this.requestId, amountOf(spent)), this.sessionId);
  }

  #answered(): NonNullable<WireSettlement["answered"]> {
    const { model, answerId, finishReason } = this.#told;
    return {
      ...(this.#meter !== undefined && { isStream: this.#meter.isStream }),
      ...(model !== undefined && { model }),
      ...(answerId !== undefined && { id: answerId }),
      ...(finishReason !== undefined && { finishReason }),
    };
  }

  #owed(): { spent: Spending; isEstimated: boolean } {
    const owed = this.#underWay === undefined ? "release" : owedOf(this.#underWay.life);
    if (owed === "release") return { spent: { ...noSpending, requests: 1 }, isEstimated: false };
    const { usage, isFinal } = this.#told;
    if (owed === "settle with usage" && usage !== undefined && isFinal) {
      return { spent: this.#spending(usage), isEstimated: false };
    }
    const guessed = usageSoFar(this.#told, this.#options.estimatedTokens);
    // Of an input that only its length tells, the wire of the request before knows better.
    const isInputKnown = this.#told.usage !== undefined;
    const spent = this.#spending(guessed);
    if (isInputKnown) return { spent, isEstimated: true };
    const output = this.#spending({ ...usageOf(0, guessed.outputTokens) });
    return { spent: { ...spent, listNanoUsd: this.#options.input.nanoUsd + output.listNanoUsd }, isEstimated: true };
  }

  /** At the price of the model that was asked, or of the one that answered where that is dearer. */
  #spending(usage: Usage): Spending {
    const prices = this.#parts.prices();
    const asked = spendingOf(this.#options.model, usage, prices);
    const { model } = this.#told;
    if (model === undefined || model === this.#options.model) return asked;
    const answered = spendingOf(model, usage, prices);
    return answered.listNanoUsd > asked.listNanoUsd ? answered : asked;
  }
}
