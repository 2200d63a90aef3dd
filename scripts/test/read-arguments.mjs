/** Options of vitest whose value may stand behind a space: the next word is no filter. */
const withValue = new Set([
  "-t",
  "--testNamePattern",
  "--project",
  "--reporter",
  "--maxWorkers",
  "--bail",
  "--retry",
  "--shard",
]);

/** The arguments of scripts/test.mjs: what goes to vitest as options, filters of file names, and the lanes that are asked for. */
export function readArguments(words) {
  const read = { options: [], filters: [], only: [], isRest: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === "--rest") read.isRest = true;
    else if (word === "--lane") read.only.push(words[++at]);
    else if (withValue.has(word)) read.options.push(word, ...words.slice(++at, at + 1));
    else (word.startsWith("-") ? read.options : read.filters).push(word);
  }
  return read;
}
