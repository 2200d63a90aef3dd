import type { Command, PermissionAsked, PermissionDecided, QuestionAsked } from "@muster/adapters";
import {
  Failure,
  type PendingRequests,
  type PermissionRequested,
  type PermissionResolved,
  type QuestionRequested,
  type QuestionResolved,
  type RejectQuestion,
  type ReplyPermission,
  type ReplyQuestion,
} from "@muster/schema/wire";
import type { CurrentLife } from "../state/agent-life.ts";
import type { Journal } from "../state/journal.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import { checkAnswers } from "./check-answers.ts";
import { Groups } from "./groups.ts";
import { isGranted } from "./permission-rules.ts";

/** What is known of a request beside its event: how the adapter calls it, and the timer of its expiry. */
interface Waiting {
  requestKey: string;
  itemId: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

type No = Extract<Command, { type: "permission" | "question" }>;

/** Questions and permissions that wait for a person. The first valid answer wins; each is resolved exactly once. */
export class Requests {
  readonly #journal: Journal;
  readonly #current: Pick<CurrentLife, "tell">;
  readonly #settings: Pick<SessionSettings, "limits" | "permissionMode">;
  readonly #open = new Map<string, Waiting>();
  readonly #ofItem = new Groups<string>();
  readonly #ofKey = new Groups<string>();

  constructor(
    journal: Journal,
    current: Pick<CurrentLife, "tell">,
    settings: Pick<SessionSettings, "limits" | "permissionMode">,
  ) {
    this.#journal = journal;
    this.#current = current;
    this.#settings = settings;
  }

  pending(): PendingRequests {
    const { questions, permissions } = this.#journal.state;
    return { questions: [...questions.values()], permissions: [...permissions.values()] };
  }

  /** Whether nobody has answered this one yet. */
  isWaiting(id: string): boolean {
    const { questions, permissions } = this.#journal.state;
    return questions.has(id) || permissions.has(id);
  }

