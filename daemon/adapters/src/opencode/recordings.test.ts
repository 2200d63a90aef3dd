import type { RecordedInput } from "../../test/recorded-life.ts";
import { recordings } from "../../test/recordings.ts";
import { opencodeConverter } from "./converter.ts";
import { eventOf, sessionOf } from "./wire/native.ts";

// Recorded from OpenCode 1.18.33 against a scripted model: the lines of one session and of its sub-agents, and the
// commands that led it, put where their effects begin.
const folder = new URL("../../recordings/opencode/", import.meta.url);

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
