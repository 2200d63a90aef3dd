import { randomUUID } from "node:crypto";
import type { SessionUpdate, StopReason } from "@agentclientprotocol/sdk";
import type { Client } from "@muster/client";
import { type Body, Failure, type SendMessage, type UniversalEvent } from "@muster/schema";
import { askPermission, askQuestion, type EditorPerson } from "./person.ts";
import { SessionUpdates } from "./session-updates.ts";

export interface OpenSessionOptions {
  client: Client;
  person: EditorPerson;
  /** What came up to this event the editor knows. */
  after: number;
  /** Ends with the editor. */
  signal: AbortSignal;
}

interface Prompt {
  turnId?: string;
  isCancelled: boolean;
  resolve(reason: StopReason): void;
  reject(error: unknown): void;
}

type Request = Extract<UniversalEvent, { type: "permission.requested" | "question.requested" }>;

/**
 * A session that is open in the editor: what happens in it is told there in order, whoever began it, and what it asks is
 * asked there. A prompt is answered when the end of its turn has been told.
 */
export class OpenSession {
  readonly #options: OpenSessionOptions;
  /** By the id of its message. */
  readonly #prompts = new Map<string, Prompt>();
  readonly #leave = new AbortController();
  #updates = new SessionUpdates({ showsUser: true });
  #toldTo: number;
  #isFollowing = false;

  constructor(options: OpenSessionOptions) {
    this.#options = options;
    this.#toldTo = options.after;
    void this.#follow();
  }

  async prompt(message: Omit<SendMessage, "messageId">): Promise<StopReason> {
    // The daemon was away for longer than a reader waits: a prompt that nobody follows would never be answered.
    if (!this.#isFollowing) void this.#follow();
    const messageId = `msg_${randomUUID()}`;
    const ended = new Promise<StopReason>((resolve, reject) => {
      this.#prompts.set(messageId, { isCancelled: false, resolve, reject });
    });
    // Told below; while the message is being sent the session may come to its end.
    ended.catch(() => {});
    try {
      await this.#client.sessions.sendMessage({ sessionId: this.#sessionId, messageId, ...message });
    } catch (error) {
      this.#prompts.delete(messageId);
      throw error;
    }
    return await ended;
  }

  /** Takes back what waits and interrupts what runs; a turn that somebody else began only when nothing of ours waits. */
  async cancel(): Promise<void> {
    const waiting = [...this.#prompts].filter(([, { turnId }]) => turnId === undefined);
    const isRunning = this.#prompts.size > waiting.length;
    for (const [messageId, prompt] of waiting) {
      prompt.isCancelled = true;
      await this.#takeBack(messageId);
    }
    if (isRunning || waiting.length === 0) await this.#interrupt();
  }

  close(): void {
    this.#leave.abort();
  }

  get #client(): Client {
    return this.#options.client;
  }

  get #sessionId(): string {
    return this.#options.person.sessionId;
  }

