/** The commands as a page: what `--help` of each says, in the order of the table. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const program = join(root, "daemon/cli/bin/sandbox-daemon.cjs");

export function cliPage({ operations, command }) {
  const own = ["run", "chat", "serve", "acp", "convert", "doctor"].map((name) => [name]);
  const ofOperations = Object.values(operations).flatMap(({ cli }) => (cli === undefined ? [] : [cli]));
  const sections = [...own, ...ofOperations].map(
    (words) => `## sandbox-daemon ${words.join(" ")}\n\n\`\`\`text\n${helpOf(words)}\n\`\`\`\n`,
  );
  return `<!-- made by ${command} -->
# Commands

Every operation of the API is a command; both come from [one table](../../daemon/schema/src/operations/index.ts). \`codebuff --help\`,
\`codebuff-server --help\` and \`scripted-llm --help\` tell of the others.

${sections.join("\n")}`;
}

/** The defaults of a machine are not those of others. */
function helpOf(words) {
  const env = { HOME: "/home/you", PATH: process.env.PATH, COLUMNS: "100" };
  const text = execFileSync(process.execPath, [program, ...words, "--help"], { encoding: "utf8", env });
  return text.trim();
}
