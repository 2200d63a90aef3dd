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

/**
 * Values that are secrets wherever they stand: whole private keys, keys of services by their exact form, passwords in
 * addresses. Narrower than the shapes above: what programs print is full of names that only begin like a key.
 */
const values = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\bsk-(?:ant|proj|or|svcacct|admin)-[\w-]{12,}/g,
  /\bsk-[A-Za-z0-9]{32,}\b/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bgh[oprsu]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_\w{22,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[\w-]{35}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-AgEI[\w-]{50,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\bSG\.[\w-]{20,}\.[\w-]{40,}/g,
  /\bdop_v1_[a-f0-9]{64}\b/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(?<=\bBearer\s)[\w.~+/=-]{20,}/gi,
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^:/@\s"'`<>]{0,200}:)[^@/\s"'`<>]{3,200}(?=@[\w.[-])/gi,
];

/** Takes values out of what a program printed. */
export function redactValues(text: string): string {
  return values.reduce((clean, value) => clean.replaceAll(value, redactedMark), text);
}
