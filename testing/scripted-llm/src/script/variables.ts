/** Replaces `{{name}}` in every text of a value. Only known names: other double braces are the script's own. */
export function withVariables<T>(value: T, variables: Readonly<Record<string, string>>): T {
  return replaceIn(value, variables) as T;
}

function replaceIn(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole);
  }
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceIn(one, variables)]));
}
