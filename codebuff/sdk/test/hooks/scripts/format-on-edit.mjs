// PostToolUse Edit|Write: no line of an edited file ends in blanks.
import { readFileSync, writeFileSync } from "node:fs";

const { tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
const text = readFileSync(input.file_path, "utf8");
writeFileSync(input.file_path, text.replaceAll(/[ \t]+$/gm, ""));
