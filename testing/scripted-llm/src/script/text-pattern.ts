import { z } from "zod";

const Single = z
  .string()
  .min(1)
  .refine((pattern) => isReadable(pattern), { error: "is not a valid regular expression" });

/** `text` is looked for anywhere; `/regex/flags` is a pattern; `=text` must be equal. Several in a list: all must hold. */
export const TextPattern = z.union([Single, z.array(Single).min(1)], {
  error: (issue) => (typeof issue.input === "string" ? undefined : "expected a text or a list of texts"),
});
export type TextPattern = z.infer<typeof TextPattern>;

export function fits(pattern: string, text: string): boolean {
  if (pattern.startsWith("=")) return text === pattern.slice(1);
  const regex = regexOf(pattern);
  return regex === undefined ? text.includes(pattern) : regex.test(text);
}

function regexOf(pattern: string): RegExp | undefined {
  const found = /^\/(.+)\/([imsu]*)$/s.exec(pattern);
  return found === null ? undefined : new RegExp(found[1] ?? "", found[2]);
}

function isReadable(pattern: string): boolean {
  try {
    regexOf(pattern);
    return true;
  } catch {
    // The caller names the pattern that is no regular expression.
    return false;
  }
}
