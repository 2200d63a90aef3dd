// PreToolUse Bash: another package manager.
import { readFileSync } from "node:fs";

const { tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
const updatedInput = { ...input, command: input.command.replaceAll(/\bnpm\b/g, "pnpm") };
process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } }));
