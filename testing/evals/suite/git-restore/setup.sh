export GIT_COMMITTER_DATE=2025-01-01T12:00:00Z
git init -q -b main .
git config user.name setup && git config user.email setup@example.org
commit() { git add -A && git commit -q --author "$1 <$1@example.org>" --date "$2" -m "$3"; }

mkdir drafts && printf '# Plan\n1. measure\n' > drafts/plan.md; commit ada 2025-01-01T12:00:00Z 'a plan'
mkdir notes && git mv drafts/plan.md notes/plan.md; commit ada 2025-01-02T12:00:00Z 'notes have a folder'
printf '# Plan\n1. measure\n2. build\n3. show\n' > notes/plan.md; commit bob 2025-01-03T12:00:00Z 'the plan goes on'
git rm -q notes/plan.md; echo kept > other.md; commit cyd 2025-01-04T12:00:00Z 'tidy up'
echo more >> README.md; commit cyd 2025-01-05T12:00:00Z 'readme'
