/** The shapes and operations of the API as TypeScript with words on every field, for the client: path → text. */
import { docText, fieldLine, fieldLines, typeText } from "./type-text.mjs";

const folder = "daemon/client/src/generated";

export function clientTypeFiles({ schema, openapi, operations, eventTypes, command }) {
  const head = `/** Made by ${command}. */\n`;
  const calls = Object.entries(operations).map(([id, operation]) => callOf(id, operation, openapi));
  return {
    [`${folder}/types.ts`]: `${head}${typesModule(schema.$defs, eventTypes)}`,
    [`${folder}/methods.ts`]: `${head}${methodsModule(calls, Object.keys(schema.$defs))}`,
    [`${folder}/schemas.ts`]: `${head}${schemasModule(schema.$defs)}`,
  };
}

function typesModule(definitions, eventTypes) {
  const types = Object.entries(definitions).map(([name, definition]) => declaration(name, definition));
  const events = eventTypes.map((type) => {
    const { description, properties } = definitions[`${pascal(type)}Event`];
    return fieldLine({ name: type, type: typeText(properties.data), about: description, required: true }, "  ");
  });
  return `
${types.join("\n")}
/** What each type of event holds. */
export interface EventData {
${events.join("")}}
`;
}

function declaration(name, definition) {
  const words = docText(definition.description);
  if (definition.type === "object" && definition.properties !== undefined) {
    return `${words}export interface ${name} {\n${fieldLines(definition)}}\n`;
  }
  return `${words}export type ${name} = ${typeText(definition)};\n`;
}

function callOf(id, operation, openapi) {
  const described = openapi.paths[operation.path][operation.method.toLowerCase()];
  const parameters = (place) => (described.parameters ?? []).filter((parameter) => parameter.in === place);
  const body = described.requestBody && Object.values(described.requestBody.content)[0].schema;
  return {
    id,
    operation,
    params: parameters("path"),
    query: parameters("query"),
    headers: parameters("header").map((one) => ({ ...one, name: camel(one.name) })),
    body: operation.takesBytes ? "Content" : body?.$ref === undefined ? undefined : typeText(body),
    isBodyRequired: described.requestBody?.required === true,
    result: resultOf(operation, described),
  };
}

function resultOf({ answer, status }, described) {
  if (answer === "empty") return "undefined";
  if (answer === "bytes") return "ByteAnswer";
  return answer === "text" ? "string" : typeText(Object.values(described.responses[status].content)[0].schema);
}

/** `OperationShapes` by id, the fields of each operation, and the operations as methods in their groups. */
function methodsModule(calls, names) {
  const text = [shapes(calls), ...calls.map(fieldsInterface), groups(calls)].join("\n");
  const used = names.filter((name) =>
    new RegExp(`\\b${name}\\b(?!["'])`).test(text.replaceAll(/\/\*\*[\s\S]*?\*\//g, "")),
  );
  return `import type { ByteAnswer } from "../byte-answer.ts";
import type { CallOptions } from "../call-options.ts";
import type { Content } from "../content.ts";
import type {
${used.map((name) => `  ${name},\n`).join("")}} from "./types.ts";

${text}`;
}

function shapes(calls) {
  const rows = calls.map(({ id, operation, params, query, headers, body, result }) => {
    const parts = [
      `    params: ${partText(params, operation)};\n`,
      `    query: ${partText(query, operation)};\n`,
      `    headers: ${partText(headers, operation)};\n`,
      `    body: ${body ?? "Nothing"};\n`,
      `    answer: ${JSON.stringify(operation.answer)};\n`,
      `    result: ${result};\n`,
    ];
    return `${docText(wordsOf(operation), "  ")}  ${JSON.stringify(id)}: {\n${parts.join("")}  };\n`;
  });
  return `/** No fields. */
export type Nothing = Record<never, never>;

/** Every operation of the daemon: what it takes in the path, the query and the body, and what it answers. */
export interface OperationShapes {
${rows.join("")}}
`;
}

function partText(parameters, operation) {
  if (parameters.length === 0) return "Nothing";
  return `{\n${parameters.map((one) => parameterLine(one, operation, "      ")).join("")}    }`;
}

function parameterLine({ name, schema, description, required: isRequired }, { madeParam }, indent) {
  const required = isRequired && name !== madeParam;
  return fieldLine({ name, type: typeText(schema), about: description, required }, indent);
}

/** The fields of path, query and body side by side, as on the command line. */
function fieldsInterface({ id, operation, params, query, headers, body }) {
  if (params.length + query.length + headers.length === 0) {
    return body === undefined ? "" : `/** What \`${id}\` takes. */\nexport type ${pascal(id)}Fields = ${body};\n`;
  }
  const content = operation.takesBytes ? [contentLine] : [];
  const named = [...params, ...query, ...headers].map((one) => parameterLine(one, operation, "  "));
  const own = [...content, ...named].join("");
  const base = body === undefined || operation.takesBytes ? "" : ` extends ${body}`;
  return `/** What \`${id}\` takes. */\nexport interface ${pascal(id)}Fields${base} {\n${own}}\n`;
}

const contentLine = fieldLine(
  { name: "content", type: "Content", about: "The bytes that are sent", required: true },
  "  ",
);

function groups(calls) {
  const names = [...new Set(calls.map(({ id }) => groupOf(id)).filter(Boolean))];
  const interfaces = names.map((name) => {
    const methods = calls.filter(({ id }) => groupOf(id) === name).map(method);
    return `/** Operations of \`client.${name}\`. */\nexport interface ${pascal(name)}Methods {\n${methods.join("")}}\n`;
  });
  const members = names.map((name) => `  readonly ${name}: ${pascal(name)}Methods;\n`);
  const single = calls.filter(({ id }) => groupOf(id) === undefined).map(method);
  return `${interfaces.join("\n")}
/** Every operation of the daemon as a method: \`client.sessions.create({ agent: "claude" })\`. */
export interface Methods {
${single.join("")}${members.join("")}}
`;
}

function method({ id, operation, params, query, body, isBodyRequired, result }) {
  const name = id.split(".").at(-1);
  const isNeeded =
    isBodyRequired || [...params, ...query].some((one) => one.required && one.name !== operation.madeParam);
  const isAny = params.length + query.length > 0 || body !== undefined;
  const fields = `fields${isNeeded ? "" : "?"}: ${isAny ? `${pascal(id)}Fields` : "Nothing"}`;
  const answer = ["sse", "ui"].includes(operation.answer) ? `AsyncIterable<${result}>` : `Promise<${result}>`;
  return `${docText(wordsOf(operation), "  ")}  ${name}(${fields}, options?: CallOptions): ${answer};\n`;
}

function wordsOf({ summary, description }) {
  return `${summary}.\n\n${description}`;
}

/** The named schemas as Standard Schema values whose types need no zod. */
function schemasModule(definitions) {
  const names = Object.keys(definitions);
  const lines = names.map(
    (name) =>
      `${docText(definitions[name].description)}export const ${name}: Schema<types.${name}> = namedSchemas.${name} as unknown as Schema<types.${name}>;\n`,
  );
  return `import { namedSchemas } from "@muster/schema";
import type { Schema } from "../schema.ts";
import type * as types from "./types.ts";

${lines.join("\n")}`;
}

function groupOf(id) {
  return id.includes(".") ? id.split(".")[0] : undefined;
}

/** `if-match` is the field ifMatch. */
function camel(header) {
  return header.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function pascal(text) {
  return text
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
