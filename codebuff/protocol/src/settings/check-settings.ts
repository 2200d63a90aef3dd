import { nearestWord } from "@muster/core";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { z } from "zod";
import { PolicyRule } from "./policy-rule.ts";

/** What is wrong in a file of settings, for a person. */
export interface SettingsProblem {
  /** From 1. */
  readonly line: number;
  /** Dotted; empty when the file as a whole is wrong. */
  readonly key: string;
  readonly message: string;
}

export interface CheckedSettings<Settings> {
  /** What holds. A setting that is wrong is left out, the rest stays. */
  readonly settings: Settings;
  /** The keys that stand in the file and hold. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly problems: readonly SettingsProblem[];
}

/**
 * A file of settings, JSON with comments. Rules fail closed: where one is wrong none of the file allows anything, and what
 * denies or asks and can be read holds.
 */
export function checkSettings<Schema extends z.ZodObject>(
  schema: Schema,
  text: string,
): CheckedSettings<z.infer<Schema>> {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || tree === undefined)
    return withProblem(
      schema,
      lineAt(text, error?.offset ?? 0),
      `is not valid JSON (${printParseErrorCode(error?.error ?? 4)})`,
    );
  if (tree.type !== "object") return withProblem(schema, 1, `must be an object, not ${nameOf(getNodeValue(tree))}`);
  const given = getNodeValue(tree) as Record<string, unknown>;
  const read = schema.safeParse(given);
  if (read.success) return { settings: read.data, given, problems: [] };
  const problems = read.error.issues.flatMap((issue) => problemsOf(issue, { schema, given, tree, text }));
  const sound = soundPart(given, new Set(read.error.issues.flatMap((issue) => keysOf(issue))));
  return { settings: schema.parse(sound), given: sound, problems };
}

function withProblem<Schema extends z.ZodObject>(
  schema: Schema,
  line: number,
  message: string,
): CheckedSettings<z.infer<Schema>> {
  return { settings: schema.parse({}), given: {}, problems: [{ line, key: "", message }] };
}

type Issue = z.core.$ZodIssue;

/** The keys of the file an issue is about. */
function keysOf(issue: Issue): string[] {
  const [first] = issue.path;
  if (first !== undefined) return [String(first)];
  return issue.code === "unrecognized_keys" ? issue.keys : [];
}

function soundPart(given: Readonly<Record<string, unknown>>, faulty: ReadonlySet<string>): Record<string, unknown> {
  const sound = Object.fromEntries(Object.entries(given).filter(([key]) => !faulty.has(key)));
  if (faulty.has("rules")) sound.rules = strictRules(given.rules);
  const permissions = z.looseObject({ rules: z.array(z.unknown()) }).safeParse(given.permissions);
  if (faulty.has("permissions") && permissions.success)
    sound.permissions = { rules: strictRules(permissions.data.rules) };
  return sound;
}

function strictRules(rules: unknown): PolicyRule[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule) => PolicyRule.safeParse(rule).data ?? []).filter(({ effect }) => effect !== "allow");
}

interface Place {
  readonly schema: z.ZodType;
  readonly given: unknown;
  readonly tree: Node;
  readonly text: string;
}

function problemsOf(issue: Issue, place: Place): SettingsProblem[] {
  const { tree, text, given } = place;
  const at = (path: readonly PropertyKey[], message: string): SettingsProblem => ({
    line: lineAt(text, offsetOf(tree, path)),
    key: path.map(String).join("."),
    message,
  });
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => at([...issue.path, key], unknownKey(key, keysAt(place.schema, issue.path))));
  if (issue.code === "invalid_union") {
    // The form that was meant: of a text the first, of an object the last.
    const meant = typeof valueAt(given, issue.path) === "object" ? issue.errors.at(-1) : issue.errors[0];
    return (meant ?? []).flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, place));
  }
  return [at(issue.path, messageFor(issue, valueAt(given, issue.path)))];
}

function messageFor(issue: Issue, value: unknown): string {
  const shown = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60);
  if (issue.code === "invalid_value") {
    const allowed = issue.values.map(String);
    const near = typeof value === "string" ? nearestWord(value, allowed) : undefined;
    return `takes one of ${allowed.join(", ")}, not ${shown}${near === undefined ? "" : `; did you mean ${near}?`}`;
  }
  if (issue.code === "invalid_type")
    return value === undefined
      ? `is missing (${words[issue.expected] ?? issue.expected})`
      : `must be ${words[issue.expected] ?? issue.expected}, not ${nameOf(value)}`;
  if (issue.code === "invalid_format" && issue.format === "url")
    return `must be an address such as https://example.com, not ${shown}`;
  if (issue.code === "too_small")
    return typeof value === "string" ? "must not be empty" : `must be at least ${issue.minimum}, not ${shown}`;
  return issue.message;
}

const words: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return words[typeof value] ?? typeof value;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestWord(key, known);
  return near === undefined ? `is no setting; there are ${known.join(", ")}` : `is no setting; did you mean ${near}?`;
}

/** The names an object of the schema knows at a place. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let found: JsonSchema | undefined = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
  for (const step of path) {
    const inner: JsonSchema | undefined = found?.anyOf?.find(({ properties }) => properties !== undefined) ?? found;
    const rest: boolean | JsonSchema | undefined = inner?.additionalProperties;
    found =
      typeof step === "number"
        ? inner?.items
        : (inner?.properties?.[String(step)] ?? (typeof rest === "object" ? rest : undefined));
  }
  const inner = found?.anyOf?.find(({ properties }) => properties !== undefined) ?? found;
  return Object.keys(inner?.properties ?? {}).filter((key) => key !== "$schema");
}

/** As much of JSON Schema as the settings use. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
  readonly flag?: string;
  readonly env?: string;
  readonly slash?: string;
  readonly secret?: true;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    given,
  );
}

/** Where a key stands; of one that is missing, where it would. */
function offsetOf(tree: Node, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(
      tree,
      path.slice(0, length).map((step) => (typeof step === "number" ? step : String(step))),
    );
    if (node !== undefined) return node.parent?.type === "property" ? node.parent.offset : node.offset;
  }
  return tree.offset;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
