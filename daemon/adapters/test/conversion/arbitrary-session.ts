import {
  Cause,
  type EventBody,
  type Item,
  type Part,
  PermissionAction,
  PermissionMode,
  type Usage,
} from "@muster/schema";
import fc from "fast-check";
import { json } from "./arbitrary-commands.ts";

const text = fc.string({ maxLength: 12, unit: "grapheme" });
const words = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
const count = fc.nat({ max: 100_000 });
const cost = fc.integer({ min: 0, max: 10_000 }).map((micro) => micro / 1_000_000);
const usage: fc.Arbitrary<Usage> = fc.record(
  {
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count,
    reasoningTokens: count,
    contextTokens: count,
    contextWindow: fc.integer({ min: 1, max: 100_000 }),
  },
  { requiredKeys: ["inputTokens", "outputTokens"] },
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** What happens in a turn, before it has ids. A thread is what one agent does, one thing after the other. */
type Happening =
  | {
      is: "spoken";
      kind: "message" | "reasoning" | "plan";
      texts: string[];
      pieces: boolean[];
      end: Item["status"];
      private: boolean;
      isReplaced: boolean;
    }
  | { is: "value"; json: fc.JsonValue }
  | { is: "person"; text: string; isPictured: boolean }
  | { is: "background"; output: string }
  | {
      is: "call";
      name: string;
      input: fc.JsonValue;
      isLate: boolean;
      prints: string;
      result: Result | undefined;
      inside: Happening[] | undefined;
    }
  | { is: "status"; parts: Part[] }
  | { is: "report"; body: EventBody }
  | { is: "request"; request: "question" | "permission"; action: PermissionAction; question: string; labels: string[] };
interface Result {
  output: string;
  isError: boolean;
  exitCode: number | undefined;
  json: unknown;
}

const spoken: fc.Arbitrary<Happening> = fc
  .record({
    kind: fc.constantFrom("message" as const, "reasoning" as const, "plan" as const),
    texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    pieces: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    end: fc.constantFrom("completed" as const, "cancelled" as const, "failed" as const),
    private: fc.boolean(),
    isReplaced: fc.boolean(),
  })
  .map((one) => ({ is: "spoken" as const, ...one, texts: one.kind === "plan" ? one.texts.slice(0, 1) : one.texts }));

const result: fc.Arbitrary<Result> = fc
  .record({
    output: text,
    isError: fc.boolean(),
    code: optional(fc.integer({ min: 1, max: 255 })),
    json: optional(json),
  })
  .map(({ output, isError, code, json }) => ({ output, isError, exitCode: isError ? code : undefined, json }));

/** Tools of every agent by their own names, and of none; not those whose calls are lists or questions. */
const name = fc.oneof(
  fc.constantFrom("Bash", "Read", "shell", "run_terminal_command", "spawn_agents", "Task", "task", "mcp__files__read"),
  words.map((word) => `tool ${word}`),
);

const call = (inside: fc.Arbitrary<Happening[] | undefined>): fc.Arbitrary<Happening> =>
  fc.record({
    is: fc.constant("call" as const),
    name,
    input: fc.oneof(fc.record({ command: text }), json),
    isLate: fc.boolean(),
    prints: text,
    result: optional(result),
    inside,
  });

const status: fc.Arbitrary<Happening> = fc
  .oneof(
    fc.tuple(words, optional(words)).map(([label, detail]): Part[] => [{ type: "status", label, detail }]),
    fc.tuple(words, words).map(([label, agentType]): Part[] => [
      { type: "status", label },
      { type: "json", json: { agentType } },
    ]),
    fc
      .constantFrom("complete", "failed")
      .map((how): Part[] => [{ type: "status", label: `download ${how}`, detail: "1.0.0" }]),
  )
  .map((parts) => ({ is: "status", parts }));

const report: fc.Arbitrary<Happening> = fc
  .oneof(
    fc
      .array(
        fc.record(
          {
            content: words,
            status: fc.constantFrom(
              "pending" as const,
              "in_progress" as const,
              "completed" as const,
              "cancelled" as const,
            ),
            priority: fc.constantFrom("high" as const, "low" as const),
          },
          { requiredKeys: ["content", "status"] },
        ),
        { maxLength: 3 },
      )
      .map((entries): EventBody => ({ type: "plan.updated", data: { entries } })),
    usage.map((data): EventBody => ({ type: "usage.updated", data })),
    fc
      .tuple(fc.constantFrom(...Cause.options), words, fc.boolean())
      .map(([code, message, retryable]): EventBody => ({ type: "error", data: { code, message, retryable } })),
    fc
      .record(
        { title: words, model: words, permissionMode: fc.constantFrom(...PermissionMode.options), variant: words },
        { requiredKeys: [] },
      )
      .map((data): EventBody => ({ type: "session.updated", data })),
    json.map((raw): EventBody => ({ type: "agent.unparsed", data: { raw, error: "why", location: "x" } })),
  )
  .map((body) => ({ is: "report", body }));

const request: fc.Arbitrary<Happening> = fc.record({
  is: fc.constant("request" as const),
  request: fc.constantFrom("question" as const, "permission" as const),
  action: fc.constantFrom(...PermissionAction.options),
  question: words,
  labels: fc.uniqueArray(words, { maxLength: 3 }),
});

const simple = fc.oneof(
  { weight: 4, arbitrary: spoken },
  { weight: 4, arbitrary: call(fc.constant(undefined)) },
  { weight: 1, arbitrary: json.map((value): Happening => ({ is: "value", json: value })) },
);
const thread = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: simple },
    { weight: 2, arbitrary: call(fc.array(simple, { maxLength: 4 })) },
    { weight: 1, arbitrary: status },
    { weight: 2, arbitrary: report },
    { weight: 2, arbitrary: request },
    {
      weight: 1,
      arbitrary: fc
        .tuple(text, fc.boolean())
        .map(([said, isPictured]): Happening => ({ is: "person", text: said, isPictured })),
    },
    { weight: 1, arbitrary: text.map((output): Happening => ({ is: "background", output })) },
  ),
  { maxLength: 5 },
);

