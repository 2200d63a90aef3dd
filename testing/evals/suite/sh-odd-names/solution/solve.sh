cat > count-lines.sh <<'SH'
#!/bin/bash
cd -- "$1" 2>/dev/null || { echo "count-lines: $1 is no folder" >&2; exit 2; }
find . -type f -name '*.txt' -print0 | LC_ALL=C sort -z | while IFS= read -r -d '' file; do
  printf '%d %s\n' "$(wc -l < "$file")" "${file#./}"
done
SH
