cat > flatten.sh <<'SH'
#!/bin/bash
mkdir -p -- "$2"
copied=0
while IFS= read -r -d '' file; do
  name=${file##*/}
  case $name in
    ?*.*) stem=${name%.*} ending=.${name##*.} ;;
    *) stem=$name ending= ;;
  esac
  at=$name number=1
  while [ -e "$2/$at" ] || [ -L "$2/$at" ]; do
    number=$((number + 1))
    at=$stem-$number$ending
  done
  cp -- "$1/$file" "$2/$at"
  copied=$((copied + 1))
done < <(cd -- "$1" && find . -type f -print0 | LC_ALL=C sort -z)
echo "$copied"
SH
