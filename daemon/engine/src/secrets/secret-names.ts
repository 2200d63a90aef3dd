import { redactShapes } from "@muster/core";

/** PAT is a personal access token; PATH, PATTERN and PATCH are not. */
const names = /key|token|secret|passw|pgpass|credential|auth|cookie|dsn|_url$|pat(?!h|t|ch|i)/i;
const parameters = /key|token|secret|passw|credential|auth|signature|^sig$/i;
const withPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;

/** Named like a secret, or a URL that holds one. */
export function isSecret(name: string, value: string): boolean {
  return names.test(name) || holdsSecret(value);
}

/** A password before the host, a parameter that is named like a secret, or a key as vendors make them. */
export function holdsSecret(url: string): boolean {
  return withPassword.test(url) || secretParameters(url).length > 0 || redactShapes(url) !== url;
}

/** What must not be shown of a secret value: all of it, and a password that stands in it. */
export function partsOfSecret(value: string): string[] {
  const password = withPassword.exec(value)?.[1];
  const inside = [...(password === undefined ? [] : [password]), ...secretParameters(value)];
  return [value, ...inside.flatMap((part) => [part, decode(part)])];
}

/** The values of variables that are secrets. */
export function secretsInEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && isSecret(name, value) ? partsOfSecret(value) : []));
}

function secretParameters(url: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return [];
  const query = url.split("#", 1)[0]?.split("?")[1] ?? "";
  const pairs = query.split("&").map((pair) => pair.split("=", 2) as [string, string?]);
  return pairs.flatMap(([name, value]) => (value && parameters.test(name) ? [value] : []));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign of its own: the text is the secret as it stands.
    return text;
  }
}
