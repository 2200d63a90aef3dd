cat > report.sh <<'SH'
#!/bin/bash
awk '$9 >= 400 { print $1 }' "$1" | sort | uniq -c | sort -rn | head -n 3 | awk '{ print $1, $2 }'
SH