  async #follow(): Promise<void> {
    const signal = AbortSignal.any([this.#options.signal, this.#leave.signal]);
    const place = { sessionId: this.#sessionId, offset: this.#toldTo };
    this.#isFollowing = true;
    try {
      for await (const event of this.#client.sessions.streamEvents(place, { signal })) {
        await this.#see(event);
        this.#toldTo = event.sequence;
      }
    } catch (error) {
      this.#isFollowing = false;
      for (const prompt of this.#prompts.values()) {
        if (signal.aborted) prompt.resolve("cancelled");
        else prompt.reject(error);
      }
      this.#prompts.clear();
    }
  }

  async #see(event: UniversalEvent): Promise<void> {
    if (event.type === "turn.started") this.#begin(event.data);
    await this.#tell(this.#updates.push(event));
    if (event.type === "permission.requested" || event.type === "question.requested") this.#ask(event);
    if (event.type === "message.updated") this.#seeMessage(event.data);
    if (event.type === "turn.ended") this.#end(event.data);
  }

  #begin({ turnId, messageIds }: Body<"turn.started">["data"]): void {
    const own = messageIds.flatMap((messageId) => this.#prompts.get(messageId) ?? []);
    // The editor shows what was typed in it; what others said it does not know.
    this.#updates = new SessionUpdates({ showsUser: own.length === 0 });
    for (const prompt of own) prompt.turnId = turnId;
    if (own.some(({ isCancelled }) => isCancelled)) void this.#interrupt().catch(() => undefined);
  }

  #seeMessage({ messageId, status, turnId }: Body<"message.updated">["data"]): void {
    const prompt = this.#prompts.get(messageId);
    if (prompt === undefined) return;
    if (turnId !== undefined) prompt.turnId = turnId;
    if (status === "queued" && prompt.isCancelled) void this.#takeBack(messageId);
    if (status !== "cancelled" && status !== "failed") return;
    this.#prompts.delete(messageId);
    if (status === "cancelled") prompt.resolve("cancelled");
    else prompt.reject(new Error("The message could not be given to the agent"));
  }

  #end(ended: Body<"turn.ended">["data"]): void {
    for (const [messageId, prompt] of this.#prompts) {
      if (prompt.turnId !== ended.turnId) continue;
      this.#prompts.delete(messageId);
      try {
        prompt.resolve(stopReason(ended));
      } catch (error) {
        prompt.reject(error);
      }
    }
  }

  async #takeBack(messageId: string): Promise<void> {
    // Not yet there: it is taken back when it is. Given meanwhile: its turn is interrupted as soon as it begins.
    await this.#client.sessions.cancelMessage({ sessionId: this.#sessionId, messageId }).catch(() => undefined);
  }

  async #interrupt(): Promise<void> {
    await this.#client.sessions.interrupt({ sessionId: this.#sessionId });
  }

  async #tell(updates: readonly SessionUpdate[]): Promise<void> {
    const { peer, sessionId } = this.#options.person;
    for (const update of updates) await peer.notify("session/update", { sessionId, update });
  }

  /** Beside the stream: others may answer meanwhile, and the turn may end. */
  #ask(request: Request): void {
    this.#answer(request, this.#updates.callOf(request.data.itemId)).catch((error: unknown) => {
      // Somebody else was first, the turn is over, or the editor has gone: nobody waits for this answer any more.
      if (error instanceof Failure || this.#options.signal.aborted) return;
      const title = "The answer was lost";
      void this.#tell([{ sessionUpdate: "notice", severity: "error", title, description: String(error) }]);
    });
  }

  async #answer({ type, data }: Request, callId: string | undefined): Promise<void> {
    const { person } = this.#options;
    const { sessionId } = person;
    const { sessions } = this.#client;
    const { permissions, questions } = await sessions.listRequests({ sessionId });
    if (type === "permission.requested") {
      const { permissionId } = data;
      // A rule may have answered it already.
      if (!permissions.some((one) => one.permissionId === permissionId)) return;
      const reply = (await askPermission(person, data, callId)) ?? "reject";
      return await sessions.replyPermission({ sessionId, permissionId, reply });
    }
    const { questionId } = data;
    if (!questions.some((one) => one.questionId === questionId)) return;
    const answers = await askQuestion(person, data, callId);
    if (answers !== undefined) return await sessions.replyQuestion({ sessionId, questionId, answers });
    await sessions.rejectQuestion({ sessionId, questionId, message: "The person did not answer in the editor" });
  }
}

/** How a turn ended, in the editor's words; one that failed is an error of the prompt. */
function stopReason({ status, cause, message }: Body<"turn.ended">["data"]): StopReason {
  if (status === "completed") return "end_turn";
  if (status === "interrupted") return "cancelled";
  if (cause === "output_limit") return "max_tokens";
  if (cause === "max_steps") return "max_turn_requests";
  if (cause === "refused") return "refusal";
  throw new Error([cause ?? status, message].filter(Boolean).join(": "));
}
