// PreToolUse Edit|MultiEdit|Write: vendor/ belongs to others.
import { readFileSync } from "node:fs";

const { tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
if (input.file_path.includes("/vendor/")) {
  process.stderr.write("vendor/ is not edited here: change it upstream\n");
  process.exit(2);
}
