import { redactForms, secretForms, sortForms } from "@muster/core";
import type { EventBody } from "@muster/schema";

/** Shorter values would redact ordinary words. */
const shortestSecret = 8;
/** Of sessions that came and went; the oldest are let go. */
const mostSecrets = 10_000;

/** Replaces known secret values in everything that is written: errors, stderr, unparsed lines, status, logs, raw. */
export class Redactor {
  readonly #machine: Redactor | undefined;
  readonly #values = new Set<string>();
  /** Of sessions: known here, where the daemon writes about all of them, and each in its own session. */
  readonly #ofSessions = new Set<string>();
  #version = 0;
  #forms: { version: number; texts: readonly string[] } | undefined;

  constructor(values: Iterable<string>, machine?: Redactor) {
    this.#machine = machine;
    this.add(values);
  }

  /** From now on these are known, here and in every session. */
  add(values: Iterable<string>): void {
    this.#take(values, this.#values);
  }

  /** For one session: knows its secrets and all of this machine, also those that are found later. */
  ofSession(values: readonly string[]): Redactor {
    this.#take(values, this.#ofSessions);
    return new Redactor(values, this);
  }

  text(text: string): string {
    return redactForms(text, this.#texts());
  }

  /** A JSON value with every string in it cleaned. */
  value<T>(value: T): T {
    if (this.#texts().length === 0) return value;
    if (typeof value === "string") return this.text(value) as T;
    if (Array.isArray(value)) return value.map((entry) => this.value(entry)) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [this.text(key), this.value(entry)])) as T;
  }

  /** A thing with a message for people, cleaned; the rest of it is content. */
  message<T extends { message?: string }>(told: T): T {
    return told.message === undefined ? told : { ...told, message: this.text(told.message) };
  }

  /** Cleans the events that are diagnostics; what a model or a tool produced is stored as produced. */
  body<B extends EventBody>(body: B): B {
    if (this.#texts().length === 0 || !isDiagnostic(body)) return body;
    return { ...body, data: this.value(body.data) };
  }

  #take(values: Iterable<string>, known: Set<string>): void {
    for (const value of values) {
      if (value.length < shortestSecret || known.has(value)) continue;
      known.add(value);
      this.#version++;
    }
    for (const oldest of known) {
      if (known.size <= mostSecrets) break;
      known.delete(oldest);
    }
  }

  #texts(): readonly string[] {
    const machine = this.#machine;
    const version = this.#version + (machine ? machine.#version : 0);
    if (this.#forms?.version === version) return this.#forms.texts;
    const values = [...this.#values, ...this.#ofSessions, ...(machine ? machine.#values : [])];
    const texts = sortForms(values.flatMap(secretForms));
    this.#forms = { version, texts };
    return texts;
  }
}

function isDiagnostic(body: EventBody): boolean {
  if (body.type === "error" || body.type === "agent.unparsed" || body.type === "session.ended") return true;
  return (body.type === "item.started" || body.type === "item.completed") && body.data.item.kind === "status";
}
