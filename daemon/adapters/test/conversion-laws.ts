import { isLong } from "@muster/chaos";
import { type EventBody, eventTypes } from "@muster/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Command } from "../src/commands.ts";
import type { Converter } from "../src/converter/converter.ts";
import type { Signal } from "../src/signals.ts";
import { command, event } from "./arbitrary-events.ts";

export interface ConversionLaws<State, Native> {
  converter: Converter<State, Native>;
  /** Where `fromUniversal` is null, and why. */
  exceptions: readonly { what: string; why: string; holds: (body: EventBody) => boolean }[];
  /** The life an event or a command meets, where the items it refers to are not enough. */
  stateFor?: (subject: { body: EventBody } | { command: Command }) => State;
  /** What of a command the agent has no words for, and what is read back instead. */
  losses?: readonly {
    what: string;
    why: string;
    holds: (command: Command) => boolean;
    left: (command: Command) => Command | Command[];
  }[];
  /** Events of the shapes this agent can say, where the arbitrary ones rarely have them. */
  sayable?: fc.Arbitrary<EventBody>;
}

/** The two laws of architecture.md, for any agent, with the honest list of where the first cannot hold. */
export function conversionLaws<State, Native>(laws: ConversionLaws<State, Native>): void {
  const { converter, exceptions, losses = [], sayable = event } = laws;
  const meeting =
    laws.stateFor ?? ((subject) => ("body" in subject ? stateFor(converter, subject.body) : converter.initial()));
  describe("the two laws of conversion", () => {
    test("what is said in the agent's words comes back as the same event, up to ids", () => {
      fc.assert(
        fc.property(fc.oneof(event, sayable), (body) => {
          const native = converter.fromUniversal(body);
          expect(native === null).toBe(exceptions.some(({ holds }) => holds(body)));
          if (native === null) return;
          const { bodies, replies } = converter.step(meeting({ body }), { native: toJson(native) });
          expect(replies).toEqual([]);
          expect(bodies.map(withoutIds)).toEqual([withoutIds(asSignal(body))]);
        }),
        { numRuns: isLong ? 3_000 : 1_000 },
      );
    });

    test("every exception has its reason and is met, and every type of event is tried", () => {
      const samples = fc.sample(fc.oneof(event, sayable), { numRuns: 6_000, seed: 1 });
      expect(new Set(samples.map(({ type }) => type))).toEqual(new Set(eventTypes));
      for (const { what, why, holds } of exceptions) {
        expect(why).not.toBe("");
        expect(samples.some(holds), what).toBe(true);
      }
    });

    test("a command in the agent's words is read back as the same command", () => {
      fc.assert(
        fc.property(command, (original) => {
          const { replies } = converter.step(meeting({ command: original }), { command: original });
          const left = losses.reduce(
            (kept, { holds, left }) => kept.flatMap((one) => (holds(one) ? left(one) : [one])),
            [original],
          );
          expect(replies.map((line) => converter.inputFromNative(toJson(line)))).toEqual(left);
        }),
        { numRuns: isLong ? 2_000 : 1_000 },
      );
    });

    test("every loss has its reason and is met", () => {
      const samples = fc.sample(command, { numRuns: 3_000, seed: 1 });
      for (const { what, why, holds } of losses) {
        expect(why).not.toBe("");
        expect(samples.some(holds), what).toBe(true);
      }
    });
  });
}

/** The state of a life in which the items that an event refers to are open. */
function stateFor<State, Native>(converter: Converter<State, Native>, body: EventBody): State {
  const open = (itemId: string): EventBody => ({
    type: "item.started",
    data: { item: { itemId, kind: "message", status: "in_progress", content: [] } },
  });
  const needed = [open("item_parent")];
  if (body.type === "item.delta") needed.push(open(body.data.itemId));
  if (body.type === "item.completed") needed.push(open(body.data.item.nativeItemId ?? body.data.item.itemId));
  return needed.reduce((state, start) => {
    const native = converter.fromUniversal(start);
    return native === null ? state : converter.step(state, { native }).state;
  }, converter.initial());
}

/** The same fact as an adapter reports it: what the engine adds is not there, ids of requests have the agent's name. */
function asSignal(body: EventBody): Signal | undefined {
  switch (body.type) {
    case "turn.started":
      return { type: "turn.began", data: {} };
    case "turn.ended": {
      const { turnId: _, durationMs: __, status, ...rest } = body.data;
      return status === "uncertain" ? undefined : ({ type: "turn.finished", data: { status, ...rest } } as Signal);
    }
    case "message.updated":
      return { type: "message.joined", data: { messageId: body.data.messageId } };
    case "question.requested": {
      const { questionId: requestKey, expiresAt: _, ...rest } = body.data;
      return { type: "question.asked", data: { requestKey, ...rest } } as Signal;
    }
    case "permission.requested": {
      const { permissionId: requestKey, expiresAt: _, ...rest } = body.data;
      return { type: "permission.asked", data: { requestKey, ...rest } } as Signal;
    }
    case "session.started":
    case "session.ended":
    case "question.resolved":
    case "permission.resolved":
    case "log.damaged":
      return undefined;
    default:
      return body;
  }
}

/** Ids of items are given by whoever converts; that there is one, and that a parent is another, is part of the law. */
function withoutIds(signal: Signal | undefined): unknown {
  const names: Record<string, string | undefined> = { itemId: "an item", parentId: "another item" };
  return JSON.parse(
    JSON.stringify(signal, (key, value: unknown) => {
      if (key === "nativeItemId") return undefined;
      return typeof value === "string" ? (names[key] ?? value) : value;
    }),
  );
}

const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
