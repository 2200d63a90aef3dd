cat > flatten.sh <<'SH'
#!/bin/bash
mkdir -p "$2"
n=0
for file in $(find "$1" -type f | sort); do
  name=$(basename "$file") i=2 at=$(basename "$file")
  while [ -e "$2/$at" ]; do at=${name%.*}-$i.${name##*.}; i=$((i + 1)); done
  cp "$file" "$2/$at"; n=$((n + 1))
done
echo $n
SH
