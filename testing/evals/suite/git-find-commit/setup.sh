export GIT_COMMITTER_DATE=2025-01-01T12:00:00Z
git init -q -b main .
git config user.name setup && git config user.email setup@example.org
commit() { git add -A && git commit -q --author "$1 <$1@example.org>" --date "$2" -m "$3"; }

price() { printf '#!/bin/bash\n%s\n' "$1" > price.sh; chmod +x price.sh; }
price 'echo $(( ($1 * 119 + 50) / 100 ))'; commit ada 2025-01-01T12:00:00Z 'prices with tax'
echo '.' >> README.md; commit ada 2025-01-02T12:00:00Z 'readme'
price 'tax=19; echo $(( ($1 * (100 + tax) + 50) / 100 ))'; commit bob 2025-01-03T12:00:00Z 'the tax has a name'
price 'tax=19; echo $(( $1 + $1 * tax / 100 ))'; commit bob 2025-01-04T12:00:00Z 'faster by one multiplication'
for n in 5 6 7 8; do echo ".$n" >> README.md; price "tax=19; # $n
echo \$(( \$1 + \$1 * tax / 100 ))"; commit cyd 2025-01-0${n}T12:00:00Z "note $n"; done
