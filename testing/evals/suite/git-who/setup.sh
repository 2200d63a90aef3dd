export GIT_COMMITTER_DATE=2025-01-01T12:00:00Z
git init -q -b main .
git config user.name setup && git config user.email setup@example.org
commit() { git add -A && git commit -q --author "$1 <$1@example.org>" --date "$2" -m "$3"; }

printf 'port = 80\nlimit = 100\n' > server.conf; commit ada 2025-01-01T12:00:00Z 'a server'
printf 'port = 8080\nlimit = 100\n' > server.conf; commit bob 2025-01-02T12:00:00Z 'another port'
mkdir conf; git mv server.conf conf/server.conf; commit cyd 2025-01-03T12:00:00Z 'a folder'
printf 'port = 8080\nlimit = 500\n' > conf/server.conf; commit bob 2025-01-04T12:00:00Z 'more at once'
printf 'port = 8080\n' > conf/server.conf; printf 'limit = 500\n' > conf/limits.conf; commit eve 2025-01-05T12:00:00Z 'limits apart'
printf '# nothing yet\n' > conf/limits.conf; commit dan 2025-01-06T12:00:00Z 'simpler'
printf '# nothing\n' > conf/limits.conf; commit eve 2025-01-07T12:00:00Z 'words'
