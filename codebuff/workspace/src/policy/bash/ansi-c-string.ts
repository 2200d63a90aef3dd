const named: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The text of bash's `$'…'`, given what stands between the quotes. */
export function decodeAnsiC(body: string): string {
  const sequence = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;
  return body.replace(sequence, (_, hex, short, long, octal, control, other) => {
    const code = hex ?? short ?? long;
    if (code !== undefined) return codePoint(Number.parseInt(code, 16));
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff);
    if (control !== undefined) return codePoint(control.charCodeAt(0) & 0x1f);
    return named[other] ?? other;
  });
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : "";
}
