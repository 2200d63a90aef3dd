import { redactKnown, redactShapes } from "@muster/core";

/** Takes known secrets, and whatever looks like one, out of a text. */
export function redact(text: string, secrets: readonly string[] = []): string {
  return redactShapes(redactKnown(secrets)(text));
}

const secretHeaders = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "proxy-authorization", "cookie"];

/** The credentials a request carried, with and without their scheme. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return secretHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [value, value.replace(/^\w+\s+/, "")];
  });
}
