/** NUL and halves of characters: no text of PostgreSQL holds them. */
const unspeakable = /[\0\ud800-\udfff]/gu;

/** Text that any database takes: nothing that somebody sends makes a statement fail. */
export function plainText(text: string): string {
  return text.replaceAll(unspeakable, "\ufffd");
}
