/** A JSON Schema as a TypeScript type, and words as TSDoc. */

/** The type of a schema; the types it names are found by `nameOf`. */
export function typeText(schema, indent = "") {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const members = schema.anyOf ?? schema.oneOf;
  if (members !== undefined) return members.map((member) => typeText(member, indent)).join(" | ");
  if (schema.type === "array") return arrayText(typeText(schema.items ?? {}, indent));
  if (schema.type === "object") return objectText(schema, indent);
  if (schema.type === "string" && schema.examples !== undefined) {
    // The names that are known complete in an editor, and any other is taken.
    return [...schema.examples.map((value) => JSON.stringify(value)), "(string & {})"].join(" | ");
  }
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(" | ");
  return (
    { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" }[schema.type] ??
    "unknown"
  );
}

/** The fields of an object, each with its words. */
export function fieldLines({ properties = {}, required = [], additionalProperties }, indent = "  ") {
  const lines = Object.entries(properties).map(([name, field]) =>
    fieldLine(
      { name, type: typeText(field, indent), about: field.description, required: required.includes(name) },
      indent,
    ),
  );
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length === 0) {
    lines.push(`${indent}/** Further fields. */\n${indent}[field: string]: unknown;\n`);
  }
  return lines.join("");
}

/** What may be left out may also be undefined: for projects with `exactOptionalPropertyTypes`. */
export function fieldLine({ name, type, about, required }, indent) {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const words = docText(about, indent);
  return required ? `${words}${indent}${key}: ${type};\n` : `${words}${indent}${key}?: ${type} | undefined;\n`;
}

export function docText(text, indent = "") {
  if (text === undefined || text === "") return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function arrayText(type) {
  return /[|&{ ]/.test(type) ? `Array<${type}>` : `${type}[]`;
}

function objectText(schema, indent) {
  if (schema.properties !== undefined) return `{\n${fieldLines(schema, `${indent}  `)}${indent}}`;
  const { additionalProperties: value } = schema;
  return `Record<string, ${typeof value === "object" && Object.keys(value).length > 0 ? typeText(value, indent) : "unknown"}>`;
}
