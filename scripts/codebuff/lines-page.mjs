/** The lines that programs exchange with `codebuff`, as a page and as JSON Schemas; both come from the zod schemas. */

/** path → text of what is derived from the schemas of lines. */
export function lineFiles({ lineSchemas, linesJsonSchema, command }) {
  const schemas = Object.fromEntries(Object.keys(lineSchemas).map((name) => [name, linesJsonSchema(name)]));
  const files = Object.entries(schemas).map(([name, schema]) => [
    `codebuff/protocol/generated/${name}-lines.schema.json`,
    `${JSON.stringify({ $comment: `made by ${command}`, ...schema }, null, 2)}\n`,
  ]);
  return { "docs/codebuff/json-lines.md": linesPage(schemas, command), ...Object.fromEntries(files) };
}

function linesPage({ output, control, result }, command) {
  const permission = output.oneOf.find(({ properties }) => properties.type.const === "tool_call").properties.permission;
  return `<!-- made by ${command} -->
# JSON lines of \`codebuff\`

What \`--stream-json\`, \`--json\` and \`--input-format stream-json\` write and read. How to use them: [without a screen](headless.md).
One line is one JSON object. Readers let fields and types pass that they do not know. The same as JSON Schemas:
[output](../../codebuff/protocol/generated/output-lines.schema.json),
[control](../../codebuff/protocol/generated/control-lines.schema.json) and
[result](../../codebuff/protocol/generated/result-lines.schema.json).

## Output

Of each run the first line is \`start\` and the last one \`finish\`; the lines between carry \`sessionId\` too. With \`-q\` the texts
between two tools come as one line. A field with \`?\` may be missing.

${output.oneOf.map(lineTable).join("\n\n")}

### \`permission\` of a question

${table(permission)}

## Control lines

${control.oneOf.map(lineTable).join("\n\n")}

## The result of \`--json\`

${result.description}

${table(result)}
`;
}

function lineTable(schema) {
  const rows = Object.keys(schema.properties).length > 1 ? `\n\n${table(schema)}` : "";
  return `### \`${schema.properties.type.const}\`\n\n${schema.description}${rows}`;
}

function table({ properties, required = [] }) {
  const rows = Object.entries(properties)
    .filter(([name]) => name !== "type")
    .map(([name, schema]) => {
      const shown = required.includes(name) ? `\`${name}\`` : `\`${name}\`?`;
      return `| ${shown} | ${typeOf(schema)} | ${schema.description ?? ""} |`;
    });
  return ["| field | takes | meaning |", "|---|---|---|", ...rows].join("\n");
}

function typeOf({ type, enum: values, items, properties }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return items.type === "string" ? "list of texts" : "list of objects";
  if (properties !== undefined || type === undefined) return "object";
  return { string: "text", integer: "whole number", number: "number", boolean: "`true` or `false`" }[type] ?? type;
}
