// SubagentStop: a helper names its sources.
import { readFileSync } from "node:fs";

const { stop_hook_active: isSentOn, last_assistant_message: last } = JSON.parse(readFileSync(0, "utf8"));
if (!isSentOn && !last.includes("source:")) {
  process.stderr.write("Name your source\n");
  process.exit(2);
}
