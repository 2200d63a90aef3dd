cat > src/csv.ts <<'TS'
/** The rows of a CSV text, each a list of its fields. */
export function parseCsv(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => (line.match(/("[^"]*"|[^,]*)(,|$)/g) ?? []).map((field) => field.replace(/,$/, "").replace(/^"|"$/g, "")));
}
TS
