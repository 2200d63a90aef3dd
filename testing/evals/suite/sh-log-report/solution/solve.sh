cat > report.sh <<'SH'
#!/bin/bash
# The status is the word before the last: a path may hold anything.
awk '$(NF - 1) >= 400 && $(NF - 1) <= 599 { print $1 }' "$1" | LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2,2 | head -n 3 | awk '{ print $1, $2 }'
SH
