for file in services/*/service.ini; do
  grep -Eq '^[[:space:]]*timeout_sec[[:space:]]*=' "$file" && basename "$(dirname "$file")"
done | sort > answer.txt
