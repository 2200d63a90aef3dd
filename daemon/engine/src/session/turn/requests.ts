import type { PermissionAsked, PermissionDecided, QuestionAsked } from "@muster/adapters";
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
import { ownProperty } from "../../own-property.ts";
import type { CurrentLife } from "../state/agent-life.ts";
import type { Journal } from "../state/journal.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import { checkAnswers } from "./check-answers.ts";
import { isGranted } from "./permission-rules.ts";

export interface RequestsParts {
  journal: Journal;
  current: Pick<CurrentLife, "tell">;
  settings: Pick<SessionSettings, "limits" | "permissionMode">;
}

/** Questions and permissions that wait for a person. The first valid answer wins; each is resolved exactly once. */
export class Requests {
  readonly #journal: Journal;
  readonly #current: RequestsParts["current"];
  readonly #settings: RequestsParts["settings"];
  /** Our id → the adapter's key and the expiry timer. */
  readonly #open = new Map<string, { requestKey: string; timer: NodeJS.Timeout | undefined }>();

  constructor({ journal, current, settings }: RequestsParts) {
    this.#journal = journal;
    this.#current = current;
    this.#settings = settings;
  }

  pending(): PendingRequests {
    const { questions, permissions } = this.#journal.state;
    return { questions: Object.values(questions), permissions: Object.values(permissions) };
  }

  get count(): number {
    const { questions, permissions } = this.#journal.state;
    return Object.keys(questions).length + Object.keys(permissions).length;
  }

  askQuestion({ requestKey, ...asked }: QuestionAsked): void {
    const questionId = `question_${this.#journal.state.next.question}`;
    const data: QuestionRequested = { questionId, ...asked, expiresAt: this.#expiresAt() };
    this.#journal.emit("agent", { type: "question.requested", data });
    this.#wait(questionId, requestKey, () => this.#expireQuestion(questionId));
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
    this.#wait(permissionId, requestKey, () => this.#expirePermission(permissionId));
  }

  /** The agent asked and answered itself; both are told. */
  addDecided({ requestKey: _, decision, message, ...asked }: PermissionDecided): void {
    const permissionId = `permission_${this.#journal.state.next.permission}`;
    this.#journal.emit("agent", { type: "permission.requested", data: { permissionId, ...asked } });
    this.#resolvePermission({ permissionId, decision, by: "agent", message });
  }

  /** The agent no longer waits for an answer. */
  withdraw(requestKey: string): void {
    for (const [id, open] of this.#open)
      if (open.requestKey === requestKey) this.#cancel(id, "agent", "Withdrawn by the agent");
  }

  /** Ends every pending request; the agent is told no. */
  cancelAll(by: "user" | "daemon", message: string): void {
    this.#cancelWhere(() => true, by, message);
  }

  /** A request belongs to its item and ends with it. */
  cancelForItem(itemId: string): void {
    this.#cancelWhere((asked) => asked.itemId === itemId, "daemon", "The item has ended");
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

  async replyPermission(permissionId: string, { reply, message }: ReplyPermission): Promise<void> {
    this.#permission(permissionId);
    const requestKey = this.#settle(permissionId);
    const decision = reply === "reject" ? "reject" : "allow";
    const scopes = { once: "once", always: "session", reject: undefined } as const;
    this.#resolvePermission({ permissionId, decision, by: "user", scope: scopes[reply], message });
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

  #wait(id: string, requestKey: string, expire: () => void): void {
    const { requestMs } = this.#settings.limits;
    const timer = requestMs === undefined ? undefined : setTimeout(expire, requestMs).unref();
    this.#open.set(id, { requestKey, timer });
  }

  #expireQuestion(questionId: string): void {
    const requestKey = this.#settle(questionId);
    const message = "Nobody answered in time";
    this.#resolveQuestion({ questionId, status: "expired", message });
    this.#journal.flush();
    if (requestKey) this.#current.tell({ type: "question", requestKey, message });
  }

  #expirePermission(permissionId: string): void {
    const requestKey = this.#settle(permissionId);
    const message = "Nobody answered in time";
    this.#resolvePermission({ permissionId, decision: "expired", by: "daemon", message });
    this.#journal.flush();
    if (requestKey) this.#current.tell({ type: "permission", requestKey, decision: "reject", message });
  }

  #cancelWhere(which: (asked: { itemId?: string }) => boolean, by: "user" | "daemon", message: string): void {
    for (const { questionId } of Object.values(this.#journal.state.questions).filter(which)) {
      const requestKey = this.#cancel(questionId, by, message);
      if (requestKey) this.#current.tell({ type: "question", requestKey, message });
    }
    for (const { permissionId } of Object.values(this.#journal.state.permissions).filter(which)) {
      const requestKey = this.#cancel(permissionId, by, message);
      if (requestKey) this.#current.tell({ type: "permission", requestKey, decision: "reject", message });
    }
  }

  #cancel(id: string, by: PermissionResolved["by"], message: string): string | undefined {
    const requestKey = this.#settle(id);
    if (id in this.#journal.state.questions) this.#resolveQuestion({ questionId: id, status: "cancelled", message });
    if (id in this.#journal.state.permissions) {
      this.#resolvePermission({ permissionId: id, decision: "cancelled", by, message });
    }
    return requestKey;
  }

  #settle(id: string): string | undefined {
    const open = this.#open.get(id);
    clearTimeout(open?.timer);
    this.#open.delete(id);
    return open?.requestKey;
  }

  #resolveQuestion(data: QuestionResolved): void {
    this.#journal.emit("daemon", { type: "question.resolved", data });
  }

  #resolvePermission(data: PermissionResolved): void {
    this.#journal.emit(data.by === "agent" ? "agent" : "daemon", { type: "permission.resolved", data });
  }

  #question(questionId: string): QuestionRequested {
    const asked = ownProperty(this.#journal.state.questions, questionId);
    if (asked) return asked;
    throw missingRequest("question", questionId, this.#journal.state.next.question);
  }

  #permission(permissionId: string): PermissionRequested {
    const asked = ownProperty(this.#journal.state.permissions, permissionId);
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
