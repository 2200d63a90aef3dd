import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TurnClock } from "./turn-clock.ts";

const limits = { turnIdleMs: 100, toolIdleMs: 1_000 };

describe("TurnClock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("expires after silence, counted from the last sign of life", () => {
    const expired = vi.fn();
    const clock = new TurnClock(limits, () => false, expired);
    vi.advanceTimersByTime(90);
    clock.touch();
    vi.advanceTimersByTime(90);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });

  it("is more patient while a tool is open", () => {
    const expired = vi.fn();
    new TurnClock(limits, () => true, expired);
    vi.advanceTimersByTime(990);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("tool_timeout");
  });

  it("notices that a tool has closed", () => {
    const expired = vi.fn();
    let toolIsOpen = true;
    new TurnClock(limits, () => toolIsOpen, expired);
    vi.advanceTimersByTime(150);
    toolIsOpen = false;
    vi.advanceTimersByTime(100);
    expect(expired).toHaveBeenCalledExactlyOnceWith("agent_timeout");
  });

  it("stops while a person is asked, for the silence and for the whole turn", () => {
    const expired = vi.fn();
    const clock = new TurnClock({ ...limits, turnMs: 150 }, () => false, expired);
    vi.advanceTimersByTime(80);
    clock.pause();
    vi.advanceTimersByTime(10_000);
    clock.resume();
    vi.advanceTimersByTime(60);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(expired).toHaveBeenCalledExactlyOnceWith("turn_timeout");
  });

  it("waits for an announced retry", () => {
    const expired = vi.fn();
    const clock = new TurnClock(limits, () => false, expired);
    clock.waitUntil(Date.now() + 500);
    vi.advanceTimersByTime(590);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(expired).toHaveBeenCalledOnce();
  });

  it("says nothing after it was stopped", () => {
    const expired = vi.fn();
    const clock = new TurnClock(limits, () => false, expired);
    clock.pause();
    clock.stop();
    clock.resume();
    vi.advanceTimersByTime(10_000);
    expect(expired).not.toHaveBeenCalled();
  });
});
