import { checkToolInput, isToolName, type ToolName, toolJsonSchema } from "@muster/codebuff-protocol";
import { isRecord, parseJson } from "@muster/core";
import { closingTag, type XmlCall } from "./call-reader.ts";
import { elementText, indexOutsideCdata } from "./text.ts";

/** The other form models were taught: one element for all tools, JSON inside, the tool's name among the parameters. */
export const jsonCallElement = "codebuff_tool_call";

export type XmlInput =
  | { readonly ok: true; readonly name: string; readonly input: Record<string, Json> }
  | { readonly ok: false; readonly name: string; readonly errorMessage: string };

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Schema = Readonly<Record<string, unknown>>;

/** Parameters are text; the tool's schema says what they become. What fits no reading is an error that names the parameter. */
export function readXmlInput(call: XmlCall): XmlInput {
  if (call.name === jsonCallElement) return readJsonCall(call.inner);
  const { name } = call;
  if (!isToolName(name)) return { ok: false, name, errorMessage: `There is no tool ${name}` };
  const properties = propertiesOf(name);
  const elements = readElements(call.inner, Object.keys(properties));
  if (!elements.ok) return { ok: false, name, errorMessage: `Invalid input for ${name}: ${elements.errorMessage}` };
  const input: Record<string, Json> = {};
  for (const [parameter, texts] of elements.values) {
    const schema = properties[parameter];
    const value = schema === undefined ? invalid("there is no such parameter") : readValue(texts, schema);
    if (!value.ok) return { ok: false, name, errorMessage: `Invalid input for ${name}: ${parameter}: ${value.wrong}` };
    input[parameter] = value.value;
  }
  return checkInput(name, input);
}

function checkInput(name: string, input: Record<string, Json>): XmlInput {
  if (!isToolName(name)) return { ok: false, name, errorMessage: `There is no tool ${name}` };
  const checked = checkToolInput(name, input);
  if (!checked.ok) return { ok: false, name, errorMessage: checked.errorMessage };
  return { ok: true, name, input: checked.input as Record<string, Json> };
}

function readJsonCall(inner: string): XmlInput {
  const parsed = parseJson(elementText(inner));
  if (!isRecord(parsed)) return { ok: false, name: jsonCallElement, errorMessage: "The call must be a JSON object" };
  const { cb_tool_name: name, cb_easp: _, ...input } = parsed as Record<string, Json>;
  if (typeof name !== "string") {
    return { ok: false, name: jsonCallElement, errorMessage: "The call must name its tool in cb_tool_name" };
  }
  return checkInput(name, input);
}

type Elements = { ok: true; values: Map<string, string[]> } | { ok: false; errorMessage: string };

/**
 * A value ends at the first closing tag of its parameter after which another parameter or nothing follows, so that a
 * file's content may hold tags of the same name.
 */
function readElements(inner: string, parameters: readonly string[]): Elements {
  const values = new Map<string, string[]>();
  if (parameters.length === 0) return { ok: true, values };
  const follows = new RegExp(`^\\s*(?:$|<(?:${parameters.join("|")})>)`);
  let rest = inner;
  while (rest.trim() !== "") {
    const tag = /^\s*<(\w+)>/.exec(rest);
    const name = tag?.[1];
    if (tag === null || name === undefined) {
      return { ok: false, errorMessage: `text outside of a parameter: ${rest.trim().slice(0, 80)}` };
    }
    rest = rest.slice(tag[0].length);
    const closing = closingTag(name);
    const { at: first } = indexOutsideCdata(rest, closing, 0);
    let last = first;
    while (last !== -1 && !follows.test(rest.slice(last + closing.length))) last = rest.indexOf(closing, last + 1);
    const at = last === -1 ? first : last;
    if (at === -1) return { ok: false, errorMessage: `${name}: the closing tag ${closing} is missing` };
    values.set(name, [...(values.get(name) ?? []), elementText(rest.slice(0, at))]);
    rest = rest.slice(at + closing.length);
  }
  return { ok: true, values };
}

type Value = { ok: true; value: Json } | { ok: false; wrong: string };

function readValue(texts: readonly string[], schema: Schema): Value {
  if (schema.type === "array") return readArray(texts, isRecord(schema.items) ? schema.items : {});
  const [text = ""] = texts;
  if (texts.length > 1) return invalid("given more than once");
  return readOne(text, schema);
}

function readArray(texts: readonly string[], items: Schema): Value {
  const [only] = texts;
  const whole = texts.length === 1 && only !== undefined ? parseJson(only) : undefined;
  if (Array.isArray(whole)) return { ok: true, value: whole };
  const asOne = texts.length > 1 || (isRecord(whole) && items.type !== "string");
  const entries = asOne ? texts : (only ?? "").split("\n").filter((line) => line.trim() !== "");
  const values: Json[] = [];
  for (const entry of entries) {
    const value = readOne(entry.trim(), items);
    if (!value.ok) return invalid(`entry ${values.length + 1}: ${value.wrong}`);
    values.push(value.value);
  }
  return { ok: true, value: values };
}

function readOne(text: string, schema: Schema): Value {
  const spelled = text.trim();
  switch (schema.type) {
    case "number":
    case "integer": {
      const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(spelled);
      return isNumber ? { ok: true, value: Number(spelled) } : invalid(`expected a number, got ${quote(spelled)}`);
    }
    case "boolean":
      if (spelled === "true" || spelled === "false") return { ok: true, value: spelled === "true" };
      return invalid(`expected true or false, got ${quote(spelled)}`);
    case "string":
      return { ok: true, value: Array.isArray(schema.enum) ? spelled : text };
    default: {
      const value = parseJson(text);
      if (value !== undefined && (schema.type !== "object" || isRecord(value)))
        return { ok: true, value: value as Json };
      return invalid(`expected JSON${schema.type === "object" ? " of an object" : ""}, got ${quote(spelled)}`);
    }
  }
}

const knownProperties = new Map<ToolName, Record<string, Schema>>();

/** Kept: making a JSON schema takes longer than reading a call. */
function propertiesOf(name: ToolName): Record<string, Schema> {
  const known = knownProperties.get(name);
  if (known !== undefined) return known;
  const { properties } = toolJsonSchema(name);
  const read = (isRecord(properties) ? properties : {}) as Record<string, Schema>;
  knownProperties.set(name, read);
  return read;
}

function invalid(reason: string): { ok: false; wrong: string } {
  return { ok: false, wrong: reason };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