const turn = fc.record({
  threads: fc.array(thread, { minLength: 1, maxLength: 3 }),
  /** Whose event comes next. */
  order: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
  origin: fc.constantFrom("user" as const, "agent" as const),
  end: fc.record(
    {
      status: fc.constantFrom(
        "completed" as const,
        "completed" as const,
        "interrupted" as const,
        "failed" as const,
        "uncertain" as const,
      ),
      usage,
      costUsd: cost,
      output: json,
      message: words,
    },
    { requiredKeys: ["status", "message"] },
  ),
});

/** A whole session of any agent: turns, things that happen side by side in them, sub-agents, requests. */
export const session: fc.Arbitrary<EventBody[]> = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map((turns) => JSON.parse(JSON.stringify(new Teller().session(turns))) as EventBody[]);

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;
/** Events that stand together. */
type Chunk = EventBody[];

class Teller {
  #items = 0;
  #others = 0;
  /** What ends with its turn, and what comes after it. */
  #late: EventBody[] = [];
  #after: EventBody[] = [];

  session(turns: readonly Turn[]): EventBody[] {
    const data = { agent: "any", permissionMode: "default", directory: "/", resumed: false } as const;
    const told = turns.flatMap((one, index) => this.#turn(one, `turn_${index + 1}`));
    return [
      { type: "session.started", data },
      ...told,
      { type: "session.ended", data: { reason: "completed", terminatedBy: "agent" } },
    ];
  }

  #turn({ threads, order, origin, end }: Turn, turnId: string): EventBody[] {
    const messageId = `m_${turnId}`;
    const isOurs = origin === "user";
    const begun: EventBody[] = [
      ...(isOurs
        ? [
            { type: "message.updated", data: { messageId, status: "queued", message: "", digest: "" } } as const,
            { type: "message.updated", data: { messageId, status: "given", turnId } } as const,
          ]
        : []),
      { type: "turn.started", data: { turnId, messageIds: isOurs ? [messageId] : [], origin } },
    ];
    [this.#late, this.#after] = [[], []];
    const told = interleave(
      threads.map((happenings) => happenings.flatMap((one) => this.#chunks(one, undefined))),
      order,
    );
    const { status, message, ...more } = end;
    const cause = {
      completed: undefined,
      interrupted: "interrupted_by_user",
      failed: "agent_error",
      uncertain: "daemon_restarted",
    } as const;
    const why =
      status === "completed" ? {} : { cause: cause[status], message: status === "interrupted" ? undefined : message };
    return [
      ...begun,
      ...told,
      ...this.#late,
      { type: "turn.ended", data: { turnId, status, ...why, ...more, durationMs: 1 } },
      ...this.#after,
    ];
  }

  #chunks(one: Happening, parentId: string | undefined): Chunk[] {
    switch (one.is) {
      case "report":
        return [[one.body]];
      case "spoken":
        return this.#spoken(one, parentId);
      case "value":
        return this.#whole({
          kind: "message",
          role: "assistant",
          parentId,
          content: [{ type: "json", json: one.json }],
        });
      case "person": {
        const picture: Part[] = one.isPictured ? [{ type: "image", mime: "image/png", data: "" }] : [];
        return this.#whole({
          kind: "message",
          role: "user",
          parentId,
          content: [{ type: "text", text: one.text }, ...picture],
        });
      }
      case "background":
        return this.#background(one.output);
      case "status":
        return this.#whole({ kind: "status", role: "system", parentId, content: one.parts });
      case "request":
        return this.#request(one);
      case "call":
        return this.#call(one, parentId);
    }
  }

  #whole(item: Omit<Item, "itemId" | "status">): Chunk[] {
    const itemId = `item_${++this.#items}`;
    const begins = item.kind === "status" ? item.content : [];
    return [
      [{ type: "item.started", data: { item: { itemId, ...item, status: "in_progress", content: begins } } }],
      [{ type: "item.completed", data: { item: { itemId, ...item, status: "completed" } } }],
    ];
  }

  #spoken(one: Extract<Happening, { is: "spoken" }>, parentId: string | undefined): Chunk[] {
    const { kind, texts, pieces, end: status } = one;
    const item = { itemId: `item_${++this.#items}`, kind, role: "assistant" as const, parentId };
    const visibility = one.private ? ("private" as const) : ("public" as const);
    const content = texts.map((said): Part => {
      if (kind === "reasoning") return { type: "reasoning", text: said, visibility };
      return { type: kind === "plan" ? "plan" : "text", text: said };
    });
    const deltas = texts.flatMap((said, index): Chunk[] => {
      // A part is written when the one before it is.
      const isStreamed = texts.slice(0, index + 1).every((one, at) => pieces[at] && one !== "");
      if (kind === "plan" || !isStreamed) return [];
      const part = kind === "reasoning" ? ("reasoning" as const) : ("text" as const);
      const letters = [...said];
      const cuts = [letters.slice(0, 3).join(""), letters.slice(3).join("")].filter(Boolean);
      return cuts.map((delta) => [{ type: "item.delta", data: { itemId: item.itemId, index, part, delta } }]);
    });
    const told: Chunk[] = [
      [{ type: "item.started", data: { item: { ...item, status: "in_progress", content: [] } } }],
      ...deltas,
    ];
    if (!one.isReplaced || status === "completed")
      return [...told, [{ type: "item.completed", data: { item: { ...item, status, content } } }]];
    // Tried again: the next item takes its place.
    const supersededBy = `item_${this.#items + 1}`;
    const again = this.#spoken({ ...one, end: "completed" }, parentId);
    return [
      ...told,
      [{ type: "item.completed", data: { item: { ...item, status: "cancelled", supersededBy, content } } }],
      ...again,
    ];
  }

  #call(one: Extract<Happening, { is: "call" }>, parentId: string | undefined): Chunk[] {
    const { input, result: came, inside } = one;
    const callId = `call_${++this.#others}`;
    const item = { itemId: `item_${++this.#items}`, kind: "tool_call" as const, role: "assistant" as const, parentId };
    const part = {
      type: "tool_call" as const,
      callId,
      name: one.name,
      toolKind: inside ? ("agent" as const) : ("other" as const),
    };
    const status = came === undefined ? "cancelled" : came.isError ? "failed" : "completed";
    const started: EventBody = {
      type: "item.started",
      data: { item: { ...item, status: "in_progress", content: [{ ...part, input: one.isLate ? {} : input }] } },
    };
    const pieces: Chunk[] = one.isLate
      ? [[{ type: "item.delta", data: { itemId: item.itemId, index: 0, part: "input", delta: JSON.stringify(input) } }]]
      : [];
    const prints: Chunk[] =
      one.prints === ""
        ? []
        : [[{ type: "item.delta", data: { itemId: item.itemId, index: 0, part: "output", delta: one.prints } }]];
    // A sub-agent is done when all it did is.
    const whole = (inside ?? []).map((happening) =>
      happening.is === "call" && came !== undefined ? { ...happening, result: happening.result ?? came } : happening,
    );
    const within = whole.flatMap((happening) => this.#chunks(happening, item.itemId));
    const ended: EventBody = {
      type: "item.completed",
      data: { item: { ...item, status, content: [{ ...part, input }] } },
    };
    // Without a result a call is open to the end of its turn.
    if (came === undefined) this.#late.push(ended);
    const results = came === undefined ? [] : [[ended, ...this.#result(callId, came, status, parentId)]];
    return [[started], ...pieces, ...prints, ...within, ...results];
  }

  /** The events of a background command: it is started in a turn and goes on after that has ended. */
  #background(output: string): Chunk[] {
    const callId = `call_${++this.#others}`;
    const call = {
      itemId: `item_${++this.#items}`,
      kind: "tool_call" as const,
      role: "assistant" as const,
      background: true,
    };
    const content: Part[] = [{ type: "tool_call", callId, name: "Bash", toolKind: "other", input: { command: "&" } }];
    const came = { output, isError: false, exitCode: undefined, json: undefined };
    this.#after.push({ type: "item.completed", data: { item: { ...call, status: "completed", content } } });
    this.#after.push(...this.#result(callId, came, "completed", undefined));
    return [[{ type: "item.started", data: { item: { ...call, status: "in_progress", content } } }]];
  }

  #result(callId: string, came: Result, status: Item["status"], parentId: string | undefined): EventBody[] {
    const item = { itemId: `item_${++this.#items}`, kind: "tool_result" as const, role: "tool" as const, parentId };
    return [
      { type: "item.started", data: { item: { ...item, status: "in_progress", content: [] } } },
      {
        type: "item.completed",
        data: { item: { ...item, status, content: [{ type: "tool_result", callId, ...came }] } },
      },
    ];
  }

  #request(one: Extract<Happening, { is: "request" }>): Chunk[] {
    const id = `request_${++this.#others}`;
    if (one.request === "question") {
      const options = one.labels.map((label) => ({ id: label, label, description: `about ${label}` }));
      const question = { id: "q1", question: one.question, header: "Ask", type: "string" as const, options };
      const questions = [{ ...question, multiSelect: false, allowCustom: true }];
      return [
        [{ type: "question.requested", data: { questionId: id, kind: "question", questions } }],
        [{ type: "question.resolved", data: { questionId: id, status: "answered", answers: [["yes"]] } }],
      ];
    }
    const asked = { permissionId: id, action: one.action, title: one.question, alwaysScope: [] };
    return [
      [{ type: "permission.requested", data: asked }],
      [{ type: "permission.resolved", data: { permissionId: id, decision: "allow", by: "user" } }],
    ];
  }
}

/** The chunks of all threads, each thread in its order. */
function interleave(threads: Chunk[][], order: readonly number[]): EventBody[] {
  const left = threads.map((chunks) => [...chunks]);
  const told: EventBody[] = [];
  for (let at = 0; left.some(({ length }) => length > 0); at++) {
    const open = left.filter(({ length }) => length > 0);
    told.push(...(open[(order[at % order.length] ?? 0) % open.length]?.shift() ?? []));
  }
  return told;
}
