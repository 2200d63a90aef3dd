import { describe, expect, test } from "vitest";
import { readRequest } from "../request/read-request.ts";
import { Conversations } from "./conversation.ts";

const script = { conversations: [{ name: "only", turns: [{ text: "one" }, { text: "two" }] }] };

function request(...words: string[]) {
  const messages = words.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
  const body = { model: "m", messages };
  return readRequest({ protocol: "chat", path: "/", headers: {}, body, bodyText: JSON.stringify(body) });
}

function serve(conversations: Conversations, ...words: string[]) {
  const answer = conversations.answer(request(...words));
  if ("reason" in answer) throw new Error(answer.reason);
  return answer;
}

describe("Live conversations", () => {
  test("serve a side request beside one that is still open, from the start", () => {
    const conversations = new Conversations(script);
    const first = serve(conversations, "hi");
    const second = serve(conversations, "hi");
    expect([first.turnNumber, second.turnNumber]).toEqual([1, 1]);
    expect(first.place.live).not.toBe(second.place.live);
  });

  test("go on after a reply that was not kept: that request is a retry", () => {
    const conversations = new Conversations(script);
    serve(conversations, "hi").settle(false);
    expect(serve(conversations, "hi").turnNumber).toBe(2);
  });

  test("are bounded: the oldest that is idle is forgotten, an open one is not", () => {
    const conversations = new Conversations(script, 3);
    serve(conversations, "open");
    for (const words of ["a", "b", "c", "d"]) serve(conversations, words).settle(true);
    expect(serve(conversations, "d", "one", "more").turnNumber).toBe(2);
    expect(serve(conversations, "a", "one", "more").turnNumber).toBe(1);
    expect(serve(conversations, "open", "one", "more").turnNumber).toBe(2);
  });

  test("are found among ten thousand", () => {
    const conversations = new Conversations(script);
    for (let at = 0; at < 10_000; at += 1) serve(conversations, `prompt ${at}`).settle(true);
    expect(serve(conversations, "prompt 17", "one", "more").turnNumber).toBe(2);
    expect(serve(conversations, "new").place.live).toBe(10_001);
  });
});
