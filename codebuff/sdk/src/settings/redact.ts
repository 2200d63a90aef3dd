/** Takes the secrets out of a text, longest first. Short values would take out ordinary words. */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret !== undefined && secret.length >= 6);
  known.sort((one = "", other = "") => other.length - one.length);
  return (text) => known.reduce<string>((left, secret = "") => left.replaceAll(secret, "[redacted]"), text);
}
