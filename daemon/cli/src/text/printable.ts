/** Text of an agent or a server as a terminal may show it: control characters, which could move or recolour it, are made visible. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
