/**
 * `npm run agent-specs`: tells how the lines of the agents differ from what our converters know. The vendors' schemas go to
 * `.muster/agent-specs`; `-- --write` keeps our own summary in `docs/agents/specs`. `-- <agent> <file>` looks at a log of
 * lines instead.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { driftOfLines, driftOfSchema, undocumentedOf } from "./agent-specs/drift.mjs";
import { agents, fieldsRead } from "./agent-specs/read-fields.mjs";
import { vendorSchemas } from "./agent-specs/vendor-schemas.mjs";
import { prepare, root } from "./prepare.mjs";

prepare();
const summaryOf = (agent) => join(root, "docs/agents/specs", `${agent}.json`);
const [agent, file] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const say = (text) => process.stdout.write(`${text}\n`);

if (agent !== undefined && file !== undefined) {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  report(agent, driftOfLines(agent, lines, JSON.parse(readFileSync(summaryOf(agent), "utf8"))));
} else {
  for (const name of agent === undefined ? Object.keys(agents) : [agent]) await look(name);
}

async function look(name) {
  const lines = await fieldsRead(name);
  const before = existsSync(summaryOf(name)) ? JSON.parse(readFileSync(summaryOf(name), "utf8")) : undefined;
  let schema;
  try {
    schema = await vendorSchemas[name]();
  } catch (error) {
    say(`${name}: its schema cannot be read here: ${String(error).split("\n")[0]}`);
  }
  if (schema !== undefined && before !== undefined) {
    report(`${name} ${schema.version}`, driftOfSchema(schema, { ...before, lines }));
  }
  if (!process.argv.includes("--write")) return;
  mkdirSync(join(root, "docs/agents/specs"), { recursive: true });
  const { version = before?.version, types = before?.types ?? [] } = schema ?? {};
  const undocumented = schema === undefined ? (before?.undocumented ?? []) : undocumentedOf(lines, schema.fields);
  writeFileSync(summaryOf(name), `${JSON.stringify({ agent: name, version, types, undocumented, lines }, null, 2)}\n`);
}

function report(name, drift) {
  say(`${name}: ${drift.length === 0 ? "nothing has changed" : `\n  ${drift.join("\n  ")}`}`);
}
