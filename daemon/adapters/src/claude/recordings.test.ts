import { recordings } from "../../test/recordings.ts";
import { claudeConverter } from "./converter.ts";

// Recorded from Claude Code 2.1.325 against a scripted model. What was asked of it beside our own protocol (lists,
// settings, context) is left out.
recordings({
  folder: new URL("../../recordings/claude/", import.meta.url),
  least: 88,
  converter: () => claudeConverter,
  invariants: "shown by a real daemon",
});
