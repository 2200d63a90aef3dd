import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type RecordedInput, readInputs, replay } from "../../test/recorded-life.ts";
import { recordings } from "../../test/recordings.ts";
import { opencodeConverter } from "./converter.ts";
import { eventOf, sessionOf } from "./wire/native.ts";

// Recorded from OpenCode 1.18.33 against a scripted model: the lines of one session and of its sub-agents, and the
// commands that led it, put where their effects begin.
const folder = new URL("../../recordings/opencode/", import.meta.url);
const cases = readdirSync(folder);
const inputsOf = (name: string) => readInputs(join(fileURLToPath(folder), name));

/** The converter of the session that was recorded; its first line is its own. */
function converterOf(inputs: readonly RecordedInput[]) {
  const first = inputs.find((input) => "line" in input);
  const line: unknown = JSON.parse(first !== undefined && "line" in first ? first.line : "{}");
  const nativeSessionId = sessionOf(eventOf(line)?.properties) ?? "";
  return opencodeConverter({
    nativeSessionId,
    directory: "/workspace",
    providerID: "mock",
    modelID: "m1",
    permissionMode: "default",
    contextWindow: 128_000,
    mcpServers: [],
  });
}

recordings({ folder, least: 54, converter: converterOf });

test.each(cases)("%s: every command that led it is read back as the same command", (name) => {
  const converter = converterOf(inputsOf(name));
  for (const input of inputsOf(name)) {
    if (!("command" in input)) continue;
    const { replies } = converter.step(converter.initial(), { command: input.command });
    expect(replies.map((call) => converter.inputFromNative(call))).toEqual([input.command]);
  }
});

test.each(cases)("%s: what can be said in OpenCode's words comes back as it was", (name) => {
  const converter = converterOf(inputsOf(name));
  for (const signal of replay(converter, inputsOf(name))) {
    if (signal.type !== "item.started" && signal.type !== "plan.updated") continue;
    const native = converter.fromUniversal(signal);
    if (native === null) continue;
    const { bodies } = converter.step(converter.initial(), { native });
    const itemId = signal.type === "item.started" ? { item: { ...signal.data.item, itemId: "item_1" } } : signal.data;
    expect(bodies).toEqual([{ type: signal.type, data: itemId }]);
  }
});
