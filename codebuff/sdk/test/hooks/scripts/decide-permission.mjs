// PermissionRequest: answers in the person's place.
import { readFileSync } from "node:fs";

const { tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
const decision = /^touch /.test(input.command)
  ? { behavior: "allow" }
  : { behavior: "deny", message: "only touch is allowed at night" };
process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }));
