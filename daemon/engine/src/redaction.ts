import type { EventBody } from "@muster/schema";

/** Shorter values would redact ordinary words. */
const shortestSecret = 8;
const mark = "[redacted]";

/** Replaces known secret values in diagnostics: errors, stderr, unparsed lines, status, logs, raw. */
export class Redactor {
  #values: string[];

  constructor(values: Iterable<string>) {
    const long = [...values].filter((value) => value.length >= shortestSecret);
    // Lines of agents and of the log are JSON: there a quote in a secret has a backslash before it.
    this.#values = [...new Set(long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))];
    // A secret that contains another one must go first, or its rest would stay.
    this.#values.sort((left, right) => right.length - left.length);
  }

  text(text: string): string {
    let clean = text;
    for (const value of this.#values) if (clean.includes(value)) clean = clean.replaceAll(value, mark);
    return clean;
  }

  /** A JSON value with every string in it cleaned. */
  value<T>(value: T): T {
    if (this.#values.length === 0) return value;
    if (typeof value === "string") return this.text(value) as T;
    if (Array.isArray(value)) return value.map((entry) => this.value(entry)) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.value(entry)])) as T;
  }

  /** A thing with a message for people, cleaned; the rest of it is content. */
  message<T extends { message?: string }>(told: T): T {
    return told.message === undefined ? told : { ...told, message: this.text(told.message) };
  }

  /** Cleans the events that are diagnostics; what a model or a tool produced is stored as produced. */
  body<B extends EventBody>(body: B): B {
    if (this.#values.length === 0 || !isDiagnostic(body)) return body;
    return { ...body, data: this.value(body.data) };
  }
}

export function isSecretName(name: string): boolean {
  return /key|token|secret|passw|credential|auth/i.test(name);
}

/** The values of variables that are named like secrets. */
export function secretsInEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && isSecretName(name) ? [value] : []));
}

function isDiagnostic(body: EventBody): boolean {
  if (body.type === "error" || body.type === "agent.unparsed" || body.type === "session.ended") return true;
  return (body.type === "item.started" || body.type === "item.completed") && body.data.item.kind === "status";
}
