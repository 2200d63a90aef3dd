const mark = "[redacted]";

// Shapes of keys that turn up in bodies: provider keys, bearer tokens, JWTs.
const shapes = [
  /\b(?:sk|pk|rk)-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{16,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g,
  /\b(?:ghp|gho|ghs|github_pat|xoxb|AIza)[A-Za-z0-9_-]{12,}/g,
];

/** Takes known secrets, and whatever looks like one, out of a text. */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets
    .filter((secret) => secret.length >= 6)
    .reduce((left, secret) => left.replaceAll(secret, mark), text);
  return shapes.reduce((left, shape) => left.replaceAll(shape, mark), known);
}

const secretHeaders = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "proxy-authorization", "cookie"];

/** The credentials a request carried, with and without their scheme. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return secretHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [value, value.replace(/^\w+\s+/, "")];
  });
}
