import { expect, test } from "vitest";
import type { Signal } from "../../signals.ts";
import { opencodeConverter } from "../converter.ts";

const converter = opencodeConverter({
  nativeSessionId: "ses_1",
  directory: "/workspace",
  providerID: "mock",
  modelID: "m1",
  permissionMode: "default",
  mcpServers: [],
});

/** A conversation in which things are said in the order given; what was told of turns comes out. */
class Talk {
  #state = converter.initial();
  #messages = 0;
  readonly signals: Signal[] = [];
  readonly replies: unknown[] = [];

  #take(input: Parameters<typeof converter.step>[1]): this {
    const { state, bodies, replies } = converter.step(this.#state, input);
    this.#state = state;
    this.signals.push(...bodies);
    this.replies.push(...replies);
    return this;
  }

  prompt(messageId = "m1"): this {
    return this.#take({ command: { type: "message", messageId, text: "go", attachments: [] } });
  }

  interrupt(): this {
    return this.#take({ command: { type: "interrupt" } });
  }

  #event(type: string, properties: object): this {
    return this.#take({ native: { type, properties: { sessionID: "ses_1", ...properties } } });
  }

  busy = () => this.#event("session.status", { status: { type: "busy" } });
  retry = (attempt = 1, message = "slow") =>
    this.#event("session.status", { status: { type: "retry", attempt, message, next: attempt * 1000 } });
  idle = (sessionID = "ses_1") => this.#event("session.idle", { sessionID });
  error = (name: string, data: object = { message: name }) => this.#event("session.error", { error: { name, data } });

  /** The assistant's message is completed, with an error or without. */
  done(error?: string): this {
    this.#messages++;
    const info = {
      id: `msg_${this.#messages}`,
      sessionID: "ses_1",
      role: "assistant",
      time: { created: 1, completed: 2 },
    };
    return this.#event("message.updated", { info: { ...info, error: error ? { name: error } : undefined } });
  }

  step(reason: string, sessionID = "ses_1"): this {
    const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
    const ids = { id: `prt_${reason}`, messageID: "msg_9", sessionID };
    return this.#event("message.part.updated", { part: { ...ids, type: "step-finish", reason, tokens, cost: 0 } });
  }

  wait(...times: number[]): this {
    for (const nowMs of times) this.#take({ tick: true, nowMs });
    return this;
  }

  refused = () => this.#event("daemon.refused", { path: "/session/ses_1/prompt_async", status: 404, message: "gone" });

  get ends(): string[] {
    return this.signals.flatMap((signal) => {
      if (signal.type !== "turn.finished") return [];
      const { status, cause, messageIds } = signal.data;
      return [[status, cause, messageIds?.join("+")].filter(Boolean).join(" ")];
    });
  }
}

const talk = () => new Talk();

test("a turn that went well ends once, with its one idle", () => {
  expect(talk().prompt().busy().done().busy().idle().ends).toEqual(["completed m1"]);
});

test("an abort that the run before tells late does not end the turn that was given next", () => {
  const said = talk().prompt().busy().error("MessageAbortedError").idle().idle();
  expect(said.ends).toHaveLength(1);
  said.prompt("m2").error("MessageAbortedError").idle();
  expect(said.ends).toHaveLength(1);
  expect(said.busy().done().idle().ends.at(-1)).toBe("completed m2");
});

test("an idle after a turn has ended says nothing", () => {
  expect(talk().prompt().busy().done().idle().idle().error("APIError").ends).toEqual(["completed m1"]);
});

test("a provider's refusal ends after the first idle with the message, and the second idle is passed over", () => {
  const said = talk().prompt().busy().error("APIError", { message: "no", statusCode: 401 }).idle();
  expect(said.ends).toEqual([]);
  expect(said.done("APIError").ends).toEqual(["failed auth_failed m1"]);
  expect(said.idle().ends).toHaveLength(1);
});

test("the late second idle of a failed turn does not end the next one", () => {
  const said = talk()
    .prompt()
    .busy()
    .error("APIError", { statusCode: 400 })
    .idle()
    .done("APIError")
    .prompt("m2")
    .idle();
  expect(said.ends).toEqual(["failed provider_error m1"]);
  expect(said.busy().done().idle().ends).toEqual(["failed provider_error m1", "completed m2"]);
});

test("the late second idle does not end the next turn even when that is busy already", () => {
  const said = talk().prompt().busy().error("APIError").idle().done("APIError").prompt("m2").busy().idle();
  expect(said.ends).toEqual(["failed provider_error m1"]);
  expect(said.busy().done().idle().ends).toEqual(["failed provider_error m1", "completed m2"]);
});

test("an error whose message came before the idle ends with that idle", () => {
  expect(talk().prompt().busy().error("APIError", { statusCode: 429 }).done("APIError").idle().ends).toEqual([
    "failed rate_limited m1",
  ]);
});

test("without a message a failed turn ends with the second idle", () => {
  expect(talk().prompt().busy().error("UnknownError").idle().idle().ends).toEqual(["failed agent_error m1"]);
});

