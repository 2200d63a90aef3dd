import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { secondLives } from "../../test/opencode-2-lives.ts";
import type { RecordedInput } from "../../test/recorded-life.ts";
import { recordings } from "../../test/recordings.ts";
import { opencodeConverter } from "./converter.ts";
import { secondConverter } from "./read/second-converter.ts";
import { secondSessionOf } from "./wire/second.ts";

// Recorded from the server of OpenCode 2 as it stood in its branch v2 on 19 August 2026, against a scripted model.
const folder = new URL("../../recordings/opencode-2/", import.meta.url);

function converterOf(inputs: readonly RecordedInput[]) {
  const first = inputs.find((input) => "line" in input);
  const line: unknown = JSON.parse(first !== undefined && "line" in first ? first.line : "{}");
  const settings = {
    nativeSessionId: secondSessionOf(line) ?? "",
    directory: "/workspace",
    providerID: "scripted",
    modelID: "m1",
    permissionMode: "default",
    mcpServers: [],
  } as const;
  return secondConverter(opencodeConverter(settings), settings);
}

recordings({ folder, least: 12, converter: converterOf });

test("every recorded life is one that can be recorded again", () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(secondLives).sort());
});
