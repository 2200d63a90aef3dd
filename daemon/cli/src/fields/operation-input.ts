import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { isRecord, messageOf } from "@muster/core";
import { type Operation, plainIssue } from "@muster/schema";
import type { z } from "zod";
import { UsageError } from "../environment/exit.ts";
import { type Field, positionalsOf, trailingFieldOf } from "./operation-fields.ts";

export interface OperationInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  /** Fields of JSON, or the content where the operation takes bytes. */
  body: Record<string, unknown>;
}

export interface Typed {
  /** The arguments in order; one that may be left out is undefined. */
  positionals: readonly (string | undefined)[];
  /** Field name → value, only of options that were given. */
  values: Record<string, unknown>;
  /** The value of `--body`. */
  body?: string;
  stdin: Readable;
}

/** What was typed, checked against the schemas of the operation; what they refuse is a usage error and sends nothing. */
export async function inputOf(operation: Operation, fields: readonly Field[], typed: Typed): Promise<OperationInput> {
  const names = positionalsOf(operation);
  const { positionals, body: whole } = withMadeParam(operation, fields, typed);
  const params = Object.fromEntries(names.map((name, at) => [name, positionals[at]]));
  const query: Record<string, unknown> = {};
  const headers: Record<string, unknown> = {};
  const body = whole === undefined ? {} : await wholeBody(whole, typed.stdin);
  for (const { name, part } of fields) {
    if (typed.values[name] === undefined) continue;
    if (part === "query") query[name] = String(typed.values[name]);
    else if (part === "headers") headers[name] = typed.values[name];
    else body[name] = typed.values[name];
  }
  takeTrailing(positionals[names.length], fields, typed.values, body);
  for (const [name, value] of Object.entries(params)) {
    if (value === "" || value === "." || value === "..") throw new UsageError(`<${name}> cannot be '${value}'`);
  }
  check(operation.params, params, (name) => `<${name}>`);
  checkBody(operation, fields, body);
  const parsedQuery = operation.query === undefined ? {} : check(operation.query, query, optionNames(fields));
  return { params, query: parsedQuery, headers, body };
}

/** `create mock` is `create <id made by the daemon> mock`: of two that may be left out, the last is the one that is there. */
function withMadeParam({ madeParam }: Operation, fields: readonly Field[], typed: Typed): Typed {
  const trailing = trailingFieldOf(fields);
  const [only, ...others] = typed.positionals;
  const isGiven = trailing === undefined || typed.values[trailing.name] !== undefined || typed.body !== undefined;
  if (madeParam === undefined || isGiven || others.some((word) => word !== undefined)) return typed;
  return { ...typed, positionals: [undefined, only] };
}

/** Throws a usage error that names the option. */
export function checkBody(operation: Operation, fields: readonly Field[], body: Record<string, unknown>): void {
  if (operation.body !== undefined) check(operation.body, body, optionNames(fields));
}

function optionNames(fields: readonly Field[]): (name: string) => string {
  return (name) => `--${fields.find((field) => field.name === name)?.flag ?? name}`;
}

function takeTrailing(
  value: string | undefined,
  fields: readonly Field[],
  values: Record<string, unknown>,
  body: Record<string, unknown>,
) {
  const field = trailingFieldOf(fields);
  if (value === undefined || field === undefined) return;
  if (values[field.name] !== undefined)
    throw new UsageError(`give either <${field.name}> or --${field.flag}, not both`);
  body[field.name] = value;
}

/** `--body` takes the body itself, `@file`, or `-` for standard input. */
async function wholeBody(source: string, stdin: Readable): Promise<Record<string, unknown>> {
  const content =
    source === "-" ? await text(stdin) : source.startsWith("@") ? await fileText(source.slice(1)) : source;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new UsageError(`--body is not JSON: ${messageOf(error)}`);
  }
  if (isRecord(value)) return value;
  throw new UsageError("--body must be a JSON object");
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`--body: cannot read ${path}: ${messageOf(error)}`);
  }
}

/** Strict like the daemon: a misspelt field is refused here, before anything is sent. */
function check(schema: z.ZodObject, value: unknown, nameOf: (field: string) => string): Record<string, unknown> {
  const exact = schema.def.catchall === undefined ? schema.strict() : schema;
  const result = exact.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.map((issue) => describeIssue(issue, nameOf)).join("; "));
}

function describeIssue(issue: z.core.$ZodIssue, nameOf: (field: string) => string): string {
  const [field, ...inside] = issue.path.map(String);
  const name = field === undefined ? "the body" : nameOf(field);
  return `${name}${inside.map((part) => `.${part}`).join("")} ${plainIssue(issue)}`;
}
