import type { Question } from "@muster/schema";
import type { Asked } from "./native.ts";
import type { OpenRequest } from "./state.ts";

type Schema = NonNullable<Asked<"mcpServer/elicitation/request">["requestedSchema"]>;
type Property = NonNullable<Schema["properties"]>[string];
type Field = OpenRequest["fields"][number];

/** A form of an MCP server: one question per field; a form without fields is a yes or no. */
export function formOf(message: string, { properties = {} }: Schema): { questions: Question[]; fields: Field[] } {
  const entries = Object.entries(properties);
  if (entries.length === 0) {
    const question: Question = { ...plain, id: "confirm", question: message, type: "boolean", allowCustom: true };
    return { questions: [question], fields: [] };
  }
  return {
    questions: entries.map(([name, property], at) => questionOf(name, property, at === 0 ? message : undefined)),
    fields: entries.map(([name, property]) => ({ name, type: typeOf(property) })),
  };
}

/** What the person answered, with the types the form wants; fields without an answer are left out. */
export function contentOf(fields: readonly Field[], answers: readonly (readonly string[])[]): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const [at, { name, type }] of fields.entries()) {
    const values = answers[at] ?? [];
    const [first] = values;
    if (type === "list") content[name] = [...values];
    else if (first !== undefined) content[name] = toType(type, first);
  }
  return content;
}

const plain = {
  type: "string",
  options: [],
  multiSelect: false,
  allowCustom: true,
} as const satisfies Partial<Question>;

function questionOf(name: string, property: Property, message: string | undefined): Question {
  const { title, description } = property;
  const words = [message, textOf(description)].filter((text) => text !== undefined).join("\n");
  const type = typeOf(property);
  const options = choicesOf(property).map((label) => ({ id: label, label }));
  return {
    ...plain,
    id: name,
    header: textOf(title),
    question: words || textOf(title) || name,
    type: type === "list" ? "string" : type,
    options,
    multiSelect: type === "list",
    allowCustom: options.length === 0,
  };
}

function typeOf({ type }: Property): Field["type"] {
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  return type === "array" ? "list" : "string";
}

/** The forms of choices in MCP 2025-11-25: `enum`, and `oneOf`/`anyOf` with titles, also inside `items`. */
function choicesOf(property: Property): string[] {
  const { enum: names, oneOf, anyOf, items } = property;
  if (Array.isArray(names)) return names.filter((name) => typeof name === "string");
  for (const titled of [oneOf, anyOf]) {
    if (Array.isArray(titled)) return titled.flatMap((choice: { const?: unknown }) => textOf(choice?.const) ?? []);
  }
  return typeof items === "object" && items !== null ? choicesOf(items as Property) : [];
}

function toType(type: Field["type"], text: string): unknown {
  if (type === "number") return Number(text);
  return type === "boolean" ? text === "true" : text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
