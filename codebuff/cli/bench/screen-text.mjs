/** A long answer with prose, code and tables. Every line has a number, every word of it that counts a number of its own. */
export function longAnswer(lines) {
  const text = [];
  let n = 0;
  const next = (words) => {
    const own = Array.from({ length: words }, (_, word) => `w${n}.${word}`).join(" ");
    return `${own} number ${n++} of it`;
  };
  while (n < lines) {
    for (let line = 0; line < 6 && n < lines; line++) text.push(next(8), "");
    text.push("```ts");
    // One in four is longer than most windows are wide.
    for (let line = 0; line < 8 && n < lines; line++) text.push(`call("x", 1); // ${next(line % 4 === 3 ? 16 : 3)}`);
    text.push("```", "", "| what | which |", "|---|---|");
    for (let line = 0; line < 4 && n < lines; line++) text.push(`| ${next(1)} | some text |`);
    text.push("");
  }
  return text.join("\n");
}

const word = /w\d+\.\d+/g;
const filler = /^(```(ts)?|what +which|[─ ]*)$/;

/** Which words of a long answer are missing on the screen, and how many fragments stand there that should not. */
export function compare(lines, count) {
  const places = new Map([...longAnswer(count).matchAll(word)].map(([text], at) => [text, at]));
  const seen = new Set();
  let furthest = -1;
  let runs = 0;
  let wasOld = false;
  const look = (isOld) => {
    if (isOld && !wasOld) runs++;
    wasOld = isOld;
  };
  for (const line of lines) {
    if (seen.size === places.size) break;
    const words = (line.match(word) ?? []).map((text) => places.get(text) ?? -1);
    for (const place of words) {
      look(place <= furthest);
      seen.add(place);
      furthest = Math.max(furthest, place);
    }
    // What else stands among the words is a piece of a live region: a status, a prompt, half a word.
    if (words.length === 0 && furthest >= 0 && !filler.test(line.trim()) && !isRest(line)) look(true);
  }
  const lost = [...places.keys()].filter((text) => !seen.has(places.get(text)));
  return { lost, doubled: runs };
}

/** The end of a sentence that was wrapped. */
function isRest(line) {
  return /^\W*(number )?(\d+ )?(of )?(it)?$/.test(line.trim()) || /^call\("x", 1\); \/\/$/.test(line.trim());
}

export function random(seed) {
  let state = seed * 7919;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}
