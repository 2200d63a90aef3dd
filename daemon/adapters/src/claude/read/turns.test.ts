import { describe, expect, test } from "vitest";
import { life, lifecycle, message, stream } from "../../../test/claude-life.ts";

describe("a message that is given up", () => {
  test("text that was not streamed to its end is told before the block is complete", () => {
    const { say } = life();
    say(
      stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Good " } }),
    );
    const assistant = {
      type: "assistant",
      message: { id: "msg_1", content: [{ type: "text", text: "Good morning" }] },
    };
    expect(say(assistant)).toMatchObject([
      { type: "item.delta", data: { delta: "morning" } },
      { type: "item.completed", data: { item: { content: [{ text: "Good morning" }] } } },
    ]);
  });

  test("the input of a call is what was streamed, although Claude adds to it", () => {
    const { say } = life();
    say(
      stream({
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t1", name: "ExitPlanMode", input: {} },
      }),
      stream({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"a":1}' } }),
      {
        type: "assistant",
        message: {
          id: "msg_1",
          content: [{ type: "tool_use", id: "t1", name: "ExitPlanMode", input: { a: 1, added: true } }],
        },
      },
    );
    const [completed] = say({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
    });
    expect(completed).toMatchObject({ type: "item.completed", data: { item: { content: [{ input: { a: 1 } }] } } });
    expect(JSON.stringify(completed)).not.toContain("added");
  });
});

describe("retries", () => {
  const retry = { type: "system", subtype: "api_retry", attempt: 1, max_retries: 3, retry_delay_ms: 2_000 };

  test("are announced, with their time once the clock is known", () => {
    const { say, conversion } = life();
    const announced = { type: "retry.announced", data: {} };
    expect(say({ ...retry, error: "server_error", error_status: 500 }).at(-1)).toEqual(announced);
    conversion.tick(10_000, []);
    expect(say({ ...retry, error: "server_error", error_status: 500 }).at(-1)).toEqual({
      type: "retry.announced",
      data: { untilMs: 12_000 },
    });
  });

  test("of refused credentials are stopped at once, and the turn has failed, not been interrupted", () => {
    const { say, replies } = life();
    expect(say({ ...retry, error: "authentication_failed", error_status: 401 })).toMatchObject([
      { type: "error", data: { code: "auth_failed", retryable: false } },
    ]);
    expect(replies).toMatchObject([{ type: "control_request", request: { subtype: "interrupt" } }]);
    const result = { type: "result", is_error: true, terminal_reason: "aborted_streaming", errors: ["aborted"] };
    expect(say(result)).toMatchObject([{ type: "turn.finished", data: { status: "failed", cause: "auth_failed" } }]);
  });
});

describe("messages", () => {
  test("a steering message that still waits keeps the turn open until it is answered, and the counts add up", () => {
    const { say, tell } = life();
    tell(message("m1"));
    say(lifecycle("m1", "started"));
    tell(message("m2", "steer"));
    const result = (uuids: string[], total: number) => ({
      type: "result",
      is_error: false,
      total_cost_usd: total,
      model_usage_since_last_result: { opus: { inputTokens: 10, outputTokens: 1 } },
      user_message_uuids: uuids,
    });
    expect(say(result(["m1"], 0.25))).toEqual([]);
    expect(say(lifecycle("m1", "completed"), lifecycle("m2", "started"))).toEqual([
      { type: "message.joined", data: { messageId: "m2" } },
    ]);
    expect(say({ type: "system", subtype: "init" })).toEqual([]);
    expect(say(result(["m2"], 0.75))).toEqual([
      {
        type: "turn.finished",
        data: {
          status: "completed",
          usage: { inputTokens: 20, outputTokens: 2 },
          costUsd: 0.75,
          messageIds: ["m1", "m2"],
          place: { first: "m1" },
        },
      },
    ]);
  });

  test("a message taken back before it began ends its turn", () => {
    const { say, tell } = life();
    tell(message("m1"));
    expect(say(lifecycle("m1", "cancelled"))).toEqual([
      { type: "turn.finished", data: { status: "interrupted", messageIds: ["m1"] } },
    ]);
  });

  test("a turn of Claude's own never ends one of ours", () => {
    const { say } = life();
    expect(say({ type: "system", subtype: "init" })).toEqual([{ type: "turn.began", data: {} }]);
    expect(say({ type: "result", is_error: false, origin: { kind: "task-notification" } })).toEqual([
      { type: "turn.finished", data: { status: "completed", messageIds: [] } },
    ]);
  });
});

describe("a start that is refused", () => {
  const refusal = { type: "result", subtype: "error_during_execution", is_error: true, num_turns: 0 };

  test("as root with bypass and without a sandbox is unsupported, in Claude's words", () => {
    const { say, conversion } = life();
    expect(say({ ...refusal, errors: ["cannot be used with root"], startup_failure_reason: "bypass_root" })).toEqual(
      [],
    );
    expect(conversion.state.facts).toEqual({
      ready: false,
      failure: { type: "unsupported", message: "cannot be used with root" },
    });
  });

  test("because the conversation is unknown says so, and the process file begins it anew", () => {
    const { say, conversion } = life();
    expect(say({ ...refusal, errors: ["No conversation found with session ID: u-1"] })).toEqual([]);
    expect(conversion.state.facts.failure?.message).toMatch(/^No conversation found/);
  });
});
