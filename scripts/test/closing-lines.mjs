/** The end of a test run, in plain lines that any reader of a log understands; the last are the counts. */
export function closingLines({ files, skips, again, failures, counts }) {
  return [
    "",
    ...slowest(files),
    `by package: ${sums(files, ({ file }) => packageOf(file))}`,
    `by lane: ${sums(files, ({ lane }) => lane)}`,
    ...skips.map(({ file, name, why }) => `skipped, ${why}: ${file} > ${name}`),
    ...again.map(({ file, name, why }) => `passed only at the second try (${why}): ${file} > ${name}`),
    ...(again.length > 0 ? [`${again.length} second tries: each is a defect of this repository`] : []),
    ...failures.map(({ file, name, why }) => `failed (${why}): ${file ?? ""} > ${name}`),
    countLine(counts),
  ];
}

export function countLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function slowest(files) {
  const slow = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  return slow.map(({ file, ms }) => `${seconds(ms).padStart(8)}  ${file}`);
}

/** The time of files, added up by a name, the dearest first. */
function sums(files, nameOf) {
  const byName = new Map();
  for (const file of files) {
    const { ms, count } = byName.get(nameOf(file)) ?? { ms: 0, count: 0 };
    byName.set(nameOf(file), { ms: ms + file.ms, count: count + 1 });
  }
  const rows = [...byName].sort(([, a], [, b]) => b.ms - a.ms);
  return rows.map(([name, { ms, count }]) => `${name} ${seconds(ms)} in ${count}`).join(", ");
}

function packageOf(file) {
  return file
    .split("/")
    .slice(0, file.startsWith("test/") ? 1 : 2)
    .join("/");
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
