/** The header that a field of `headers` stands for: `ifNoneMatch` is `if-none-match`. */
export function headerOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
