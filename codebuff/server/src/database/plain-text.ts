/** NUL and halves of characters: no text of PostgreSQL holds them. */
const unspeakable = /[\0\ud800-\udfff]/gu;

/** No name that somebody sends may keep a call from being settled. */
export function plainText(text: string): string {
  return text.replaceAll(unspeakable, "\ufffd");
}
