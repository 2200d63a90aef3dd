cat > src/csv.ts <<'TS'
/** The rows of a CSV text, each a list of its fields (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  let started = false;
  const endField = () => {
    row.push(field);
    field = "";
  };
  const endRow = () => {
    endField();
    rows.push(row);
    row = [];
    started = false;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') {
        field += '"';
        at++;
      } else quoted = false;
      continue;
    }
    if (sign === '"') quoted = started = true;
    else if (sign === ",") {
      endField();
      started = true;
    } else if (sign === "\n") endRow();
    else if (sign === "\r" && text[at + 1] === "\n") continue;
    else {
      field += sign;
      started = true;
    }
  }
  if (started || field !== "" || row.length > 0) endRow();
  return rows;
}
TS
