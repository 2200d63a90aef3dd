// PreToolUse Bash: a decision as JSON.
import { readFileSync } from "node:fs";

const { tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
if (/\brm -rf\b/.test(input.command)) {
  const hookSpecificOutput = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "rm -rf is not for agents",
  };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }));
}
