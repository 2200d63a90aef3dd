/** A long answer with prose, code and tables; every line can be told from every other by its number. */
export function longAnswer(lines) {
  const text = [];
  let n = 0;
  const next = (words) => `${words} number ${n++} of it`;
  while (n < lines) {
    for (let line = 0; line < 6 && n < lines; line++)
      text.push(next("A sentence of some words that says a little, and it is"), "");
    text.push("```ts");
    for (let line = 0; line < 8 && n < lines; line++) text.push(`const value = call("x", 1); // ${next("line")}`);
    text.push("```", "", "| what | which |", "|---|---|");
    for (let line = 0; line < 4 && n < lines; line++) text.push(`| ${next("row")} | some text |`);
    text.push("");
  }
  return text.join("\n");
}

/** Which of the numbered lines are missing, and how many fragments stand twice. */
export function compare(lines, count) {
  // At a narrow width a sentence is wrapped, maybe in its number.
  const text = lines.join(" ").replaceAll(/\s+/g, " ");
  const seen = new Set([...text.matchAll(/number (\d+) of it/g)].map(([, number]) => Number(number)));
  const lost = Array.from({ length: count }, (_, n) => n).filter((n) => !seen.has(n));
  return { lost, doubled: fragments(lines) };
}

/** Runs of lines that had been on the screen before: each is one fragment. */
function fragments(lines) {
  const known = new Set();
  let runs = 0;
  let inRun = false;
  for (const line of lines) {
    const number = /number \d+ of it/.exec(line)?.[0];
    const isChrome = /esc interrupts|^› |^DEFAULT · /.test(line);
    const isOld = number === undefined ? isChrome : known.has(number);
    if (number !== undefined) known.add(number);
    if (number === undefined && !isChrome && !inRun) continue;
    if (isOld && !inRun) runs++;
    inRun = isOld || (inRun && number === undefined);
  }
  // The prompt that was typed and the live region at the end are no fragments.
  return Math.max(0, runs - 2);
}

export function random(seed) {
  let state = seed * 7919;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}
