import type { z } from "zod";

/** What is wrong with a field, in words for the person who wrote it and not for the one who wrote its schema. */
export function plainIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${nameOf(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return smallness(issue);
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? `must have at most ${issue.maximum} ${unitOf(issue.origin)}`
        : `must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
    case "invalid_format":
      return formats[issue.format] ?? issue.message;
    case "invalid_union":
      return "has none of the forms it may have";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_key":
    case "invalid_element":
      return issue.issues.map(plainIssue).join(", ");
    case "custom":
      return issue.message;
  }
}

/** Format → what is asked for; a pattern of our own says it in its message. */
const formats: Readonly<Record<string, string>> = {
  url: "must be an http or https URL",
  base64: "must be base64",
  datetime: "must be a time such as 2026-11-15T19:35:00Z",
};

const types: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  nan: "a number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function nameOf(type: string): string {
  return types[type] ?? type;
}

function smallness({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  const counted = origin === "string" || origin === "array";
  if (counted && minimum === 1) return "must not be empty";
  if (counted) return `must have at least ${minimum} ${unitOf(origin)}`;
  return `must be ${inclusive === false ? "more than" : "at least"} ${minimum}`;
}

function unitOf(origin: string): string {
  return origin === "string" ? "characters" : "entries";
}
