for commit in $(git rev-list --reverse HEAD); do
  git show "$commit:price.sh" > /tmp/price.sh 2>/dev/null || continue
  [ "$(bash /tmp/price.sh 1050)" = 1250 ] || { printf '%s\n' "$commit" > answer.txt; break; }
done
rm -f /tmp/price.sh
