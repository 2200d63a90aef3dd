// UserPromptSubmit: nothing secret leaves this machine.
import { readFileSync } from "node:fs";

const { prompt } = JSON.parse(readFileSync(0, "utf8"));
if (/password/i.test(prompt))
  process.stdout.write(JSON.stringify({ decision: "block", reason: "it holds a password" }));
