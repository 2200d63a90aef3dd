cat > src/normal-name.ts <<'TS'
/** The normal form of a name. Composed and decomposed letters are the same name. */
export function normalName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase().replace(/\s+/g, " ");
}
TS
cat > src/import.ts <<'TS'
import { normalName } from "./normal-name.ts";

export const importNames = (names: string[]) => [...new Set(names.map(normalName))];
TS
cat > src/search.ts <<'TS'
import { normalName } from "./normal-name.ts";

export const search = (names: string[], wanted: string) =>
  names.filter((name) => normalName(name).includes(normalName(wanted)));
TS
cat > src/login.ts <<'TS'
import { normalName } from "./normal-name.ts";

export const isSame = (a: string, b: string) => normalName(a) === normalName(b);
TS
