import { InvalidArgumentError } from "commander";

export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Not a port (0 to 65535).");
}

/** An option that may be given again. */
export function collect(text: string, previous: string[] = []): string[] {
  return [...previous, text];
}
