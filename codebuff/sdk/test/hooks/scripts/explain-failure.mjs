// PostToolUseFailure: where to look next.
import { readFileSync } from "node:fs";

const { error } = JSON.parse(readFileSync(0, "utf8"));
const additionalContext = `See docs/failures.md for: ${error}`;
process.stdout.write(
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext } }),
);
