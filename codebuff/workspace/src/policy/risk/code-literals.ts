/** A text that stands in code, or what several beside each other make together. */
export interface CodeText {
  readonly text: string;
  /** What stands right before and right behind it. */
  readonly before: string;
  readonly after: string;
}

const mostTexts = 200;
const mostTogether = 6;
const literal = /'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"|`((?:[^`\\]|\\[\s\S])*)`/g;
/** What joins texts in Python, JavaScript, Perl, Ruby and PHP: nothing, `+`, `.`, `<<`, or a list that is put together later. */
const joint = /^(?:\s|\+|\.|,|<<|[()[\]])*[rbuf]{0,2}$/i;

/** The texts in code of any of these languages, with those that are put together of pieces or of numbers. */
export function textsInCode(code: string): CodeText[] {
  const plain = withoutNumbers(code);
  const found = [...plain.matchAll(literal)].slice(0, mostTexts).map((match) => ({
    text: unescaped(match[1] ?? match[2] ?? match[3] ?? ""),
    from: match.index,
    to: match.index + match[0].length,
  }));
  const texts: CodeText[] = [];
  for (const [at, first] of found.entries()) {
    let text = "";
    let last = first;
    for (const next of found.slice(at, at + mostTogether)) {
      if (next !== first && !joint.test(plain.slice(last.to, next.from))) break;
      text += next.text;
      last = next;
      texts.push({
        text,
        before: plain.slice(Math.max(0, first.from - 40), first.from),
        after: plain.slice(last.to, last.to + 20),
      });
    }
  }
  return texts;
}

/** `chr(46)` and `String.fromCharCode(46, 101)` are texts too. */
function withoutNumbers(code: string): string {
  return code.replace(/\b(?:chr|String\.fromCharCode)\s*\(([\d\s,x]+)\)/gi, (whole, numbers: string) => {
    const letters = numbers.split(",").map((number) => Number(number.trim()));
    if (letters.some((one) => !Number.isInteger(one) || one < 32 || one > 126)) return whole;
    return JSON.stringify(String.fromCharCode(...letters));
  });
}

function unescaped(text: string): string {
  return text
    .replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\}|([0-3]?[0-7]{1,2}))/gi,
      (whole, hex, four, long, octal) => {
        const code = octal === undefined ? Number.parseInt(hex ?? four ?? long, 16) : Number.parseInt(octal, 8);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    )
    .replace(/\\(.)/g, "$1");
}

/** The text as it is and as a line of code would make it readable again. */
export function readingsOf(text: string): string[] {
  if (text.length < 2 || text.length > 400) return [];
  const readings = [text, [...text].reverse().join("")];
  if (/^[A-Za-z0-9+/_-]{3,}={0,2}$/.test(text)) readings.push(Buffer.from(text, "base64").toString("latin1"));
  if (/^(?:[\da-f]{2}){2,}$/i.test(text)) readings.push(Buffer.from(text, "hex").toString("latin1"));
  readings.push(
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  );
  return readings;
}
