import { expect, test } from "vitest";
import { recordings } from "../../../test/recordings.ts";
import { codexExecConverter } from "./exec-converter.ts";
import type { ExecLine } from "./exec-native.ts";

// Standard output of `codex exec --json`, 0.166.0.
recordings({
  folder: new URL("../../../recordings/codex/exec/", import.meta.url),
  least: 26,
  // exec does not say where it works: whoever runs it knows.
  converter: () => ({
    ...codexExecConverter,
    initial: (resume) => ({ ...codexExecConverter.initial(resume), directory: "/workspace" }),
  }),
});

test("usage is the growth of the thread's totals, over processes too", () => {
  const usage = { input_tokens: 220, cached_input_tokens: 20, output_tokens: 42, reasoning_output_tokens: 0 };
  const totals = { usage: { inputTokens: 110, outputTokens: 21, cachedInputTokens: 10 }, costUsd: 0 };
  const begun = codexExecConverter.step(codexExecConverter.initial({ nextItem: 5, totals }), {
    command: { type: "message", messageId: "m2", text: "again", attachments: [] },
  });
  const { bodies } = codexExecConverter.step(begun.state, { native: { type: "turn.completed", usage } });
  expect(bodies[0]).toEqual({
    type: "usage.updated",
    data: { inputTokens: 110, outputTokens: 21, cachedInputTokens: 10, reasoningTokens: 0 },
  });
});

test("a line that exec does not have is kept", () => {
  const native = { type: "thread.dreamt" } as unknown as ExecLine;
  expect(codexExecConverter.step(codexExecConverter.initial(), { native }).bodies).toMatchObject([
    { type: "agent.unparsed" },
  ]);
});

test("versions that did not count reasoning end their turns well", () => {
  const usage = { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 };
  const native = { type: "turn.completed", usage } as unknown as ExecLine;
  const { bodies } = codexExecConverter.step(codexExecConverter.initial(), { native });
  expect(bodies).toMatchObject([{ type: "turn.finished", data: { status: "completed" } }]);
});
