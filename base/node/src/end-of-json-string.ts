const quote = 0x22;
const backslash = 0x5c;

/** The place of the quote that ends a string of a JSON text, found by the runtime's own search. `from`: behind its first quote. */
export function endOfJsonString(json: Buffer, from: number): number {
  for (let end = json.indexOf(quote, from); end !== -1; end = json.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
