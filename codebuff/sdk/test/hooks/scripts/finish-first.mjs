// Stop: not before the change log has its line.
import { existsSync, readFileSync } from "node:fs";

const { stop_hook_active: isSentOn } = JSON.parse(readFileSync(0, "utf8"));
if (!isSentOn && !existsSync(`${process.env.CLAUDE_PROJECT_DIR}/CHANGELOG.md`))
  process.stdout.write(JSON.stringify({ decision: "block", reason: "CHANGELOG.md has no line yet" }));
