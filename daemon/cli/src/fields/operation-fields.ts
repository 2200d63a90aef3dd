import type { Operation } from "@muster/schema";
import { z } from "zod";

/** One field of a query or body as the command line knows it. */
export interface Field {
  name: string;
  part: "query" | "headers" | "body";
  /** Without the dashes. */
  flag: string;
  /** `json` is JSON text: objects, and elements that are not plain values. */
  kind: "string" | "number" | "boolean" | "json";
  /** An array: the option may be given several times, each time one element. */
  repeatable: boolean;
  required: boolean;
  choices?: readonly string[];
  description: string;
}

/** For whoever must name one. */
export const agentNames = "claude, codex, opencode, amp, codebuff or mock";

/** The names of the path parameters in the order they are typed. */
export function positionalsOf(operation: Operation): string[] {
  return Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}

export function fieldsOf(operation: Operation): Field[] {
  const { query, headers, body, cliNames } = operation;
  return [
    ...(query === undefined ? [] : readFields("query", z.toJSONSchema(query, { io: "output" }), cliNames)),
    ...(headers === undefined ? [] : readFields("headers", z.toJSONSchema(headers, { io: "output" }), cliNames)),
    ...(body === undefined ? [] : readFields("body", z.toJSONSchema(body, { io: "input" }), cliNames)),
  ];
}

/** A body with exactly one required plain field also takes it as the last argument: `send-message s1 "Hello"`. */
export function trailingFieldOf(fields: readonly Field[]): Field | undefined {
  const [only, ...others] = fields.filter(({ part, required }) => part === "body" && required);
  return only?.kind === "string" && !only.repeatable && others.length === 0 ? only : undefined;
}

/** Where somebody who types stands elsewhere than somebody who calls the API. */
const typed: Readonly<Record<string, string>> = {
  "Where the agent works; must exist; default: the daemon's":
    "Where the agent works; must exist; default: the current directory, or the daemon's on another machine",
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

function readFields(part: Field["part"], schema: JsonSchema, cliNames: Operation["cliNames"] = {}): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const own = property as JsonSchema;
    const repeatable = own.type === "array";
    const element = repeatable ? (own.items as JsonSchema) : own;
    const choices = element.enum?.map(String);
    return {
      name,
      part,
      flag: cliNames[name] ?? flagOf(name),
      kind: kindOf(element),
      repeatable,
      required: schema.required?.includes(name) ?? false,
      choices,
      description: (part === "body" ? typed[own.description ?? ""] : undefined) ?? own.description ?? "",
    };
  });
}

function kindOf({ type }: JsonSchema): Field["kind"] {
  if (type === "string" || type === "boolean") return type;
  return type === "number" || type === "integer" ? "number" : "json";
}

/** The option of a field, without the dashes. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
