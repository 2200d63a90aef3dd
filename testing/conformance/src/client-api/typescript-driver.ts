import {
  ByteAnswer,
  type CallOptions,
  ConnectionFailure,
  Failure,
  type SandboxDaemon,
  type Session,
  TurnFailed,
} from "@muster/client";
import type { UniversalEvent } from "@muster/schema";
import { type CallArgs, type Driver, type GivenSession, type Told, ToldError } from "./driver.ts";

/** The TypeScript client, wherever its daemon is. */
export function typescriptDriver(daemon: SandboxDaemon, close = () => daemon.close()): Driver {
  return {
    async call<T>(name: string, args: CallArgs, signal?: AbortSignal): Promise<T> {
      try {
        return (await begin(daemon, name, args, signal)) as T;
      } catch (error) {
        throw new ToldError(told(error));
      }
    },

    async *stream(name, args, signal) {
      try {
        yield* begin(daemon, name, args, signal) as AsyncIterable<UniversalEvent>;
      } catch (error) {
        throw new ToldError(told(error));
      }
    },

    close,
  };
}

function begin(daemon: SandboxDaemon, name: string, args: CallArgs, signal?: AbortSignal): unknown {
  if (name === "operation") {
    const result = methodOf(daemon, args.id ?? "")(args.fields, { signal });
    return result instanceof Promise ? result.then(toldBytes) : result;
  }
  if (name === "watch") return daemon.watch({ signal });
  const session = sessionOf(daemon, args.session ?? { id: "" });
  const { text = "", after, deltas, options } = args;
  if (name === "prompt") return session.prompt(text, { ...options, signal });
  if (name === "ask") return session.ask(text, { ...options, signal });
  if (name === "events") return session.events({ after, deltas, signal });
  if (name === "steer" || name === "queue") return session[name](text, { signal });
  return session[name as "interrupt" | "terminate" | "delete"]({ signal });
}

type Method = (fields: unknown, options: CallOptions) => unknown;

function methodOf({ client }: SandboxDaemon, id: string): Method {
  return id.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], client) as Method;
}

function sessionOf(daemon: SandboxDaemon, { id, options, answers = {} }: GivenSession): Session {
  const session = daemon.session(id, options as Parameters<SandboxDaemon["session"]>[1]);
  const always = (answer: unknown) => () => (answer ?? undefined) as never;
  if ("permission" in answers) session.onPermission(always(answers.permission));
  if ("question" in answers) session.onQuestion(always(answers.question));
  if ("plan" in answers) session.onPlan(always(answers.plan));
  return session;
}

function told(error: unknown): Told {
  if (error instanceof Failure)
    return { name: "Failure", code: error.code, status: error.status, message: error.message };
  if (error instanceof TurnFailed) {
    return { name: "TurnFailed", code: error.code, status: error.status, message: error.message };
  }
  if (error instanceof ConnectionFailure) return { name: "ConnectionFailure", message: error.message };
  if (error instanceof DOMException && error.name === "AbortError") return { name: "Aborted" };
  return { name: "Other", message: String(error) };
}

/** Bytes as every driver tells them; the trees of these tests hold plain text. */
async function toldBytes(value: unknown): Promise<unknown> {
  return value instanceof ByteAnswer ? { status: value.status, text: await value.text() } : value;
}
