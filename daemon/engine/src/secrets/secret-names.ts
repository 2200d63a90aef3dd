/** PAT is a personal access token; PATH, PATTERN and PATCH are not. */
const names = /key|token|secret|passw|pgpass|credential|auth|cookie|dsn|_url$|pat(?!h|t|ch|i)/i;
const withPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;

/** Named like a secret, or a URL that holds a password. */
export function isSecret(name: string, value: string): boolean {
  return names.test(name) || withPassword.test(value);
}

/** What must not be shown of a secret value: all of it, and a password that stands in it. */
export function partsOfSecret(value: string): string[] {
  const password = withPassword.exec(value)?.[1];
  return password === undefined ? [value] : [value, password, decode(password)];
}

/** The values of variables that are secrets. */
export function secretsInEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && isSecret(name, value) ? partsOfSecret(value) : []));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign of its own: the text is the secret as it stands.
    return text;
  }
}