test("an unknown model, which says idle once and no message, ends after a moment", () => {
  const said = talk().prompt().busy().error("UnknownError", { message: "Model not found: mock/nope." }).idle();
  expect(
    said.error("UnknownError", { message: "Model not found: mock/nope.\n    at x" }).wait(1_000, 2_000).ends,
  ).toEqual([]);
  expect(said.wait(2_600).ends).toEqual(["failed model_not_found m1"]);
});

test("an unknown agent or a missing provider, which never says idle, ends at once", () => {
  expect(talk().prompt().error("UnknownError").error("UnknownError").ends).toEqual(["failed agent_error m1"]);
});

test("a prompt the server did not take ends its turn", () => {
  expect(talk().prompt().refused().ends).toEqual(["failed agent_error m1"]);
});

test("a full context that is compacted is not the end, and the turn completes", () => {
  const said = talk().prompt().busy().error("ContextOverflowError").done("ContextOverflowError").busy();
  expect(said.done().idle().ends).toEqual(["completed m1"]);
});

test("a full context that stays full ends with its one idle", () => {
  const said = talk().prompt().busy().error("ContextOverflowError").done().busy().error("ContextOverflowError");
  expect(said.done().idle().ends).toEqual(["failed context_overflow m1"]);
});

test("busy again after an idle with an error takes the end back", () => {
  const said = talk().prompt().busy().error("APIError").idle().busy().wait(1, 9_000);
  expect(said.ends).toEqual([]);
  expect(said.done().idle().ends).toEqual(["completed m1"]);
});

test("an abort ends interrupted, once, with the message between its two idles", () => {
  const said = talk().prompt().busy().interrupt().error("MessageAbortedError").idle();
  expect(said.ends).toEqual([]);
  expect(said.done("MessageAbortedError").idle().ends).toEqual(["interrupted m1"]);
  expect(said.signals.filter(({ type }) => type === "error")).toEqual([]);
});

test("an abort during a retry, which looks like success, is still interrupted", () => {
  expect(talk().prompt().busy().retry().interrupt().done().idle().ends).toEqual(["interrupted m1"]);
});

test("an abort that came before the run had begun is sent again when it begins", () => {
  const said = talk().prompt().interrupt().busy();
  const aborts = said.replies.filter((reply) => JSON.stringify(reply).includes("/abort"));
  expect(aborts).toHaveLength(2);
  expect(said.error("MessageAbortedError").idle().done().ends).toEqual(["interrupted m1"]);
});

test("an abort by somebody else is interrupted too", () => {
  expect(talk().prompt().busy().error("MessageAbortedError").idle().done("MessageAbortedError").ends).toEqual([
    "interrupted m1",
  ]);
});

test("an idle without any answer is waited on for a moment, and then the turn has failed", () => {
  const said = talk().prompt().busy().idle().wait(1_000, 2_000);
  expect(said.ends).toEqual([]);
  expect(said.wait(2_600).ends).toEqual(["failed agent_error m1"]);
});

test("a sub-agent's idle is not the end of the turn", () => {
  expect(talk().prompt().busy().done().idle("ses_child").ends).toEqual([]);
});

test("a run that nobody asked for is a turn of the agent's own", () => {
  const said = talk().busy().done().idle();
  expect(said.signals.map(({ type }) => type)).toEqual(["turn.began", "turn.finished"]);
  expect(said.ends).toEqual(["completed"]);
});

test("a retry is told with its time, and what was begun is replaced", () => {
  const said = talk().prompt().busy().retry(2);
  expect(said.signals.map(({ type }) => type)).toEqual(["item.started", "item.completed", "retry.announced"]);
  expect(said.signals.at(-1)).toMatchObject({ data: { untilMs: 2000 } });
});

test.each([
  ["Unable to connect", "provider_error"],
  ["Rate limit reached", "rate_limited"],
])(
  "a provider that fails a fourth time (%s) is not asked again: the turn has failed with its words",
  (message, cause) => {
    const said = talk().prompt().busy();
    for (const attempt of [1, 2, 3, 4, 5]) said.retry(attempt, message);
    expect(said.replies.filter((reply) => JSON.stringify(reply).includes("/abort"))).toHaveLength(1);
    said.error("MessageAbortedError").done("MessageAbortedError").idle();
    expect(said.ends).toEqual([`failed ${cause} m1`]);
    expect(said.signals.filter(({ type }) => type === "error")).toMatchObject([{ data: { code: cause, message } }]);
    expect(said.signals.at(-1)).toMatchObject({ data: { message } });
  },
);

test.each([
  ["stop", "completed m1"],
  ["tool-calls", "completed m1"],
  ["other", "completed m1"],
  ["length", "failed output_limit m1"],
  ["content-filter", "failed refused m1"],
  ["error", "failed provider_error m1"],
])("a model that stops for %s makes a turn that is %s", (reason, end) => {
  expect(talk().prompt().busy().step("tool-calls").step(reason).done().idle().ends).toEqual([end]);
});

test("why the model of a sub-agent stopped does not end the conversation", () => {
  expect(talk().prompt().busy().step("stop").step("length", "ses_2").done().idle().ends).toEqual(["completed m1"]);
});
