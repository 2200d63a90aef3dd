import { secretForms } from "./secret-forms.ts";

/** What stands in the place of a secret. */
export const redactedMark = "[redacted]";

/** Shorter values would take ordinary words out of a text. */
const shortestSecret = 6;

/** Takes known values out of a text, in every form a secret may have there. Values shorter than six letters stay. */
export function redactKnown(secrets: Iterable<string | undefined>): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret !== undefined && secret.length >= shortestSecret);
  const forms = sortForms(known.flatMap((secret) => secretForms(secret ?? "")));
  return (text) => redactForms(text, forms);
}

/** Longest first: of a secret that contains another one, the rest would stay. */
export function sortForms(forms: Iterable<string>): string[] {
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

/** Takes texts out of a text, in this order. */
export function redactForms(text: string, forms: readonly string[]): string {
  let clean = text;
  for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, redactedMark);
  return clean;
}

/** Shapes of secrets: keys of services, bearer tokens, JWTs, passwords in addresses. */
const shapes = [
  /\b(?:cbs?|sk|pk|rk)-[\w-]{8,}/gi,
  /\bfw_[\w-]{8,}/gi,
  /\b(?:ghp|gho|ghs|github_pat|xoxb|AIza)[A-Za-z0-9_-]{12,}/g,
  /\bBearer\s+[\w.~+/=-]+/gi,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g,
  /(?<=:\/\/[^:/@\s"]*:)[^@/\s"]+(?=@)/g,
];

/** Takes whatever looks like a secret out of a text. */
export function redactShapes(text: string): string {
  return shapes.reduce((clean, shape) => clean.replaceAll(shape, redactedMark), text);
}
