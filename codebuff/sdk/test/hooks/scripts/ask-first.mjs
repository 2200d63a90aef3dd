// PreToolUse Bash: a person says yes to every release.
import { readFileSync } from "node:fs";

const { tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
if (input.command.includes("release")) {
  const hookSpecificOutput = {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "a release is asked for",
  };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }));
}
