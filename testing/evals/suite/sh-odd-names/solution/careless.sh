cat > count-lines.sh <<'SH'
#!/bin/bash
cd "$1"
for file in $(find . -name "*.txt" | sort); do
  echo "$(wc -l < "$file") ${file#./}"
done
SH
