import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ClockLimits, TurnClock } from "./turn-clock.ts";

const limits = { turnIdleMs: 100, toolIdleMs: 1_000 };

function start(limits: ClockLimits, tools: readonly string[] = []) {
  const clock = new TurnClock();
  for (const itemId of tools) clock.openTool(itemId);
  const expired = vi.fn();
  void clock.start(limits).then(expired);
  return { clock, expired };
}

describe("TurnClock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("expires after silence, counted from the last sign of life", async () => {
    const { clock, expired } = start(limits);
    await vi.advanceTimersByTimeAsync(90);
    clock.touch();
    await vi.advanceTimersByTimeAsync(90);
    expect(expired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });

  it("is more patient while a tool is open", async () => {
    const { expired } = start(limits, ["item_1"]);
    await vi.advanceTimersByTimeAsync(990);
    expect(expired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("tool_timeout");
  });

  it("notices that a tool has closed", async () => {
    const { clock, expired } = start(limits, ["item_1"]);
    await vi.advanceTimersByTimeAsync(150);
    clock.closeItem("item_1");
    await vi.advanceTimersByTimeAsync(100);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });

  it("stops while a person is asked, for the silence and for the whole turn", async () => {
    const { clock, expired } = start({ ...limits, turnMs: 150 });
    await vi.advanceTimersByTimeAsync(80);
    clock.pause();
    await vi.advanceTimersByTimeAsync(10_000);
    clock.resume();
    await vi.advanceTimersByTimeAsync(60);
    expect(expired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("turn_timeout");
  });

  it("waits for an announced retry", async () => {
    const { clock, expired } = start(limits);
    clock.waitUntil(Date.now() + 500);
    await vi.advanceTimersByTimeAsync(590);
    expect(expired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(expired).toHaveBeenCalledOnce();
  });

  it("waits for no retry that is announced for another century", async () => {
    const { clock, expired } = start({ turnIdleMs: 3_600_000, toolIdleMs: 3_600_000 });
    clock.waitUntil(Date.now() * 1_000);
    await vi.advanceTimersByTimeAsync(26 * 3_600_000);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });

  it("names no cause once it was stopped", async () => {
    const { clock, expired } = start(limits);
    clock.pause();
    clock.stop();
    clock.resume();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(expired).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it("does not look at the clock on the wall, which may be set", async () => {
    const { expired } = start(limits);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(90);
    expect(expired).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() - 7_200_000);
    await vi.advanceTimersByTimeAsync(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });

  it("times the next turn afresh", async () => {
    const { clock } = start({ ...limits, turnMs: 150 });
    await vi.advanceTimersByTimeAsync(90);
    clock.stop();
    const expired = vi.fn();
    void clock.start({ ...limits, turnMs: 150 }).then(expired);
    await vi.advanceTimersByTimeAsync(90);
    expect(expired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });
});
