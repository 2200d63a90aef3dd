/** `npm run generate`: writes what is derived from the schemas; with `--check` it only tells whether that is current. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepare, root } from "./prepare.mjs";

prepare();
const { jsonSchema, openApi, problems, causes } = await import("@muster/schema");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const command = "npm run generate";
const files = {
  "daemon/schema/generated/openapi.json": pretty({ "x-generated-by": command, ...openApi(version) }),
  "daemon/schema/generated/schema.json": pretty({ $comment: `made by ${command}`, ...jsonSchema() }),
  "docs/problems.md": problemsPage(),
};

const stale = Object.entries(files).filter(([path, text]) => read(path) !== text);
if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    process.stderr.write(`Not current, run ${command}:\n${stale.map(([path]) => path).join("\n")}\n`);
    process.exit(1);
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`wrote ${path}\n`);
  }
}

function problemsPage() {
  const rows = Object.entries(problems).map(([code, [status, title]]) => `| ${status} | \`${code}\` | ${title} |`);
  const reasons = Object.entries(causes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return `<!-- made by ${command} -->
# Problems

Every failure of a request is an RFC 7807 document of type \`application/problem+json\` with \`type\`, \`title\`,
\`status\`, \`detail\` and \`code\`, and fields such as \`sessionId\` beside them. Programs decide by \`code\`.

| status | code | title |
|---|---|---|
${rows.join("\n")}

\`session_deleted\` is 410 when a deleted session is read and 409 when its id is created again.
\`internal\` carries an \`errorId\` that is also in the daemon's log, and no message.

## Causes

A failure of the agent inside a turn is an event, not an HTTP error. These are the values of \`cause\` in
\`turn.ended\` and of \`code\` in \`error\` events.

| cause | meaning |
|---|---|
${reasons.join("\n")}
`;
}

function read(path) {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function pretty(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
