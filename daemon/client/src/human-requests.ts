import { Failure } from "@muster/schema/wire";
import type { Client } from "./client.ts";
import type {
  PermissionRequested,
  QuestionRequested,
  ReplyPermission,
  ReplyQuestion,
  UniversalEvent,
} from "./generated/types.ts";

type Awaitable<T> = T | PromiseLike<T>;

/** Aborted when the request no longer waits: somebody else has answered, or the agent has gone on. */
export interface Asking {
  signal: AbortSignal;
}

/** `undefined` leaves the request to the next handler, or to another client. */
export type PermissionAnswer = ReplyPermission["reply"] | ReplyPermission | undefined;
export type QuestionAnswer = ReplyQuestion | "reject" | undefined;
/** To approve a plan, to approve it as edited, to reject it, or to say what should be different. */
export type PlanAnswer =
  | "approve"
  | "approve_edits"
  | "reject"
  | { reply: "approve" | "approve_edits"; editedText: string }
  | { feedback: string }
  | undefined;

export interface Handlers {
  permission: (request: PermissionRequested, asking: Asking) => Awaitable<PermissionAnswer>;
  question: (request: QuestionRequested, asking: Asking) => Awaitable<QuestionAnswer>;
  plan: (request: QuestionRequested, asking: Asking) => Awaitable<PlanAnswer>;
}

type Request =
  | { kind: "permission"; id: string; data: PermissionRequested }
  | { kind: "question" | "plan"; id: string; data: QuestionRequested };

/** Who answers the questions and permissions of one session. */
export class HumanRequests {
  readonly #client: Client;
  readonly #sessionId: string;
  readonly #handlers: { [Kind in keyof Handlers]: Set<Handlers[Kind]> } = {
    permission: new Set(),
    question: new Set(),
    plan: new Set(),
  };
  /** Shown to a handler and not yet resolved. */
  readonly #shown = new Map<string, AbortController>();
  /** The list of what waits that is being asked for, and the one after it. */
  #list: Promise<unknown> = Promise.resolve();
  #nextList: Promise<ReadonlySet<string>> | undefined;

  constructor(client: Client, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
  }

  add<Kind extends keyof Handlers>(kind: Kind, handler: Handlers[Kind]): () => void {
    const handlers: Set<Handlers[Kind]> = this.#handlers[kind];
    // The same function given twice counts twice: taking one away leaves the other.
    const own = ((request: never, asking: Asking) => handler(request, asking)) as Handlers[Kind];
    handlers.add(own);
    return () => handlers.delete(own);
  }

  /** Shows what an event asks, beside the reading of further events; `onFailure` is told what a handler throws. */
  see(event: UniversalEvent, onFailure: (error: unknown) => void): void {
    if (event.type === "permission.resolved") this.#resolve(event.data.permissionId);
    else if (event.type === "question.resolved") this.#resolve(event.data.questionId);
    else {
      const request = requestIn(event);
      if (request === undefined || this.#handlers[request.kind].size === 0 || this.#shown.has(request.id)) return;
      const asking = new AbortController();
      this.#shown.set(request.id, asking);
      this.#show(request, asking).catch((error: unknown) => {
        // It still waits: whoever reads next has it shown again.
        this.#shown.delete(request.id);
        onFailure(error);
      });
    }
  }

  #resolve(id: string): void {
    this.#shown.get(id)?.abort(new DOMException("The request no longer waits", "AbortError"));
    this.#shown.delete(id);
  }

  async #show(request: Request, asking: AbortController): Promise<void> {
    if (!(await this.#waits(request.id))) return this.#resolve(request.id);
    const { signal } = asking;
    try {
      const reply = await this.#replyTo(request, { signal });
      if (!signal.aborted) await reply?.();
    } catch (error) {
      // Somebody else was faster, or the agent no longer waits: both are fine.
      if (signal.aborted || (error instanceof Failure && settled.includes(error.code))) return;
      throw error;
    }
  }

  /** Events are also read late and again: only what still waits for a person is shown to one. */
  async #waits(id: string): Promise<boolean> {
    return (await this.#waiting()).has(id);
  }

  /** Those who ask while an answer is under way share the next one, which is younger than their events. */
  #waiting(): Promise<ReadonlySet<string>> {
    this.#nextList ??= this.#list.then(() => {
      this.#nextList = undefined;
      const list = this.#listWaiting();
      this.#list = list.catch(() => {});
      return list;
    });
    return this.#nextList;
  }

  async #listWaiting(): Promise<ReadonlySet<string>> {
    const asked = { sessionId: this.#sessionId };
    const { permissions, questions } = await this.#client.sessions.listRequests(asked, { retry: true });
    return new Set([...permissions.map((one) => one.permissionId), ...questions.map((one) => one.questionId)]);
  }

  /** The call that carries the first answer a handler gives. */
  async #replyTo({ kind, id, data }: Request, asking: Asking): Promise<(() => Promise<unknown>) | undefined> {
    const { sessions } = this.#client;
    const sessionId = this.#sessionId;
    if (kind === "permission") {
      const answer = await first(this.#handlers.permission, data, asking);
      const fields = typeof answer === "string" ? { reply: answer } : answer;
      return fields && (() => sessions.replyPermission({ sessionId, permissionId: id, ...fields }, { retry: true }));
    }
    if (kind === "plan") {
      const answer = await first(this.#handlers.plan, data, asking);
      const fields = answer && planReply(answer);
      return fields && (() => sessions.replyQuestion({ sessionId, questionId: id, ...fields }, { retry: true }));
    }
    const answer = await first(this.#handlers.question, data, asking);
    if (answer === "reject") return () => sessions.rejectQuestion({ sessionId, questionId: id }, { retry: true });
    return answer && (() => sessions.replyQuestion({ sessionId, questionId: id, ...answer }, { retry: true }));
  }
}

const settled: readonly string[] = ["already_resolved", "request_not_found"];

function requestIn(event: UniversalEvent): Request | undefined {
  if (event.type === "permission.requested") {
    return { kind: "permission", id: event.data.permissionId, data: event.data };
  }
  if (event.type !== "question.requested") return undefined;
  const kind = event.data.kind === "plan_approval" ? "plan" : "question";
  return { kind, id: event.data.questionId, data: event.data };
}

async function first<Data, Answer>(
  handlers: Iterable<(data: Data, asking: Asking) => Awaitable<Answer>>,
  data: Data,
  asking: Asking,
): Promise<Answer | undefined> {
  for (const handler of handlers) {
    const answer = await handler(data, asking);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function planReply(answer: NonNullable<PlanAnswer>): ReplyQuestion {
  if (typeof answer === "string") return { answers: [[answer]] };
  if ("feedback" in answer) return { answers: [[answer.feedback]] };
  return { answers: [[answer.reply]], editedText: answer.editedText };
}
