cat > src/normal-name.ts <<'TS'
export function normalName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}
TS
for file in import search login; do sed -i '1i import { normalName } from "./normal-name.ts";' "src/$file.ts"; done
sed -i -E 's/names\.map\(normalise\)/names.map(normalName)/; /^function normalise/,/^}/d' src/import.ts
sed -i -E '/^function normaliseName/,/^}/d; /^\/\/ Names/d; s/normaliseName/normalName/g' src/search.ts
sed -i -E '/^const clean/d; s/clean\(/normalName(/g' src/login.ts