  askQuestion({ requestKey, ...asked }: QuestionAsked): void {
    const questionId = `question_${this.#journal.state.next.question}`;
    const data: QuestionRequested = { questionId, ...asked, expiresAt: this.#expiresAt() };
    this.#journal.emit("agent", { type: "question.requested", data });
    this.#wait(questionId, requestKey, asked.itemId);
  }

  askPermission({ requestKey, ...asked }: PermissionAsked): void {
    const permissionId = `permission_${this.#journal.state.next.permission}`;
    const data: PermissionRequested = { permissionId, ...asked, expiresAt: this.#expiresAt() };
    this.#journal.emit("agent", { type: "permission.requested", data });
    const by = this.#allowedBy(asked);
    if (by) {
      const scope = by === "rule" ? "session" : undefined;
      this.#resolvePermission({ permissionId, decision: "allow", by, scope });
      this.#current.tell({ type: "permission", requestKey, decision: "allow" });
      return;
    }
    this.#wait(permissionId, requestKey, asked.itemId);
  }

  /** The agent asked and answered itself; both are told. */
  addDecided({ requestKey: _, decision, message, ...asked }: PermissionDecided): void {
    const permissionId = `permission_${this.#journal.state.next.permission}`;
    this.#journal.emit("agent", { type: "permission.requested", data: { permissionId, ...asked } });
    this.#resolvePermission({ permissionId, decision, by: "agent", message });
  }

  /** The agent no longer waits for an answer. */
  withdraw(requestKey: string): void {
    for (const id of this.#ofKey.of(requestKey)) this.#close(id, "cancelled", "agent", "Withdrawn by the agent");
  }

  /** Ends every pending request; the agent is told no, and by a user's interrupt that it stops with it. */
  cancelAll(by: "user" | "daemon", message: string): void {
    const { questions, permissions } = this.#journal.state;
    this.#refuse([...questions.keys(), ...permissions.keys()], by, message);
  }

  /** A request belongs to its item and ends with it. */
  cancelForItem(itemId: string): void {
    const ids = this.#ofItem.of(itemId);
    const isQuestion = (id: string) => this.#journal.state.questions.has(id);
    const inOrder = [...ids.filter(isQuestion), ...ids.filter((id) => !isQuestion(id))];
    this.#refuse(inOrder, "daemon", "The item has ended");
  }

  async replyQuestion(questionId: string, { answers, editedText }: ReplyQuestion): Promise<void> {
    const asked = this.#question(questionId);
    const checked = checkAnswers(asked, answers);
    const isSecret = asked.questions.some(({ secret }) => secret);
    const requestKey = this.#settle(questionId);
    this.#resolveQuestion({ questionId, status: "answered", answers: isSecret ? undefined : checked });
    await this.#journal.sync();
    if (requestKey) this.#current.tell({ type: "question", requestKey, answers: checked, editedText });
  }

  async rejectQuestion(questionId: string, { message }: RejectQuestion): Promise<void> {
    this.#question(questionId);
    const requestKey = this.#settle(questionId);
    this.#resolveQuestion({ questionId, status: "rejected", message });
    await this.#journal.sync();
    if (requestKey) this.#current.tell({ type: "question", requestKey, message });
  }

  async replyPermission(permissionId: string, { reply, message, automatic }: ReplyPermission): Promise<void> {
    this.#permission(permissionId);
    const requestKey = this.#settle(permissionId);
    const decision = reply === "reject" ? "reject" : "allow";
    const scopes = { once: "once", always: "session", reject: undefined } as const;
    const by = automatic ? "client" : "user";
    this.#resolvePermission({ permissionId, decision, by, scope: scopes[reply], message });
    await this.#journal.sync();
    if (requestKey) this.#current.tell({ type: "permission", requestKey, decision, message });
  }

  #allowedBy(asked: Pick<PermissionAsked, "alwaysScope">): "rule" | "mode" | undefined {
    if (this.#settings.permissionMode(this.#journal.state) === "bypass") return "mode";
    return isGranted(this.#journal.state.rules, asked.alwaysScope) ? "rule" : undefined;
  }

  #expiresAt(): string | undefined {
    const { requestMs } = this.#settings.limits;
    return requestMs === undefined ? undefined : new Date(Date.now() + requestMs).toISOString();
  }

  #wait(id: string, requestKey: string, itemId: string | undefined): void {
    const { requestMs } = this.#settings.limits;
    const timer = requestMs === undefined ? undefined : setTimeout(() => this.#expire(id), requestMs).unref();
    this.#open.set(id, { requestKey, itemId, timer });
    this.#ofKey.add(requestKey, id);
    if (itemId !== undefined) this.#ofItem.add(itemId, id);
  }

  #expire(id: string): void {
    const no = this.#close(id, "expired", "daemon", "Nobody answered in time");
    this.#journal.flush();
    if (no) this.#current.tell(no);
  }

  #refuse(ids: readonly string[], by: "user" | "daemon", message: string): void {
    for (const id of ids) {
      const no = this.#close(id, "cancelled", by, message);
      if (no) this.#current.tell(by === "user" ? { ...no, stops: true } : no);
    }
  }

  /** Resolves a request that got no answer; gives what tells that to the agent. */
  #close(id: string, how: "cancelled" | "expired", by: PermissionResolved["by"], message: string): No | undefined {
    const isQuestion = this.#journal.state.questions.has(id);
    const requestKey = this.#settle(id);
    if (isQuestion) this.#resolveQuestion({ questionId: id, status: how, message });
    else this.#resolvePermission({ permissionId: id, decision: how, by, message });
    if (requestKey === undefined) return undefined;
    return isQuestion
      ? { type: "question", requestKey, message }
      : { type: "permission", requestKey, decision: "reject", message };
  }

  #settle(id: string): string | undefined {
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    clearTimeout(open.timer);
    this.#open.delete(id);
    this.#ofKey.remove(open.requestKey, id);
    if (open.itemId !== undefined) this.#ofItem.remove(open.itemId, id);
    return open.requestKey;
  }

  #resolveQuestion(data: QuestionResolved): void {
    this.#journal.emit("daemon", { type: "question.resolved", data });
  }

  #resolvePermission(data: PermissionResolved): void {
    this.#journal.emit(data.by === "agent" ? "agent" : "daemon", { type: "permission.resolved", data });
  }

  #question(questionId: string): QuestionRequested {
    const asked = this.#journal.state.questions.get(questionId);
    if (asked) return asked;
    throw missingRequest("question", questionId, this.#journal.state.next.question);
  }

  #permission(permissionId: string): PermissionRequested {
    const asked = this.#journal.state.permissions.get(permissionId);
    if (asked) return asked;
    throw missingRequest("permission", permissionId, this.#journal.state.next.permission);
  }
}

/** Ids are counted, so an id below the next one belongs to a request that has been resolved. */
function missingRequest(kind: "question" | "permission", id: string, next: number): Failure {
  const number = Number(id.match(new RegExp(`^${kind}_([1-9][0-9]*)$`))?.[1]);
  if (number < next)
    return new Failure("already_resolved", `The ${kind} ${id} has been resolved`, { [`${kind}Id`]: id });
  return new Failure("request_not_found", `There is no ${kind} ${id}`, { [`${kind}Id`]: id });
}
